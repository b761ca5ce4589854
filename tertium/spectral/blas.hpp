#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tertium::internal {

/// An environment variable of OpenBLAS, which reads it when it is loaded and never again.
struct BlasSetting {
  std::string variable;
  std::string value;
};

/// The kernels that OpenBLAS uses in this process, such as "Haswell"; empty with another BLAS.
std::string_view blas_kernels();

/// What would make OpenBLAS faster and nobody has set: variables to set before the program starts.
/// - OPENBLAS_CORETYPE: releases older than the processor fall back to their slowest kernels
///   (Prescott, SSE3), several times slower than those that the processor could run.
/// - OPENBLAS_NUM_THREADS=1: this library divides the work itself, and idle threads of OpenBLAS
///   spin for a while and take a core from it.
/// Empty if there is nothing to gain, and with another BLAS.
std::vector<BlasSetting> better_blas_settings();

/// Sets BLAS to one thread, for good. BLAS with several threads rounds differently for every number
/// of them, and its threads wait by spinning; this library divides the work itself. Every entry
/// that needs dense algebra calls it; calling it again costs nothing.
void use_one_blas_thread();

}  // namespace tertium::internal
