#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tertium/similarity/similarity_matrix.hpp"

namespace tertium {

/// Formats for other tools, by the ending of the file.
enum class ExportFormat : std::uint8_t {
  npy,  // dense array, int64 (float64 if weights were fractions)
  csv,  // dense table with the item names in the first row and column
  mtx   // MatrixMarket, symmetric, names in %item comments
};

/// Empty if the file is to be a snapshot. Throws InputError for the endings of formats that we do
/// not write, such as .json.
std::optional<ExportFormat> export_format(std::string_view path);

/// .npy has no room for names: they need a file of their own unless they are just 0, 1, 2, ...
bool needs_items_file(const SimilarityMatrix& similarity, ExportFormat format);

/// Writes the whole matrix, whole or not at all. For .npy, which has no room for names, they go to
/// `items_file_for(path)` unless they are just 0, 1, 2, ...; returns the name of that file, else
/// "". Throws InputError if a dense format would exceed 16 GB.
std::string export_similarity(const SimilarityMatrix& similarity, const std::string& path,
                              ExportFormat format);

/// "similarity.npy" -> "similarity.items.csv".
std::string items_file_for(const std::string& path);

/// A cell as it must be written in CSV.
std::string csv_cell(std::string_view text);

}  // namespace tertium
