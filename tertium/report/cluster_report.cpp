#include "tertium/report/cluster_report.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tertium/answers/data_check.hpp"
#include "tertium/report/json.hpp"
#include "tertium/similarity/export.hpp"

namespace tertium {
namespace {

/// Per item of the similarity: its confidence, if it was computed.
std::vector<std::optional<double>> confidences(const ClusterReport& report) {
  std::vector<std::optional<double>> all(report.loaded.similarity.size());
  const Clustering& clustering = report.clustering;
  if (!clustering.bootstrap) return all;
  for (std::size_t row = 0; row < clustering.clustered.size(); ++row) {
    all[clustering.clustered[row]] = clustering.bootstrap->confidence[row];
  }
  return all;
}

Json names(const ClusterReport& report, const std::vector<std::uint32_t>& items) {
  Json list = Json::array();
  for (const std::uint32_t item : items) list.push_back(report.loaded.similarity.items[item]);
  return list;
}

Json labels(const ClusterReport& report) {
  Json list = Json::array();
  for (const auto label : report.clustering.labels) {
    list.push_back(label < 0 ? Json(nullptr) : Json(label + 1));
  }
  return list;
}

Json clusters(const ClusterReport& report) {
  const Clustering& clustering = report.clustering;
  const auto confidence = confidences(report);
  Json list = Json::array();
  for (std::size_t c = 0; c < clustering.members.size(); ++c) {
    const auto& members = clustering.members[c];
    Json cluster = {{"cluster", c + 1}, {"size", members.size()}};
    if (clustering.bootstrap) {
      double sum = 0;
      for (const auto item : members) sum += *confidence[item];
      cluster["confidence"] = sum / static_cast<double>(members.size());
    }
    cluster["members"] = names(report, members);
    list.push_back(std::move(cluster));
  }
  return list;
}

Json spur_steps(const Clustering& clustering) {
  Json list = Json::array();
  if (!clustering.spur) return list;
  for (const SpurStep& step : clustering.spur->steps) {
    Json entry = {{"k", step.clusters},
                  {"theta", or_null(step.theta)},
                  {"rough", step.rough},
                  {"objective", step.objective},
                  {"upper_bound", or_null(step.upper_bound)},
                  {"certified", step.certified}};
    if (step.lambda) entry["lambda"] = *step.lambda;
    list.push_back(std::move(entry));
  }
  return list;
}

Json spur_range(const Clustering& clustering) {
  if (!clustering.spur || !clustering.spur->smallest) return nullptr;
  const SpurResult& spur = *clustering.spur;
  return {{"lambda_min", spur.smallest->lambda},
          {"lambda_max", spur.largest->lambda},
          {"trace_at_lambda_min", or_null(spur.smallest->trace)},
          {"trace_at_lambda_max", or_null(spur.largest->trace)},
          {"fewest", spur.range.fewest},
          {"most", spur.range.most}};
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Json heldout(const ClusterReport& report) {
  const Clustering& clustering = report.clustering;
  if (!clustering.heldout) return nullptr;
  Json curve = Json::array();
  for (const HeldoutPoint& point : clustering.heldout->points) {
    curve.push_back({{"k", point.clusters},
                     {"log_likelihood", point.log_likelihood},
                     {"standard_error", point.standard_error},
                     {"predictable", point.predictable},
                     {"right", point.right}});
  }
  const HeldoutPoint* point = clustering.heldout_point();
  std::optional<double> agreement;
  if (report.loaded.answers) agreement = report.loaded.answers->repeat_agreement;
  const std::optional<double> ceiling = ceiling_of(report);
  const bool predicts = point != nullptr && point->predictable > 0;
  return {{"k", clustering.heldout->clusters},
          {"accuracy", predicts ? Json(share(point->right, point->predictable)) : Json(nullptr)},
          {"repeat_agreement", or_null(agreement)},
          {"ceiling", or_null(ceiling)},
          {"curve", std::move(curve)}};
}

Json null_test(const Clustering& clustering) {
  if (!clustering.null_test) return nullptr;
  const NullTestResult& test = *clustering.null_test;
  return {{"p_value", test.p_value},
          {"draws", test.draws},
          {"leading_eigenvalue", test.observed},
          {"mean_of_coin_tosses", test.null_mean},
          {"largest_of_coin_tosses", test.null_largest}};
}

Json bootstrap(const Clustering& clustering) {
  if (!clustering.bootstrap) return nullptr;
  const BootstrapResult& result = *clustering.bootstrap;
  const auto k = static_cast<std::size_t>(clustering.clusters);
  Json together = Json::array();
  for (std::size_t a = 0; a < k; ++a) {
    Json row = Json::array();
    for (std::size_t b = 0; b < k; ++b) row.push_back(result.together[a * k + b]);
    together.push_back(std::move(row));
  }
  return {{"resamples", result.resamples},
          {"over", result.over_participants ? "participants" : "answers"},
          {"stability", result.stability},
          {"together", std::move(together)}};
}

Json need(const Clustering& clustering) {
  if (!clustering.need) return nullptr;
  return {{"answers", clustering.need->answers},
          {"signal", clustering.need->signal},
          {"theorem", clustering.need->theorem},
          {"for_proof", or_null(clustering.need->for_proof)}};
}

Json consensus(const Clustering& clustering) {
  if (!clustering.consensus) return nullptr;
  return {{"moved", clustering.consensus->moved},
          {"best_objective", clustering.consensus->best_objective}};
}

Json left_out(const ClusterReport& report) {
  Json list = Json::array();
  for (const LeftOutItem& item : report.clustering.left_out) {
    list.push_back(
        {{"item", report.loaded.similarity.items[item.item]}, {"reason", reason_in_words(item)}});
  }
  return list;
}

std::string_view choice_in_words(const ClusterReport& report) {
  const ClusterOptions& options = report.options;
  if (std::holds_alternative<Clusters>(options.count)) return "given";
  if (std::holds_alternative<ClusterRange>(options.count)) return "theta";
  switch (std::get<ChooseBy>(options.count)) {
    case ChooseBy::automatic:
      return report.clustering.heldout_instead ? "heldout" : "spur";
    case ChooseBy::spur:
      return "spur";
    case ChooseBy::lambda_grid:
      return "spur-lambda";
    case ChooseBy::heldout:
      return "heldout";
  }
  return "";
}

Json truth(const ClusterReport& report) {
  if (!report.truth) return nullptr;
  return {{"adjusted_rand", report.truth->adjusted_rand},
          {"normalised_mutual_information", report.truth->mutual_information},
          {"items", report.truth->items},
          {"classes", report.truth->clusters_b}};
}

}  // namespace

std::optional<double> ceiling_of(const ClusterReport& report) {
  const auto& kept = report.loaded.answers;
  if (!kept || !kept->repeat_agreement || kept->answers.empty()) return std::nullopt;
  return prediction_ceiling(*kept->repeat_agreement, kept->answers.front().kind);
}

std::string reason_in_words(const LeftOutItem& item) {
  if (item.linked_with == 0) return "no answer links it with any other item";
  return fmt::format("linked with {} other item{} only, not with the main group", item.linked_with,
                     item.linked_with == 1 ? "" : "s");
}

std::string clustering_as_json(const ClusterReport& report) {
  const SimilarityMatrix& similarity = report.loaded.similarity;
  const Clustering& clustering = report.clustering;
  Json confidence = Json::array();
  for (const auto& value : confidences(report)) confidence.push_back(or_null(value));
  const Json json = {
      {"k", clustering.clusters},
      {"chosen_by", choice_in_words(report)},
      {"method", report.options.method},
      {"similarity", similarity_name(similarity.kind)},
      {"comparisons", similarity.comparisons},
      {"items", similarity.items},
      {"labels", labels(report)},
      {"confidence", std::move(confidence)},
      {"clusters", clusters(report)},
      {"left_out", left_out(report)},
      {"objective", clustering.objective},
      {"upper_bound", or_null(clustering.upper_bound)},
      {"gap", or_null(clustering.gap)},
      {"certificate", certificate_json(clustering.certificate)},
      {"consensus", consensus(clustering)},
      {"spur", spur_steps(clustering)},
      {"spur_range", spur_range(clustering)},
      {"heldout", heldout(report)},
      {"null_p_value", clustering.null_test ? Json(clustering.null_test->p_value) : Json(nullptr)},
      {"null_test", null_test(clustering)},
      {"bootstrap", bootstrap(clustering)},
      {"need", need(clustering)},
      {"truth", truth(report)},
      {"seed", report.seed},
      {"warnings", clustering.warnings},
      {"seconds", clustering.seconds}};
  return json_text(json);
}

std::string labels_as_csv(const ClusterReport& report) {
  const SimilarityMatrix& similarity = report.loaded.similarity;
  const auto confidence = confidences(report);
  std::string text = "item,cluster,confidence\n";
  for (std::size_t item = 0; item < similarity.size(); ++item) {
    const auto label = report.clustering.labels[item];
    text += fmt::format("{},{},{}\n", csv_cell(similarity.items[item]),
                        label < 0 ? "" : fmt::format("{}", label + 1),
                        confidence[item] ? fmt::format("{:.4f}", *confidence[item]) : "");
  }
  return text;
}

}  // namespace tertium
