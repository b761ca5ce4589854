#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tertium/cluster/result_view.hpp"
#include "tertium/core/output_guard.hpp"
#include "tertium/report.hpp"

namespace tertium::internal {

/// Throws InputError if results cannot or must not be written to that folder: it is to be new,
/// empty, or with an earlier result, and none of its files an input. Makes nothing.
void check_result_folder(const std::string& folder, OutputGuard& guard);

/// The result as JSON, in a folder with these files.
std::string result_json_beside(const std::vector<FileIdentity>& files, const ResultView& view);

inline constexpr const char* certificate_file_name = "certificate.json";

}  // namespace tertium::internal
