#pragma once

#include <cstdint>

namespace tertium::internal {

/// What every partition obeys and the semidefinite program does not know:
///
///   X_ij + X_ir <= X_ii + X_jr      i = apex; if i is with j and with r, then j is with r
///
/// As a matrix G with <G,X> <= 0: 1/2 at ij, ji, ir, ri; -1 at ii; -1/2 at jr, rj.
struct TriangleCut {
  std::int32_t apex = 0;
  std::int32_t left = 0;   // j < r
  std::int32_t right = 0;  // r
  double multiplier = 0;   // >= 0
  std::int32_t idle = 0;   // rounds in a row without a multiplier
};

}  // namespace tertium::internal
