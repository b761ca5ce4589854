#pragma once

namespace tertium::cli {

/// Starts the program again if OpenBLAS would be faster with other settings
/// (better_blas_settings), which it reads only when it is loaded. Returns if nothing is to be
/// gained, or if the program cannot be started again and is only slower.
///
/// Before that, and before any library is initialised, the program starts itself again with one
/// thread for OpenBLAS, and ends with a sentence if it may not have the memory that OpenBLAS takes
/// when it is loaded: OpenBLAS would try for ever.
void restart_with_better_blas(char** argv);

}  // namespace tertium::cli
