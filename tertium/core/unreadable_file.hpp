#pragma once

#include <string>

#include "tertium/error.hpp"

namespace tertium::internal {

/// Why a file could not be read, in a sentence: what is at the path instead, and what to do, such
/// as the file with a similar name that was perhaps meant. `error` is the errno of the attempt.
InputError unreadable_file(const std::string& path, int error);

}  // namespace tertium::internal
