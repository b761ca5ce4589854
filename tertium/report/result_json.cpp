#include <string>

#include <fmt/format.h>

#include "tertium/error.hpp"
#include "tertium/report.hpp"
#include "tertium/report/json.hpp"
#include "tertium/report/result_folder.hpp"
#include "tertium/selection/spur.hpp"

namespace tertium::internal {
namespace {

constexpr std::string_view format_name = "tertium result";

// ---- writing
// -------------------------------------------------------------------------------------

template <class Value>
Json list_or_null(const std::vector<std::optional<Value>>& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(or_null(value));
  return list;
}

Json identities(const std::vector<FileIdentity>& files) {
  Json list = Json::array();
  for (const FileIdentity& file : files) {
    list.push_back({{"name", file.name},
                    {"bytes", file.bytes},
                    {"crc32", fmt::format("{:08x}", file.checksum)}});
  }
  return list;
}

Json options(const ResultView& view) {
  Json object = Json::object();
  for (const auto& [flag, value] : view.options) object[flag] = value;
  return object;
}

Json clusters(const ResultView& view) {
  Json list = Json::array();
  for (const ResultView::Cluster& cluster : view.clusters) {
    Json entry = {{"cluster", list.size() + 1}, {"size", cluster.members.size()}};
    if (cluster.confidence) entry["confidence"] = *cluster.confidence;
    entry["members"] = cluster.members;
    list.push_back(std::move(entry));
  }
  return list;
}

Json left_out(const ResultView& view) {
  Json list = Json::array();
  for (const auto& [item, reason] : view.left_out) {
    list.push_back({{"item", item}, {"reason", reason}});
  }
  return list;
}

Json spur(const ResultView& view) {
  Json list = Json::array();
  for (const ResultView::SpurStep& step : view.spur) {
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

Json spur_range(const ResultView& view) {
  if (!view.spur_range) return nullptr;
  const ResultView::SpurRange& range = *view.spur_range;
  return {{"lambda_min", range.lambda_min},
          {"lambda_max", range.lambda_max},
          {"trace_at_lambda_min", or_null(range.trace_at_lambda_min)},
          {"trace_at_lambda_max", or_null(range.trace_at_lambda_max)},
          {"fewest", range.fewest},
          {"most", range.most}};
}

Json heldout(const ResultView& view) {
  if (!view.heldout) return nullptr;
  Json curve = Json::array();
  for (const ResultView::HeldoutPoint& point : view.heldout->curve) {
    curve.push_back({{"k", point.clusters},
                     {"log_likelihood", point.log_likelihood},
                     {"standard_error", point.standard_error},
                     {"predictable", point.predictable},
                     {"right", point.right}});
  }
  return {{"k", view.heldout->k},
          {"accuracy", or_null(view.heldout->accuracy)},
          {"predictable", view.heldout->predictable},
          {"repeat_agreement", or_null(view.repeat_agreement)},
          {"ceiling", or_null(view.ceiling)},
          {"curve", std::move(curve)}};
}

Json null_test(const ResultView& view) {
  if (!view.null_test) return nullptr;
  const ResultView::NullTest& test = *view.null_test;
  return {{"p_value", test.p_value},
          {"draws", test.draws},
          {"leading_eigenvalue", test.observed},
          {"mean_of_coin_tosses", test.null_mean},
          {"largest_of_coin_tosses", test.null_largest}};
}

Json bootstrap(const ResultView& view) {
  if (!view.bootstrap) return nullptr;
  const auto k = static_cast<std::size_t>(view.k);
  Json together = Json::array();
  for (std::size_t a = 0; a < k; ++a) {
    Json row = Json::array();
    for (std::size_t b = 0; b < k; ++b) row.push_back(view.bootstrap->together[a * k + b]);
    together.push_back(std::move(row));
  }
  return {{"resamples", view.bootstrap->resamples},
          {"over", view.bootstrap->over_participants ? "participants" : "answers"},
          {"stability", view.bootstrap->stability},
          {"mean_confidence", view.bootstrap->mean},
          {"items_below_80_percent", view.bootstrap->below_80},
          {"together", std::move(together)}};
}

Json consensus(const ResultView& view) {
  if (!view.consensus) return nullptr;
  return {{"moved", view.consensus->moved},
          {"best_objective", view.consensus->best_objective},
          {"taken", view.consensus->taken}};
}

Json proof(const ResultView& view) {
  if (!view.proof) return nullptr;
  return {{"complete", view.proof->complete},
          {"tolerance", view.proof->tolerance},
          {"branches", view.proof->branches},
          {"cuts", view.proof->cuts},
          {"only_best", view.proof->only_best},
          {"pairs_across", view.proof->pairs_across},
          {"apart_within_tenth_percent", view.proof->apart_within_tenth_percent},
          {"apart_within_percent", view.proof->apart_within_percent}};
}

/// The merges as scipy has them: two clusters, the distance, the size of the new one.
Json tree(const ResultView& view) {
  if (!view.tree) return nullptr;
  Json linkage = Json::array();
  for (const Merge& merge : view.tree->merges.merges) {
    linkage.push_back(Json::array({merge.first, merge.second, merge.distance, merge.size}));
  }
  return {{"leaves", view.tree->leaves},
          {"linkage", std::move(linkage)},
          {"revenue", or_null(view.tree->revenue)}};
}

Json need(const ResultView& view) {
  if (!view.need) return nullptr;
  return {{"answers", view.need->answers},
          {"signal", view.need->signal},
          {"theorem", view.need->theorem},
          {"for_proof", or_null(view.need->for_proof)}};
}

Json truth(const ResultView& view) {
  if (!view.truth) return nullptr;
  return {{"adjusted_rand", view.truth->adjusted_rand},
          {"normalised_mutual_information", view.truth->mutual_information},
          {"items", view.truth->items},
          {"classes", view.truth->classes}};
}

// ---- reading
// -------------------------------------------------------------------------------------

template <class Value>
std::optional<Value> optional(const Json& json) {
  return json.is_null() ? std::optional<Value>() : json.get<Value>();
}

template <class Value>
std::vector<std::optional<Value>> optionals(const Json& json) {
  std::vector<std::optional<Value>> values;
  for (const Json& value : json) values.push_back(optional<Value>(value));
  return values;
}

Verdict verdict_of(const std::string& word) {
  for (const Verdict verdict : {Verdict::optimal, Verdict::not_optimal, Verdict::undecided}) {
    if (to_string(verdict) == word) return verdict;
  }
  throw Json::type_error::create(302, "unknown verdict", nullptr);
}

Evidence evidence_of(const std::string& word) {
  for (const Evidence level : {Evidence::proved, Evidence::probabilistic, Evidence::estimated}) {
    if (to_string(level) == word) return level;
  }
  throw Json::type_error::create(302, "unknown level", nullptr);
}

std::vector<FileIdentity> identities_in(const Json& json) {
  std::vector<FileIdentity> files;
  for (const Json& file : json) {
    files.push_back(
        {file.at("name"), file.at("bytes"),
         static_cast<std::uint32_t>(std::stoul(file.at("crc32").get<std::string>(), nullptr, 16))});
  }
  return files;
}

void read_origin(const Json& json, ResultView& view) {
  view.version = json.at("version");
  view.program_version = json.at("program");
  view.inputs = identities_in(json.at("inputs"));
  for (const auto& [flag, value] : json.at("options").items()) {
    view.options.emplace_back(flag, value.get<std::string>());
  }
  view.seed = json.at("seed");
}

void read_clusters(const Json& json, ResultView& view) {
  view.k = json.at("k");
  view.chosen_by = json.at("chosen_by");
  view.reason = json.at("reason");
  view.method = json.at("method");
  view.similarity = json.at("similarity");
  view.quadruplets = json.at("questions") == "quadruplets";
  view.comparisons = json.at("comparisons");
  view.items = json.at("items").get<std::vector<std::string>>();
  view.labels = optionals<int>(json.at("labels"));
  view.confidence = optionals<double>(json.at("confidence"));
  for (const Json& cluster : json.at("clusters")) {
    view.clusters.push_back({cluster.contains("confidence")
                                 ? std::optional<double>(cluster["confidence"].get<double>())
                                 : std::nullopt,
                             cluster.at("members").get<std::vector<std::string>>()});
  }
  for (const Json& left : json.at("left_out")) {
    view.left_out.push_back({left.at("item"), left.at("reason")});
  }
}

void read_value(const Json& json, ResultView& view) {
  view.objective = json.at("objective");
  view.upper_bound = optional<double>(json.at("upper_bound"));
  view.gap = optional<double>(json.at("gap"));
  if (const Json& certificate = json.at("certificate"); !certificate.is_null()) {
    view.certificate =
        Certificate{verdict_of(certificate.at("verdict")), optional<double>(certificate.at("lo")),
                    optional<double>(certificate.at("hi")), evidence_of(certificate.at("level")),
                    certificate.at("failure_probability")};
  }
  if (const Json& moves = json.at("consensus"); !moves.is_null()) {
    view.consensus =
        ResultView::Consensus{moves.at("moved"), moves.at("best_objective"), moves.at("taken")};
  }
  if (const Json& proof = json.at("proof"); !proof.is_null()) {
    view.proof = ResultView::Proof{proof.at("tolerance"),
                                   proof.at("complete"),
                                   proof.at("branches"),
                                   proof.at("cuts"),
                                   proof.at("only_best"),
                                   proof.at("pairs_across"),
                                   proof.at("apart_within_tenth_percent"),
                                   proof.at("apart_within_percent")};
  }
}

void read_tree(const Json& json, ResultView& view) {
  const Json& given = json.at("tree");
  if (given.is_null()) return;
  ResultView::Tree tree;
  tree.leaves = given.at("leaves").get<std::vector<std::string>>();
  tree.revenue = optional<double>(given.at("revenue"));
  for (const Json& merge : given.at("linkage")) {
    const std::size_t clusters = tree.leaves.size() + tree.merges.merges.size();
    tree.merges.merges.push_back({merge.at(0), merge.at(1), merge.at(2), merge.at(3)});
    const auto [first, second, distance, size] = tree.merges.merges.back();
    if (first >= second || second >= clusters) {
      throw Json::out_of_range::create(401, "a merge of clusters that are not there", nullptr);
    }
  }
  if (tree.merges.items() != tree.leaves.size()) {
    throw Json::out_of_range::create(401, "as many merges as leaves but one", nullptr);
  }
  view.tree = std::move(tree);
}

void read_choice(const Json& json, ResultView& view) {
  for (const Json& step : json.at("spur")) {
    view.spur.push_back({step.at("k"),
                         step.contains("lambda")
                             ? std::optional<double>(step["lambda"].get<double>())
                             : std::nullopt,
                         optional<double>(step.at("theta")), step.at("rough"), step.at("objective"),
                         optional<double>(step.at("upper_bound")), step.at("certified")});
  }
  if (const Json& range = json.at("spur_range"); !range.is_null()) {
    view.spur_range = ResultView::SpurRange{range.at("lambda_min"),
                                            range.at("lambda_max"),
                                            optional<double>(range.at("trace_at_lambda_min")),
                                            optional<double>(range.at("trace_at_lambda_max")),
                                            range.at("fewest"),
                                            range.at("most")};
  }
  if (const Json& held = json.at("heldout"); !held.is_null()) {
    ResultView::Heldout heldout{
        held.at("k"), optional<double>(held.at("accuracy")), held.at("predictable"), {}};
    for (const Json& point : held.at("curve")) {
      heldout.curve.push_back({point.at("k"), point.at("log_likelihood"),
                               point.at("standard_error"), point.at("predictable"),
                               point.at("right")});
    }
    view.heldout = std::move(heldout);
    view.repeat_agreement = optional<double>(held.at("repeat_agreement"));
    view.ceiling = optional<double>(held.at("ceiling"));
  }
}

void read_certainty(const Json& json, ResultView& view) {
  if (const Json& test = json.at("null_test"); !test.is_null()) {
    view.null_test =
        ResultView::NullTest{test.at("p_value"), test.at("draws"), test.at("leading_eigenvalue"),
                             test.at("mean_of_coin_tosses"), test.at("largest_of_coin_tosses")};
  }
  if (const Json& boot = json.at("bootstrap"); !boot.is_null()) {
    ResultView::Confidence confidence{
        boot.at("resamples"),       boot.at("over") == "participants", boot.at("stability"),
        boot.at("mean_confidence"), boot.at("items_below_80_percent"), {}};
    for (const Json& row : boot.at("together")) {
      for (const Json& share : row) confidence.together.push_back(share);
    }
    view.bootstrap = std::move(confidence);
  }
  if (const Json& need = json.at("need"); !need.is_null()) {
    ResultView::AnswerNeed found;
    found.answers = need.at("answers");
    found.signal = need.at("signal");
    found.theorem = need.at("theorem");
    found.for_proof = optional<double>(need.at("for_proof"));
    view.need = found;
  }
  if (const Json& truth = json.at("truth"); !truth.is_null()) {
    view.truth =
        ResultView::Truth{truth.at("adjusted_rand"), truth.at("normalised_mutual_information"),
                          truth.at("items"), truth.at("classes")};
  }
  view.warnings = json.at("warnings").get<std::vector<std::string>>();
  view.files = identities_in(json.at("files"));
  view.seconds = json.at("seconds");
}

}  // namespace

std::string result_json_beside(const std::vector<FileIdentity>& files, const ResultView& view) {
  const Json json = {
      {"format", format_name},
      {"version", view.version},
      {"program", view.program_version},
      {"inputs", identities(view.inputs)},
      {"options", options(view)},
      {"seed", view.seed},
      {"k", view.k},
      {"chosen_by", view.chosen_by},
      {"reason", view.reason},
      {"method", view.method},
      {"similarity", view.similarity},
      {"questions", view.quadruplets ? "quadruplets" : "triplets"},
      {"comparisons", view.comparisons},
      {"items", view.items},
      {"labels", list_or_null(view.labels)},
      {"confidence", list_or_null(view.confidence)},
      {"clusters", clusters(view)},
      {"left_out", left_out(view)},
      {"objective", view.objective},
      {"upper_bound", or_null(view.upper_bound)},
      {"gap", or_null(view.gap)},
      {"certificate", certificate_json(view.certificate)},
      {"consensus", consensus(view)},
      {"proof", proof(view)},
      {"tree", tree(view)},
      {"spur", spur(view)},
      {"spur_range", spur_range(view)},
      {"heldout", heldout(view)},
      {"null_p_value", view.null_test ? Json(view.null_test->p_value) : Json(nullptr)},
      {"null_test", null_test(view)},
      {"bootstrap", bootstrap(view)},
      {"need", need(view)},
      {"truth", truth(view)},
      {"warnings", view.warnings},
      {"files", identities(files)},
      {"seconds", view.seconds}};
  return json_text(json);
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string result_as_json(const ResultView& view) { return result_json_beside(view.files, view); }

ResultView result_from_json(std::string_view text, const std::string& file) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("format", Json()) != format_name ||
      !json.contains("version") || !json["version"].is_number_integer()) {
    throw InputError({{file}, "something else", "a result that `tertium cluster -o` wrote", ""});
  }
  if (const int version = json["version"]; version > result_version) {
    throw InputError({{file},
                      fmt::format("a result of version {}", version),
                      fmt::format("version {} or older", result_version),
                      "It was written by a newer tertium: update this one"});
  }
  try {
    ResultView view;
    read_origin(json, view);
    read_clusters(json, view);
    read_value(json, view);
    read_tree(json, view);
    read_choice(json, view);
    read_certainty(json, view);
    return view;
  } catch (const std::exception& error) {
    throw InputError({{file},
                      fmt::format("a damaged result ({})", error.what()),
                      "a result as docs/result.schema.json describes it",
                      "Make it again"});
  }
}

}  // namespace tertium
