#pragma once

#include <string>
#include <vector>

#include "tertium/similarity.hpp"

namespace tertium::cli {

/// Prints where files were written, and if one of them is a certificate ("": none), the command
/// that checks it: with the same answers, read with the same flags.
void print_written(const std::vector<std::string>& paths, const std::string& certificate,
                   const LoadedSimilarity& loaded);

}  // namespace tertium::cli
