#include "tertium/cluster/result_view.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "tertium/certificate/certificate_file.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/exact/proof_file.hpp"
#include "tertium/exact/proved_pairs.hpp"
#include "tertium/reading/read_options.hpp"
#include "tertium/selection/spur.hpp"
#include "tertium/similarity/load.hpp"
#include "tertium/similarity/similarity_rule.hpp"
#include "tertium/version.hpp"

namespace tertium::internal {
namespace {

/// An item is named as doubtful below this confidence.
constexpr double doubtful = 0.8;

class ViewBuilder {
 public:
  ViewBuilder(const Clustering& clustering, const LoadedSimilarity& loaded,
              const ClusterOptions& options)
      : clustering_(clustering),
        loaded_(loaded),
        options_(options),
        similarity_(loaded.similarity) {}

  ResultView build(std::uint64_t seed) {
    describe_origin(seed);
    describe_choice();
    describe_items();
    describe_clusters();
    view_.objective = clustering_.objective;
    view_.upper_bound = clustering_.upper_bound;
    view_.gap = clustering_.gap;
    describe_proof();
    describe_tree();
    describe_prediction();
    describe_evidence();
    view_.warnings.insert(view_.warnings.begin(), clustering_.warnings.begin(),
                          clustering_.warnings.end());
    view_.seconds = clustering_.seconds;
    return std::move(view_);
  }

 private:
  void describe_origin(std::uint64_t seed) {
    view_.program_version = version;
    view_.inputs = identify(expand_inputs(loaded_.inputs));
    view_.seed = seed;
    view_.options = {{"--clusters", to_string(options_.count)},
                     {"--similarity", loaded_.options.similarity},
                     {"--method", options_.method},
                     {"--rounding", std::string(to_string(options_.rounding))},
                     {"--dimensions", fmt::format("{}", options_.dimensions)},
                     {"--proof", to_string(options_.proof)},
                     {"--tolerance", fmt::format("{}", options_.tolerance)},
                     {"--resamples", fmt::format("{}", options_.resamples)},
                     {"--quick", options_.quick ? "yes" : "no"},
                     {"--repeats", std::string(to_string(similarity_.repeats))}};
    if (loaded_.options.matrix) view_.options.emplace_back("--kind", "matrix");
    for (const auto& [flag, value] : flags_set(loaded_.options.read)) {
      view_.options.emplace_back(flag, value.empty() ? "yes" : value);
    }
    view_.method = options_.method;
    view_.similarity = similarity_.rule;
    view_.quadruplets = similarity_.quadruplets;
    view_.comparisons = similarity_.comparisons;
  }

  void describe_choice() {
    view_.k = clustering_.clusters;
    view_.chosen_by = chosen_by();
    view_.reason = reason();
    if (!clustering_.spur) return;
    const SpurResult& spur = *clustering_.spur;
    for (const SpurStep& step : spur.steps) {
      view_.spur.push_back({step.clusters, step.lambda, step.theta, step.rough, step.objective,
                            step.upper_bound, step.certified});
    }
    if (!spur.smallest) return;
    view_.spur_range = {spur.smallest->lambda, spur.largest->lambda, spur.smallest->trace,
                        spur.largest->trace,   spur.range.fewest,    spur.range.most};
  }

  [[nodiscard]] std::string chosen_by() const {
    const ClusterCount& count = options_.count;
    if (std::holds_alternative<Clusters>(count)) return "given";
    if (std::holds_alternative<ClusterRange>(count)) return "theta";
    switch (std::get<ChooseBy>(count)) {
      case ChooseBy::automatic:
        return clustering_.heldout_instead ? "heldout" : "spur";
      case ChooseBy::spur:
        return "spur";
      case ChooseBy::lambda_grid:
        return "spur-lambda";
      case ChooseBy::heldout:
        return "heldout";
    }
    return "";
  }

  [[nodiscard]] std::string reason() const {
    const std::string by = chosen_by();
    if (by == "given") return "as asked for";
    if (by == "heldout") return "chosen by held-out answers";
    if (!clustering_.spur) return "since the answers show no structure";
    if (by == "spur-lambda") return "chosen by SPUR over lambda (largest theta)";
    const auto& steps = clustering_.spur->steps;
    if (std::any_of(steps.begin(), steps.end(), [](const SpurStep& step) { return !step.theta; })) {
      return clustering_.spur->chosen()->certified
                 ? "chosen by SPUR: certified, so nothing had to be solved"
                 : "chosen by SPUR: theta is 1, and others cannot have more";
    }
    return "chosen by SPUR (largest theta)";
  }

  void describe_items() {
    view_.items = similarity_.items;
    view_.labels.resize(similarity_.size());
    view_.confidence.resize(similarity_.size());
    for (std::size_t row = 0; row < clustering_.clustered.size(); ++row) {
      const std::uint32_t item = clustering_.clustered[row];
      view_.labels[item] = clustering_.labels[item] + 1;
      if (clustering_.bootstrap) view_.confidence[item] = clustering_.bootstrap->confidence[row];
    }
    for (const LeftOutItem& left : clustering_.left_out) {
      view_.left_out.push_back({similarity_.items[left.item], reason_in_words(left)});
    }
  }

  [[nodiscard]] std::string reason_in_words(const LeftOutItem& item) const {
    const bool by_answers = is_additive(similarity_.rule);
    if (item.linked_with == 0) {
      return by_answers ? "no answer links it with any other item"
                        : "its similarity to every other item is 0";
    }
    return fmt::format("{} {} other item{} only, not {} the main group",
                       by_answers ? "linked with" : "similar to", item.linked_with,
                       item.linked_with == 1 ? "" : "s", by_answers ? "with" : "to");
  }

  void describe_clusters() {
    for (const auto& members : clustering_.members) {
      ResultView::Cluster cluster;
      double sum = 0;
      for (const std::uint32_t item : members) {
        cluster.members.push_back(similarity_.items[item]);
        sum += view_.confidence[item].value_or(0);
      }
      if (clustering_.bootstrap) cluster.confidence = sum / static_cast<double>(members.size());
      view_.clusters.push_back(std::move(cluster));
    }
    if (!clustering_.bootstrap) return;
    const BootstrapResult& result = *clustering_.bootstrap;
    ResultView::Confidence confidence{
        result.resamples, result.over_participants, result.stability, 0, 0, result.together};
    for (const double share : result.confidence) {
      confidence.mean += share;
      confidence.below_80 += share < doubtful ? 1 : 0;
    }
    confidence.mean /= static_cast<double>(result.confidence.size());
    view_.bootstrap = confidence;
    for (const Labels& labels : result.labels) {
      Labels& all = view_.resampled.emplace_back(similarity_.size(), -1);
      for (std::size_t row = 0; row < labels.size(); ++row) {
        all[clustering_.clustered[row]] = labels[row];
      }
    }
  }

  void describe_proof() {
    view_.certificate = clustering_.certificate;
    if (const auto& moves = clustering_.consensus) {
      view_.consensus = {moves->moved, moves->best_objective, moves->taken};
    }
    if (const auto& proof = clustering_.proof) {
      describe_proof_by_cuts(*proof);
    }
    // A proof is about all items of the answers, and about sums that the checker can add up.
    const bool is_tried = clustering_.proof && !clustering_.proof->proof.nodes.empty();
    if ((!view_.is_certified() && !is_tried) || !view_.left_out.empty()) return;
    if (!similarity_.is_given() && !is_additive(similarity_.rule)) {
      view_.warnings.push_back(fmt::format(
          "no file for the proof: the checker cannot make {} again; write it with tertium "
          "similarity -o matrix.csv, and cluster that",
          similarity_title(similarity_.rule)));
      return;
    }
    if (similarity_.rounded) {
      view_.warnings.push_back(
          "no file for the proof: the values of the matrix did not fit in 64 bits and were "
          "rounded; "
          "write it with tertium similarity -o matrix.sim, and cluster that");
      return;
    }
    if (view_.is_certified()) {
      view_.certificate_file =
          certificate_text(similarity_, clustering_.labels, view_.objective, *view_.certificate);
      return;
    }
    TreeClaim claim = tree_claim(clustering_.proof->proof, certificate_numbers_name);
    claim.only_best = view_.proof->only_best;
    view_.certificate_file =
        certificate_text(similarity_, clustering_.labels, view_.objective, claim);
    view_.certificate_numbers = std::move(claim.numbers);
  }

  void describe_proof_by_cuts(const ExactResult& proof) {
    view_.proof = {ExactOptions().tolerance, proof.closed, proof.nodes, proof.cuts};
    if (!proof.closed) return;
    ResultView::Proof& shown = *view_.proof;
    const auto pairs = [&](double slack) {
      return count_across(pairs_apart(proof.proof, proof.best, slack), proof.best.labels);
    };
    const PairCount as_good = pairs(0);
    shown.only_best = as_good.all();
    shown.pairs_across = as_good.across;
    shown.apart_within_tenth_percent = pairs(0.001).apart;
    shown.apart_within_percent = pairs(0.01).apart;
  }

  void describe_evidence() {
    if (const auto& test = clustering_.null_test) {
      view_.null_test = {test->p_value, test->draws, test->observed, test->null_mean,
                         test->null_largest};
    }
    if (const auto& need = clustering_.need) {
      view_.need = {need->answers, need->signal, need->theorem, need->for_proof};
    }
  }

  void describe_tree() {
    if (!clustering_.tree) return;
    view_.tree = {*clustering_.tree, {}, clustering_.revenue};
    for (const std::uint32_t item : clustering_.clustered) {
      view_.tree->leaves.push_back(similarity_.items[item]);
    }
  }

  void describe_prediction() {
    if (const auto& kept = loaded_.answers) {
      view_.repeat_agreement = kept->repeat_agreement;
      view_.ceiling = kept->prediction_ceiling;
    }
    if (!clustering_.heldout) return;
    ResultView::Heldout heldout;
    heldout.k = clustering_.heldout->clusters;
    for (const HeldoutPoint& point : clustering_.heldout->points) {
      heldout.curve.push_back({point.clusters, point.log_likelihood, point.standard_error,
                               point.predictable, point.right});
    }
    if (const HeldoutPoint* point = clustering_.heldout_point();
        point != nullptr && point->predictable > 0) {
      heldout.accuracy =
          static_cast<double>(point->right) / static_cast<double>(point->predictable);
      heldout.predictable = point->predictable;
    }
    view_.heldout = std::move(heldout);
  }

  const Clustering& clustering_;
  const LoadedSimilarity& loaded_;
  const ClusterOptions& options_;
  const SimilarityMatrix& similarity_;
  ResultView view_;
};

}  // namespace

ResultView view_of(const Clustering& clustering, const LoadedSimilarity& loaded,
                   const ClusterOptions& options, std::uint64_t seed) {
  return ViewBuilder(clustering, loaded, options).build(seed);
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

void check_truth(const Labeling& truth, const std::string& file,
                 const SimilarityMatrix& similarity) {
  const std::set<std::string_view> items(similarity.items.begin(), similarity.items.end());
  const auto is_known = [&](const std::string& item) { return items.contains(item); };
  if (std::any_of(truth.items.begin(), truth.items.end(), is_known)) return;
  throw InputError(
      {{file},
       fmt::format("no item of the answers (its items: {}, ...; those of the answers: {}, ...)",
                   truth.items.empty() ? "none" : in_quotes(truth.items.front()),
                   in_quotes(similarity.items.front())),
       "items named as in the answers",
       "Name the columns with --truth-item and --truth-label"});
}

void compare_with_truth(ResultView& view, const Labeling& truth) {
  Labeling found;
  for (std::size_t item = 0; item < view.items.size(); ++item) {
    if (!view.labels[item]) continue;
    found.items.push_back(view.items[item]);
    found.labels.push_back(std::to_string(*view.labels[item]));
  }
  const Agreement agreement = compare_labelings(found, truth);
  view.truth = {agreement.adjusted_rand, agreement.mutual_information, agreement.items,
                agreement.clusters_b};
}

}  // namespace tertium
