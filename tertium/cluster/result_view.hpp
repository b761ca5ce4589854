#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tertium/cluster/clustering.hpp"
#include "tertium/partition/agreement.hpp"
#include "tertium/reading/file_identity.hpp"
#include "tertium/similarity/load.hpp"

namespace tertium {

/// Of the form in which results are kept: grows when a reader of older ones would go wrong.
inline constexpr int result_version = 1;

/// One clustering as it is shown and kept: text, JSON and CSV render it, and nothing is derived
/// anywhere else. Clusters are numbered from 1. "Not computed" is empty.
struct ResultView {
  struct Cluster {
    std::optional<double> confidence;  // mean over its items
    std::vector<std::string> members;  // the most typical first
  };
  struct LeftOut {
    std::string item;
    std::string reason;
  };
  struct SpurRange {
    double lambda_min = 0;
    double lambda_max = 0;
    std::optional<double> trace_at_lambda_min;
    std::optional<double> trace_at_lambda_max;
    int fewest = 0;
    int most = 0;
  };
  struct Heldout {
    int k = 0;                        // that held-out answers speak for
    std::optional<double> accuracy;   // of the chosen k, over answers that it can predict
    std::uint64_t predictable = 0;    // so many of these
    std::vector<HeldoutPoint> curve;  // without the parts by fold
  };
  struct Confidence {
    int resamples = 0;
    bool over_participants = false;
    double stability = 0;
    double mean = 0;               // over items
    std::size_t below_80 = 0;      // items
    std::vector<double> together;  // k x k
  };
  struct Truth {
    double adjusted_rand = 0;
    double mutual_information = 0;
    std::size_t items = 0;
    std::size_t classes = 0;
  };

  int version = result_version;
  std::string program_version;
  std::vector<FileIdentity> inputs;
  std::vector<std::pair<std::string, std::string>> options;  // all that were in force, by flag
  std::uint64_t seed = 0;

  int k = 0;
  std::string chosen_by;  // spur, spur-lambda, heldout, theta or given
  std::string reason;     // the same in words
  std::string method;
  std::string similarity;
  std::uint64_t comparisons = 0;
  std::vector<std::string> items;
  std::vector<std::optional<int>> labels;         // none: left out
  std::vector<std::optional<double>> confidence;  // per item
  std::vector<Cluster> clusters;
  std::vector<LeftOut> left_out;

  double objective = 0;
  std::optional<double> upper_bound;
  std::optional<double> gap;
  std::optional<Certificate> certificate;
  std::optional<ConsensusMoves> consensus;

  std::vector<SpurStep> spur;
  std::optional<SpurRange> spur_range;
  std::optional<Heldout> heldout;
  std::optional<double> repeat_agreement;  // chance that two answers to one question agree
  std::optional<double> ceiling;           // of all answers nobody can predict more
  std::optional<NullTestResult> null_test;
  std::optional<Confidence> bootstrap;
  std::optional<AnswerNeed> need;
  std::optional<Truth> truth;
  std::vector<std::string> warnings;
  double seconds = 0;

  [[nodiscard]] bool is_proved() const {
    return certificate && certificate->verdict == Verdict::optimal;
  }
};

/// What a view is made of besides the clustering itself.
struct ResultContext {
  const LoadedSimilarity& loaded;
  const ClusterOptions& options;
  std::vector<std::pair<std::string, std::string>> flags;  // further ones that were given
  std::vector<FileIdentity> inputs;
  std::uint64_t seed = 0;
  std::optional<Agreement> truth;  // with known classes, if they were given
};

ResultView view_of(const Clustering& clustering, const ResultContext& context);

/// How far a clustering agrees with known classes. Throws InputError if they are about other items.
Agreement compare_with_truth(const Labeling& truth, const SimilarityMatrix& similarity,
                             const Clustering& clustering);
/// Throws InputError if the classes of `file` are about other items: before the long work.
void check_truth(const Labeling& truth, const std::string& file,
                 const SimilarityMatrix& similarity);

/// "auto", "3", "2-6", ...: as `--clusters` has it.
std::string to_string(const ClusterCount& count);

}  // namespace tertium
