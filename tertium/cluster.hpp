#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tertium/agreement.hpp"
#include "tertium/dendrogram.hpp"
#include "tertium/partition.hpp"
#include "tertium/read.hpp"
#include "tertium/run.hpp"
#include "tertium/similarity.hpp"

namespace tertium {

/// How the number of clusters is found; or a ClusterRange to choose from by theta, or Clusters, a
/// given number.
enum class ChooseBy : std::uint8_t {
  automatic,    // by SPUR; if its programs are too large to solve, by held-out answers
  spur,         // comparison-based SPUR, Algorithm 2 of the paper
  lambda_grid,  // SPUR over a grid of lambda, Algorithm 1
  heldout       // answers that were kept aside
};
using ClusterCount = std::variant<ChooseBy, ClusterRange, Clusters>;

/// "auto", "3", "2-6", ...: as `--clusters` has it.
std::string to_string(const ClusterCount& count);
/// The inverse; throws InputError.
ClusterCount parse_cluster_count(const std::string& text);

/// How long a proof is sought that no other partition is better, by cuts and branches, where the
/// certificate proves none.
struct ProofEffort {
  enum class Until : std::uint8_t {
    never,
    affordable,  // an amount of work that takes about two seconds, the same on every machine
    seconds,     // depends on the machine, so results may
    the_end      // however long it takes
  };
  Until until = Until::affordable;
  double seconds = 0;
};
/// "no", "auto", "60", "full": as `--proof` has it.
std::string to_string(const ProofEffort& effort);
/// The inverse; throws InputError.
ProofEffort parse_proof_effort(const std::string& text);

struct ClusterOptions {
  ClusterCount count = ChooseBy::automatic;
  std::string method = "auto";  // a name in the table of methods
  Rounding rounding = Rounding::kmeans;
  double tolerance = 1e-3;  // of the semidefinite programs; > 0
  int dimensions = 2;       // of the points of methods that place items; > 0
  ProofEffort proof;
  /// Only clusters and their certificate or bound: no null test, held-out answers or confidence.
  bool quick = false;
  /// For ChooseBy::automatic. Without a certificate SPUR solves a program for every k, which takes
  /// some minutes at this size and grows with the cube.
  std::size_t most_items_for_spur = 3000;
  int resamples = 0;  // of the bootstrap; 0: by the size of the data, at least 100 to 2000 items
};

/// Throws InputError for an option that is out of range, naming its flag.
void validate(const ClusterOptions& options);

/// A p-value above this means that no structure was found.
inline constexpr double significance = 0.05;

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
  /// Items that most of the partitions that are nearly as good have elsewhere than the partition
  /// with the largest f(Z) found.
  struct Consensus {
    std::uint32_t moved = 0;    // so many items, at least 1
    double best_objective = 0;  // the largest f(Z) found
    bool taken = true;          // moved here; else they would be: the best partition is proved
  };
  /// What cuts and branches proved about other partitions into as many clusters.
  struct Proof {
    double tolerance = 0;  // none is better by more than this share of f(Z), if complete
    bool complete = false;
    int branches = 0;      // subproblems that were bounded, at least 1
    std::size_t cuts = 0;  // triangle inequalities in the first of them
    /// Every other partition into as many clusters is worse, by however little.
    bool only_best = false;
    /// Pairs of items in different clusters, and how many of them are proved to be apart in every
    /// partition whose value is within 0.1 % or 1 % of this one's. Only if complete.
    std::size_t pairs_across = 0;
    std::size_t apart_within_tenth_percent = 0;
    std::size_t apart_within_percent = 0;
  };
  /// What the clusters were cut from, by a method that makes a tree.
  struct Tree {
    Dendrogram merges;
    std::vector<std::string> leaves;  // their items
    /// The sum over answers of how many more items lie under the join of the pair that is less
    /// alike than under that of the other pair. None if the answers are not known.
    std::optional<double> revenue;
  };
  /// What was found for one number of clusters (SPUR over lambda: for one lambda).
  struct SpurStep {
    int clusters = 0;
    std::optional<double> lambda;       // SPUR over lambda only
    std::optional<double> theta;        // none: not solved, as the choice was clear without
    bool rough = false;                 // theta is far from the largest, right to about 0.1 only
    double objective = 0;               // <S,X> of the best X found; a partition if not solved
    std::optional<double> upper_bound;  // on <S,X>; none if not solved
    bool certified = false;             // the optimum is a partition, so theta is 1
  };
  struct SpurRange {
    double lambda_min = 0;
    double lambda_max = 0;
    std::optional<double> trace_at_lambda_min;
    std::optional<double> trace_at_lambda_max;
    int fewest = 0;
    int most = 0;
  };
  /// How well k clusters, found without them, predict answers.
  struct HeldoutPoint {
    int clusters = 0;
    double log_likelihood = 0;  // mean per held-out answer, natural logarithm; k = 1: ln(1/2)
    double standard_error = 0;  // of that mean, over answers
    std::uint64_t predictable = 0;
    std::uint64_t right = 0;
  };
  struct Heldout {
    int k = 0;                       // that held-out answers speak for
    std::optional<double> accuracy;  // of the chosen k, over answers that it can predict
    std::uint64_t predictable = 0;   // so many of these
    std::vector<HeldoutPoint> curve;
  };
  /// Is there any structure? The leading eigenvalue of S, and with coin tosses for answers.
  struct NullTest {
    double p_value = 1;
    int draws = 0;
    double observed = 0;
    double null_mean = 0;
    double null_largest = 0;
  };
  struct Confidence {
    int resamples = 0;
    bool over_participants = false;
    double stability = 0;
    double mean = 0;               // over items
    std::size_t below_80 = 0;      // items
    std::vector<double> together;  // k x k
  };
  /// Whether there are enough answers, by the noise that the data show.
  struct AnswerNeed {
    double answers = 0;               // comparisons that there are
    double signal = 0;                // estimate of epsilon * delta, see docs/cluster.md
    double theorem = 0;               // what Theorem 1 asks for, its constants calibrated
    std::optional<double> for_proof;  // about so many would be enough for a certificate
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
  std::string similarity;    // the rule by which answers became one, or "precomputed"
  bool quadruplets = false;  // what was asked: quadruplets, or what gives triplets
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
  std::optional<Consensus> consensus;
  std::optional<Proof> proof;
  std::optional<Tree> tree;

  std::vector<SpurStep> spur;
  std::optional<SpurRange> spur_range;
  std::optional<Heldout> heldout;
  std::optional<double> repeat_agreement;  // chance that two answers to one question agree
  std::optional<double> ceiling;           // of all answers nobody can predict more
  std::optional<NullTest> null_test;
  std::optional<Confidence> bootstrap;
  std::optional<AnswerNeed> need;
  std::optional<Truth> truth;
  std::vector<std::string> warnings;
  double seconds = 0;

  /// The files written beside result.json, with their names in the folder. They belong together: a
  /// reader refuses others. Empty: not in a folder.
  std::vector<FileIdentity> files;

  // In files of their own, not in result.json.
  std::string certificate_file;     // the text of certificate.json; empty: there is none
  std::string certificate_numbers;  // the content of certificate.numbers; empty: there is none
  /// Clusters of all items in every resample, from 0; -1: left out. What pairs.npy is made of;
  /// empty in a result that was read back.
  std::vector<Labels> resampled;

  [[nodiscard]] bool is_certified() const {
    return certificate && certificate->verdict == Verdict::optimal;
  }
  [[nodiscard]] bool is_proved() const { return is_certified() || (proof && proof->complete); }
};

/// From answers to clusters: links, null test, number of clusters, partition, proof or bound,
/// confidence. Without the answers (a snapshot, a matrix, or `keep_answers` not set) everything
/// that needs them stays empty. Throws InputError if the options do not fit the data, or Cancelled.
ResultView cluster(const LoadedSimilarity& loaded, const ClusterOptions& options, Run& run);

/// Fills in `truth`: how far the clusters agree with known classes. Throws InputError if they are
/// about other items.
void compare_with_truth(ResultView& view, const Labeling& truth);
/// Throws InputError if the classes of `file` are about other items: before the long work.
void check_truth(const Labeling& truth, const std::string& file,
                 const SimilarityMatrix& similarity);

}  // namespace tertium
