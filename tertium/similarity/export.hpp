#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tertium/similarity.hpp"

namespace tertium::internal {

/// .npy has no room for names: they need a file of their own unless they are just 0, 1, 2, ...
bool needs_items_file(const SimilarityMatrix& similarity, ExportFormat format);

/// A cell as it must be written in CSV.
std::string csv_cell(std::string_view text);

}  // namespace tertium::internal
