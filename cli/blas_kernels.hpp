#pragma once

namespace tertium::cli {

/// Starts the program again with better settings for OpenBLAS, which reads them when it is loaded:
/// - kernels: releases older than the processor fall back to its slowest ones (Prescott, SSE3);
/// - threads: one, since the library divides the work itself, and idle threads of OpenBLAS spin
///   for a while and take a core from it.
/// Does nothing if the user has set OPENBLAS_CORETYPE and OPENBLAS_NUM_THREADS, or with another
/// BLAS.
void choose_blas_kernels(char** argv);

}  // namespace tertium::cli
