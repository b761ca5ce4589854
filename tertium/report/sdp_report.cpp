#include "tertium/report/sdp_report.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tertium/report/json.hpp"
#include "tertium/report/titled_line.hpp"

namespace tertium::internal {
namespace {

constexpr Eigen::Index eigenvalues_shown = 10;

std::vector<double> leading_eigenvalues(const SdpResult& result) {
  const auto count = std::min(eigenvalues_shown, result.eigenvalues.size());
  return {result.eigenvalues.data(), result.eigenvalues.data() + count};
}

std::string evidence_in_words(const Certificate& certificate) {
  if (certificate.level == Evidence::probabilistic) {
    return fmt::format("but for a chance of {:g}", certificate.failure_probability);
  }
  return "proved";
}

/// What status words mean for the reader.
std::string status_in_words(const SdpResult& result, double tolerance) {
  switch (result.status) {
    case SdpStatus::certified:
      return "certified: the partition is the optimum, nothing had to be solved";
    case SdpStatus::solved:
      return fmt::format("solved: the gap is at most {:g}", tolerance);
    default:
      return fmt::format("{}: the gap is larger than {:g}", to_string(result.status), tolerance);
  }
}

/// The partition in the words of a clustering's JSON: k, value, items, labels.
void add_partition(Json& json, const FoundPartition& partition,
                   const std::vector<std::string>& items) {
  json["k"] = partition.clusters;
  json["value"] = partition.value;
  json["items"] = items;
  json["labels"] = Json::array();
  for (const auto label : partition.labels) json["labels"].push_back(label + 1);
}

}  // namespace

std::string certificate_in_words(const Certificate& certificate, int clusters) {
  switch (certificate.verdict) {
    case Verdict::optimal:
      return fmt::format("no partition into {} is better ({})",
                         clusters == 1 ? "1 cluster" : fmt::format("{} clusters", clusters),
                         evidence_in_words(certificate));
    case Verdict::not_optimal:
      return "the program has a better X than this partition (proved); the upper bound says how "
             "much better any partition can be";
    case Verdict::undecided:
      return "undecided: neither a proof nor a counterexample was found";
  }
  return "";
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string sdp_as_text(const SdpResult& result, double tolerance) {
  std::string text;
  const auto line = [&](std::string_view title, const std::string& value) {
    text += titled_line(title, value);
  };
  line("objective", fmt::format("{:.6f}  (of the feasible X found)", result.objective));
  line("upper bound",
       fmt::format("{:.6f}  (no feasible X, hence no partition, is better)", result.upper_bound));
  line("gap", fmt::format("{:.2e}", result.gap));
  line("trace", fmt::format("{:.4f}", result.trace));
  line("rank", fmt::format("{}", result.rank));
  line("eigenvalues", fmt::format("{:.4f}", fmt::join(leading_eigenvalues(result), " ")));
  line("theta", fmt::format("{:.4f}", result.theta));
  if (result.partition) {
    line("partition", fmt::format("{} clusters, value {:.6f}", result.partition->clusters,
                                  result.partition->value));
  }
  if (result.certificate) {
    line("certificate", certificate_in_words(*result.certificate, result.partition->clusters));
    const Certificate& c = *result.certificate;
    if (c.verdict == Verdict::optimal) {
      line("", fmt::format("the optimum for lambda from {} to {}",
                           c.lo ? fmt::format("{:.6g}", *c.lo) : "-infinity",
                           c.hi ? fmt::format("{:.6g}", *c.hi) : "infinity"));
    }
  }
  line("status", status_in_words(result, tolerance));
  line("iterations", fmt::format("{} in {:.2f} s", result.iterations, result.seconds));
  return text;
}

std::string sdp_as_json(const SdpResult& result, const std::vector<std::string>& items) {
  Json json = {{"objective", result.objective},
               {"upper_bound", result.upper_bound},
               {"gap", result.gap},
               {"trace", result.trace},
               {"rank", result.rank},
               {"eigenvalues", leading_eigenvalues(result)},
               {"theta", result.theta},
               {"status", to_string(result.status)},
               {"iterations", result.iterations},
               {"seconds", result.seconds},
               {"certificate", certificate_json(result.certificate)}};
  if (result.partition) add_partition(json, *result.partition, items);
  return json_text(json);
}

}  // namespace tertium
