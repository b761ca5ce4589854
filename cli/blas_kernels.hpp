#pragma once

namespace tertium::cli {

/// OpenBLAS chooses its kernels by the model of the processor and takes the slowest for models
/// that are younger than itself: several times slower than this processor can be. It reads
/// its choice from the environment when it is loaded, so the only cure is to start the program
/// again. Does nothing if the kernels are good or the user has chosen.
void choose_blas_kernels(char** argv);

/// For commands that solve many small problems at the same time, where the threads of OpenBLAS only
/// wait for each other.
void use_one_blas_thread();

}  // namespace tertium::cli
