#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tertium/cluster/result_view.hpp"
#include "tertium/core/output_guard.hpp"

namespace tertium {

/// Throws InputError if results cannot or must not be written to that folder: it is to be new,
/// empty, or with an earlier result, and none of its files an input. Makes nothing.
void check_result_folder(const std::string& folder, OutputGuard& guard);

/// Writes labels.csv, pairs.npy (of up to 2000 items with a confidence), certificate.json (of a
/// proof about all items) and, last, result.json; makes the folder if needed. Files of these names
/// from an earlier result that this one has nothing to say to are removed. Returns the names
/// written.
std::vector<std::string> write_result(const std::filesystem::path& folder, const ResultView& view,
                                      const Clustering& clustering,
                                      const SimilarityMatrix& similarity);

/// The result that a folder holds. Throws InputError if there is none, or one of a newer version.
ResultView read_result(const std::filesystem::path& folder);

inline constexpr const char* certificate_file_name = "certificate.json";

}  // namespace tertium
