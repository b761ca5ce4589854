#include "tertium/selection/choice_doubts.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tertium::internal {
namespace {

/// Numbers of clusters with nearly the theta of the chosen one, with their theta.
std::vector<std::string> rivals(const SpurResult& spur, double chosen) {
  std::vector<std::string> found;
  for (const SpurStep& step : spur.steps) {
    if (step.clusters == spur.clusters || step.theta.value_or(0) < chosen - close_theta) continue;
    found.push_back(fmt::format("{} ({:.3f})", step.clusters, *step.theta));
  }
  return found;
}

}  // namespace

std::vector<std::string> doubts_about_choice(const SpurResult& spur, const HeldoutCurve* heldout) {
  std::vector<std::string> doubts;
  const SpurStep* choice = spur.chosen();
  if (choice != nullptr && !choice->certified && spur.smallest &&
      spur.clusters == spur.range.most) {
    doubts.push_back(
        fmt::format("theta is largest at the upper end of SPUR's range, {} clusters: there it says "
                    "little about the number",
                    spur.clusters));
  }
  const auto chosen = std::find_if(spur.steps.begin(), spur.steps.end(), [&](const SpurStep& step) {
    return step.clusters == spur.clusters && !step.lambda && step.theta;
  });
  if (chosen != spur.steps.end()) {
    const std::vector<std::string> near = rivals(spur, *chosen->theta);
    if (!near.empty()) {
      doubts.push_back(
          fmt::format("SPUR's choice is close: theta of {} clusters is {:.3f}, and nearly as large "
                      "for {}",
                      spur.clusters, *chosen->theta, fmt::join(near, ", ")));
    }
  }
  if (heldout != nullptr && heldout->clusters != spur.clusters) {
    doubts.push_back(
        fmt::format("SPUR finds {} clusters, held-out answers speak for {}: look at both "
                    "(--clusters {})",
                    spur.clusters, heldout->clusters, heldout->clusters));
  }
  return doubts;
}

}  // namespace tertium::internal
