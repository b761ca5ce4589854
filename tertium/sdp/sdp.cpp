#include "tertium/sdp.hpp"

#include <fmt/format.h>

#include "tertium/sdp/extrapolation.hpp"

namespace tertium::internal {
namespace {

/// S, Q and its image, X, N, the best N, what a bound needs, a full decomposition.
constexpr int matrices_held = 13;

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string in_words(const SdpProgram& program) {
  if (const auto* clusters = std::get_if<Clusters>(&program)) {
    return fmt::format("{} clusters", clusters->count);
  }
  return fmt::format("lambda {:.3g}", std::get<Lambda>(program).value);
}

std::string_view to_string(SdpStatus status) {
  switch (status) {
    case SdpStatus::certified:
      return "certified";
    case SdpStatus::solved:
      return "solved";
    case SdpStatus::iteration_limit:
      return "iteration limit";
    case SdpStatus::time_limit:
      return "time limit";
  }
  return "";
}

double sdp_memory(Eigen::Index items) {
  const auto size = static_cast<double>(items);
  const double matrices = matrices_held + Extrapolation::matrices_held(items);
  return matrices * sizeof(double) * size * size;
}

}  // namespace tertium
