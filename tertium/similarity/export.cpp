#include "tertium/similarity/export.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "tertium/core/output_file.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/npy.hpp"

namespace tertium::internal {
namespace {

constexpr std::uint64_t largest_dense_bytes = 16ULL << 30U;

/// Calls `visit(row, values)` with every row of the symmetric matrix written out.
template <class Visit>
void for_each_dense_row(const SimilarityMatrix& similarity, const Visit& visit) {
  const std::size_t size = similarity.size();
  // The part of each row right of the diagonal: the columns of the stored triangle.
  std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>> right(size);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t at = similarity.row_start[row]; at < similarity.row_start[row + 1]; ++at) {
      right[similarity.column[at]].emplace_back(static_cast<std::uint32_t>(row),
                                                similarity.value[at]);
    }
  }
  std::vector<std::int64_t> values(size);
  for (std::size_t row = 0; row < size; ++row) {
    std::fill(values.begin(), values.end(), 0);
    for (std::size_t at = similarity.row_start[row]; at < similarity.row_start[row + 1]; ++at) {
      values[similarity.column[at]] = similarity.value[at];
    }
    for (const auto& [column, value] : right[row]) values[column] = value;
    visit(row, values);
  }
}

std::string number_text(std::int64_t value, std::int64_t denominator) {
  if (denominator == 1) return fmt::format("{}", value);
  return fmt::format("{}", static_cast<double>(value) / static_cast<double>(denominator));
}

template <class Number>
void append_bytes(std::string& text, Number number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

bool names_are_row_numbers(const SimilarityMatrix& similarity) {
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    if (similarity.items[i] != std::to_string(i)) return false;
  }
  return true;
}

void write_npy(const SimilarityMatrix& similarity, OutputFile& file) {
  const std::int64_t denominator = similarity.denominator;
  file.write(npy_header(denominator == 1 ? "<i8" : "<f8", similarity.size(), similarity.size()));
  std::string bytes;
  for_each_dense_row(similarity, [&](std::size_t, const std::vector<std::int64_t>& values) {
    bytes.clear();
    for (const std::int64_t value : values) {
      if (denominator == 1) {
        append_bytes(bytes, value);
      } else {
        append_bytes(bytes, static_cast<double>(value) / static_cast<double>(denominator));
      }
    }
    file.write(bytes);
  });
}

void write_csv(const SimilarityMatrix& similarity, OutputFile& file) {
  std::string line = "item";
  for (const std::string& name : similarity.items) line += "," + csv_cell(name);
  file.write(line + "\n");
  for_each_dense_row(similarity, [&](std::size_t row, const std::vector<std::int64_t>& values) {
    line = csv_cell(similarity.items[row]);
    for (const std::int64_t value : values)
      line += "," + number_text(value, similarity.denominator);
    file.write(line + "\n");
  });
}

void write_mtx(const SimilarityMatrix& similarity, OutputFile& file) {
  file.write(fmt::format("%%MatrixMarket matrix coordinate {} symmetric\n",
                         similarity.denominator == 1 ? "integer" : "real"));
  file.write(
      fmt::format("% {} similarity written by tertium\n", similarity_title(similarity.rule)));
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    std::string name = similarity.items[i];
    std::replace(name.begin(), name.end(), '\n', ' ');
    file.write(fmt::format("%item {} {}\n", i + 1, name));
  }
  file.write(fmt::format("{0} {0} {1}\n", similarity.size(), similarity.nonzeros()));
  std::string lines;
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    lines.clear();
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      fmt::format_to(std::back_inserter(lines), "{} {} {}\n", i + 1, similarity.column[at] + 1,
                     number_text(similarity.value[at], similarity.denominator));
    }
    file.write(lines);
  }
}

void write_items(const SimilarityMatrix& similarity, OutputFile& file) {
  std::string text = "row,name\n";
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    text += fmt::format("{},{}\n", i, csv_cell(similarity.items[i]));
  }
  file.write(text);
}

}  // namespace

bool needs_items_file(const SimilarityMatrix& similarity, ExportFormat format) {
  return format == ExportFormat::npy && !names_are_row_numbers(similarity);
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",;\t\"\r\n ") == std::string_view::npos && !text.empty()) {
    return std::string(text);
  }
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::optional<ExportFormat> export_format(std::string_view path) {
  const std::string lower = lower_case(path);
  if (lower.ends_with(".npy")) return ExportFormat::npy;
  if (lower.ends_with(".csv")) return ExportFormat::csv;
  if (lower.ends_with(".mtx")) return ExportFormat::mtx;
  for (const char* other : {".json", ".txt", ".tsv", ".gz", ".npz", ".xlsx", ".mat", ".parquet"}) {
    if (lower.ends_with(other)) {
      throw InputError({{std::string(path)},
                        fmt::format("the ending {}", other),
                        ".sim for a snapshot, or .npy, .csv or .mtx",
                        ""});
    }
  }
  return std::nullopt;
}

std::string items_file_for(const std::string& path) {
  return path.substr(0, path.rfind('.')) + ".items.csv";
}

std::string export_similarity(const SimilarityMatrix& similarity, const std::string& path,
                              ExportFormat format) {
  const std::uint64_t size = similarity.size();
  if (format != ExportFormat::mtx && size * size * sizeof(std::int64_t) > largest_dense_bytes) {
    throw InputError({{path},
                      fmt::format("{} items, a dense matrix of {} GB", size, (size * size) >> 27U),
                      "at most 16 GB in .npy and .csv",
                      "Use the ending .mtx, which keeps it sparse"});
  }
  OutputFile file(path);
  switch (format) {
    case ExportFormat::npy:
      write_npy(similarity, file);
      break;
    case ExportFormat::csv:
      write_csv(similarity, file);
      break;
    case ExportFormat::mtx:
      write_mtx(similarity, file);
      break;
  }
  if (!needs_items_file(similarity, format)) {
    file.commit();
    return "";
  }
  std::string items_path = items_file_for(path);
  OutputFile items_file(items_path);
  write_items(similarity, items_file);
  const std::array<OutputFile*, 2> together = {&items_file, &file};
  commit_together(together);
  return items_path;
}

}  // namespace tertium
