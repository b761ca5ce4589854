#pragma once

#include <filesystem>

#include <Eigen/Core>

#include "tertium/verify/parse.hpp"

namespace tertium::internal::verifying {

/// N of the claim from its file, after all checks on the file and on N. Nothing but a regular file
/// is opened for long, and its size must be what the items of the claim ask for before any of it is
/// read. Throws Refusal.
Eigen::MatrixXd read_dual(const Claim& claim, const std::filesystem::path& folder);

}  // namespace tertium::internal::verifying
