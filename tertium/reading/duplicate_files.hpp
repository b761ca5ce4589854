#pragma once

#include <vector>

#include "tertium/read.hpp"

namespace tertium::internal {

/// Throws InputError if two of the files are the same file, or have the same bytes: answers would
/// count twice. Only files of the same size are looked at; pipes are not.
void refuse_duplicates(const std::vector<InputFile>& files);

}  // namespace tertium::internal
