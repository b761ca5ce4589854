#include "tertium/report/sdp_report.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tertium {
namespace {

constexpr Eigen::Index eigenvalues_shown = 10;

std::vector<double> leading_eigenvalues(const SdpResult& result) {
  const auto count = std::min(eigenvalues_shown, result.eigenvalues.size());
  return {result.eigenvalues.data(), result.eigenvalues.data() + count};
}

}  // namespace

std::string sdp_as_text(const SdpResult& result, double tolerance) {
  std::string text;
  const auto line = [&](std::string_view title, const std::string& value) {
    text += fmt::format("{:<18}{}\n", title, value);
  };
  line("objective", fmt::format("{:.6f}  (of the feasible X found)", result.objective));
  line("upper bound",
       fmt::format("{:.6f}  (no feasible X, hence no partition, is better)", result.upper_bound));
  line("gap", fmt::format("{:.2e}", result.gap));
  line("trace", fmt::format("{:.4f}", result.trace));
  line("rank", fmt::format("{}", result.rank));
  line("eigenvalues", fmt::format("{:.4f}", fmt::join(leading_eigenvalues(result), " ")));
  line("theta", fmt::format("{:.4f}", result.theta));
  line("status",
       result.status == SdpStatus::solved
           ? fmt::format("solved: the gap is at most {:g}", tolerance)
           : fmt::format("{}: the gap is larger than {:g}", to_string(result.status), tolerance));
  line("iterations", fmt::format("{} in {:.2f} s", result.iterations, result.seconds));
  return text;
}

nlohmann::ordered_json sdp_as_json(const SdpResult& result) {
  return {{"objective", result.objective},
          {"upper_bound", result.upper_bound},
          {"gap", result.gap},
          {"trace", result.trace},
          {"rank", result.rank},
          {"eigenvalues", leading_eigenvalues(result)},
          {"theta", result.theta},
          {"status", to_string(result.status)},
          {"iterations", result.iterations},
          {"seconds", result.seconds}};
}

}  // namespace tertium
