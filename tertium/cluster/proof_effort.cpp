#include "tertium/cluster/proof_effort.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/unknown_value.hpp"

namespace tertium::internal {
namespace {

/// About two seconds on two cores: 450 steps with 300 items, 40 with 1000, where a quarter of a
/// thousand takes longer than all else.
constexpr double affordable_work = 4e7;

}  // namespace

std::optional<ExactOptions> exact_options(const ProofEffort& effort) {
  if (effort.until == ProofEffort::Until::never) return std::nullopt;
  ExactOptions options;
  options.most_nodes = std::numeric_limits<int>::max();
  if (effort.until == ProofEffort::Until::affordable) options.most_work = affordable_work;
  if (effort.until == ProofEffort::Until::seconds) options.most_seconds = effort.seconds;
  return options;
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string to_string(const ProofEffort& effort) {
  switch (effort.until) {
    case ProofEffort::Until::never:
      return "no";
    case ProofEffort::Until::affordable:
      return "auto";
    case ProofEffort::Until::seconds:
      return fmt::format("{}", effort.seconds);
    case ProofEffort::Until::the_end:
      return "full";
  }
  return "";
}

ProofEffort parse_proof_effort(const std::string& text) {
  if (text == "no") return {ProofEffort::Until::never};
  if (text == "auto") return {ProofEffort::Until::affordable};
  if (text == "full") return {ProofEffort::Until::the_end};
  const std::optional<double> seconds = parse_number(text);
  if (!seconds || !std::isfinite(*seconds) || *seconds < 0) {
    throw unknown_value("--proof", text, {"no", "auto", "full"},
                        "no, auto, full, or how many seconds to try, at least 0");
  }
  return {ProofEffort::Until::seconds, *seconds};
}

}  // namespace tertium
