#include "tertium/cluster/result_view.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "tertium/core/error.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/version.hpp"

namespace tertium {
namespace {

/// An item is named as doubtful below this confidence.
constexpr double doubtful = 0.8;

class ViewBuilder {
 public:
  ViewBuilder(const Clustering& clustering, const ResultContext& context)
      : clustering_(clustering), context_(context), similarity_(context.loaded.similarity) {}

  ResultView build() {
    describe_origin();
    describe_choice();
    describe_items();
    describe_clusters();
    view_.objective = clustering_.objective;
    view_.upper_bound = clustering_.upper_bound;
    view_.gap = clustering_.gap;
    view_.certificate = clustering_.certificate;
    view_.consensus = clustering_.consensus;
    describe_prediction();
    view_.null_test = clustering_.null_test;
    view_.need = clustering_.need;
    if (context_.truth) {
      view_.truth = {context_.truth->adjusted_rand, context_.truth->mutual_information,
                     context_.truth->items, context_.truth->clusters_b};
    }
    view_.warnings = clustering_.warnings;
    view_.seconds = clustering_.seconds;
    return std::move(view_);
  }

 private:
  void describe_origin() {
    const ClusterOptions& options = context_.options;
    view_.program_version = version;
    view_.inputs = context_.inputs;
    view_.seed = context_.seed;
    view_.options = {{"--clusters", to_string(options.count)},
                     {"--method", options.method},
                     {"--rounding", std::string(to_string(options.rounding))},
                     {"--tolerance", fmt::format("{}", options.tolerance)},
                     {"--resamples", fmt::format("{}", options.resamples)},
                     {"--quick", options.quick ? "yes" : "no"},
                     {"--repeats", std::string(to_string(similarity_.repeats))}};
    view_.options.insert(view_.options.end(), context_.flags.begin(), context_.flags.end());
    view_.method = options.method;
    view_.similarity = similarity_name(similarity_.kind);
    view_.comparisons = similarity_.comparisons;
  }

  void describe_choice() {
    view_.k = clustering_.clusters;
    view_.chosen_by = chosen_by();
    view_.reason = reason();
    if (!clustering_.spur) return;
    const SpurResult& spur = *clustering_.spur;
    view_.spur = spur.steps;
    if (!spur.smallest) return;
    view_.spur_range = {spur.smallest->lambda, spur.largest->lambda, spur.smallest->trace,
                        spur.largest->trace,   spur.range.fewest,    spur.range.most};
  }

  [[nodiscard]] std::string chosen_by() const {
    const ClusterCount& count = context_.options.count;
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

  static std::string reason_in_words(const LeftOutItem& item) {
    if (item.linked_with == 0) return "no answer links it with any other item";
    return fmt::format("linked with {} other item{} only, not with the main group",
                       item.linked_with, item.linked_with == 1 ? "" : "s");
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
  }

  void describe_prediction() {
    if (const auto& kept = context_.loaded.answers) {
      view_.repeat_agreement = kept->repeat_agreement;
      view_.ceiling = kept->prediction_ceiling;
    }
    if (!clustering_.heldout) return;
    ResultView::Heldout heldout;
    heldout.k = clustering_.heldout->clusters;
    heldout.curve = clustering_.heldout->points;
    for (HeldoutPoint& point : heldout.curve) point.by_fold.clear();
    if (const HeldoutPoint* point = clustering_.heldout_point();
        point != nullptr && point->predictable > 0) {
      heldout.accuracy =
          static_cast<double>(point->right) / static_cast<double>(point->predictable);
      heldout.predictable = point->predictable;
    }
    view_.heldout = std::move(heldout);
  }

  const Clustering& clustering_;
  const ResultContext& context_;
  const SimilarityMatrix& similarity_;
  ResultView view_;
};

}  // namespace

std::string to_string(const ClusterCount& count) {
  if (const auto* given = std::get_if<Clusters>(&count)) return fmt::format("{}", given->count);
  if (const auto* range = std::get_if<ClusterRange>(&count)) {
    return fmt::format("{}-{}", range->fewest, range->most);
  }
  switch (std::get<ChooseBy>(count)) {
    case ChooseBy::automatic:
      return "auto";
    case ChooseBy::spur:
      return "spur";
    case ChooseBy::lambda_grid:
      return "spur-lambda";
    case ChooseBy::heldout:
      return "heldout";
  }
  return "";
}

ResultView view_of(const Clustering& clustering, const ResultContext& context) {
  return ViewBuilder(clustering, context).build();
}

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

Agreement compare_with_truth(const Labeling& truth, const SimilarityMatrix& similarity,
                             const Clustering& clustering) {
  Labeling found;
  for (std::size_t item = 0; item < similarity.size(); ++item) {
    if (clustering.labels[item] < 0) continue;
    found.items.push_back(similarity.items[item]);
    found.labels.push_back(std::to_string(clustering.labels[item]));
  }
  return compare_labelings(found, truth);
}

}  // namespace tertium
