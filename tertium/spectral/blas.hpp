#pragma once

#include <string_view>

namespace tertium::internal {

/// The kernels that OpenBLAS uses in this process, such as "Haswell"; empty with another BLAS.
std::string_view blas_kernels();

/// Sets BLAS to one thread, for good. BLAS with several threads rounds differently for every number
/// of them, and its threads wait by spinning; this library divides the work itself. Every entry
/// that needs dense algebra calls it; calling it again costs nothing.
void use_one_blas_thread();

/// Where memory is limited, lets OpenBLAS take its buffer while there is some: it keeps it, and
/// without one it would try for ever.
void reserve_blas_memory();

}  // namespace tertium::internal
