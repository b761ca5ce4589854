#include "tertium/similarity/precomputed.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/triangle_builder.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/delimited.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/reading/record_table.hpp"

namespace tertium::internal {
namespace {

constexpr std::string_view mtx_magic = "%%MatrixMarket";
constexpr std::size_t largest_answer_columns = 4;

/// A matrix as it stands in the file: names and the entries that are not zero.
struct RawMatrix {
  std::vector<std::string> items;
  std::map<std::pair<std::size_t, std::size_t>, double> entries;  // both triangles
  Place place;
};

[[noreturn]] void refuse(const Place& place, std::string found, std::string expected) {
  throw InputError({place, std::move(found), std::move(expected), ""});
}

void put(RawMatrix& matrix, std::size_t i, std::size_t j, double value, const Place& place) {
  if (!std::isfinite(value)) refuse(place, fmt::format("{}", value), "a finite number");
  if (i != j && value != 0) matrix.entries[{i, j}] = value;
}

void number_items(RawMatrix& matrix, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) matrix.items.push_back(std::to_string(i));
}

RawMatrix read_npy_matrix(ByteSource& source) {
  NpyReader array(source);
  if (array.rows() != array.columns()) {
    refuse({source.name()}, fmt::format("{} x {} numbers", array.rows(), array.columns()),
           "a square matrix");
  }
  RawMatrix matrix;
  number_items(matrix, array.rows());
  std::vector<double> row;
  for (std::size_t i = 0; array.next(row); ++i) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      put(matrix, i, j, row[j], {source.name(), i + 1, j + 1, "", "record"});
    }
  }
  return matrix;
}

RawMatrix read_mtx(ByteSource& source) {
  std::istringstream lines(read_all(source));
  std::string line;
  std::uint64_t number = 1;
  std::getline(lines, line);
  std::transform(line.begin(), line.end(), line.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool symmetric = line.find(" symmetric") != std::string::npos;
  if (line.find(" coordinate") == std::string::npos || line.find(" complex") != std::string::npos ||
      line.find(" pattern") != std::string::npos) {
    refuse({source.name(), 1}, in_quotes(line),
           "a MatrixMarket matrix, coordinate real or integer");
  }
  RawMatrix matrix;
  std::map<std::size_t, std::string> names;
  bool have_size = false;
  while (std::getline(lines, line)) {
    ++number;
    const Place place{source.name(), number};
    std::istringstream cells(line);
    if (line.starts_with("%item ")) {
      std::size_t row = 0;
      cells.ignore(6) >> row;
      std::string name;
      std::getline(cells.ignore(1), name);
      names[row] = std::string(trimmed(name));
      continue;
    }
    if (trimmed(line).empty() || line[0] == '%') continue;
    std::size_t i = 0;
    std::size_t j = 0;
    double value = 0;
    if (!(cells >> i >> j >> value)) refuse(place, in_quotes(line), "row, column and value");
    if (!have_size) {
      if (i != j) refuse(place, fmt::format("{} x {}", i, j), "a square matrix");
      have_size = true;
      number_items(matrix, i);
      continue;
    }
    if (i < 1 || j < 1 || i > matrix.items.size() || j > matrix.items.size()) {
      refuse(place, in_quotes(line),
             fmt::format("rows and columns from 1 to {}", matrix.items.size()));
    }
    put(matrix, i - 1, j - 1, value, place);
    if (symmetric) put(matrix, j - 1, i - 1, value, place);
  }
  if (!have_size) refuse({source.name()}, "no size line", "a whole MatrixMarket file");
  for (const auto& [row, name] : names) {
    if (row >= 1 && row <= matrix.items.size()) matrix.items[row - 1] = name;
  }
  return matrix;
}

RawMatrix read_table(ByteSource& source) {
  const std::string text = read_all(source);
  RowSplitter splitter(text, 1, detect_dialect(text, true));
  RawMatrix matrix;
  Row row;
  std::size_t rows = 0;
  bool named = false;
  while (splitter.next(row)) {
    const bool header = rows == 0 && matrix.items.empty() &&
                        !std::all_of(row.cells.begin(), row.cells.end(), [](std::string_view c) {
                          return parse_number(c).has_value();
                        });
    if (header) {
      named = true;
      for (std::size_t i = 1; i < row.cells.size(); ++i) matrix.items.emplace_back(row.cells[i]);
      continue;
    }
    if (matrix.items.empty()) number_items(matrix, row.cells.size());
    const std::size_t first = named ? 1 : 0;
    const Place place{source.name(), row.line};
    if (row.cells.size() != matrix.items.size() + first || rows >= matrix.items.size()) {
      refuse(place, fmt::format("{} cells in row {}", row.cells.size(), rows + 1),
             fmt::format("a square matrix of {} items", matrix.items.size()));
    }
    if (named && row.cells[0] != matrix.items[rows]) {
      refuse(place, in_quotes(row.cells[0]),
             fmt::format("{}, as in the header", in_quotes(matrix.items[rows])));
    }
    for (std::size_t j = first; j < row.cells.size(); ++j) {
      const auto value = parse_number(row.cells[j]);
      if (!value) refuse({source.name(), row.line, j + 1}, in_quotes(row.cells[j]), "a number");
      put(matrix, rows, j - first, *value, {source.name(), row.line, j + 1});
    }
    ++rows;
  }
  if (rows != matrix.items.size() || rows == 0) {
    refuse({source.name()}, fmt::format("{} rows and {} columns", rows, matrix.items.size()),
           "a square matrix");
  }
  return matrix;
}

/// Power of ten that makes all values whole numbers, as far as sums over the whole matrix stay
/// within 64 bits.
std::int64_t common_denominator(const RawMatrix& matrix) {
  double largest = 0;
  for (const auto& [pair, value] : matrix.entries) largest = std::max(largest, std::abs(value));
  const auto size = static_cast<double>(matrix.items.size());
  const double limit = 4e18 / (size * size);
  std::int64_t denominator = 1;
  constexpr std::int64_t largest_denominator = 1'000'000'000'000'000;
  const auto whole = [&] {
    return std::all_of(matrix.entries.begin(), matrix.entries.end(), [&](const auto& entry) {
      const double scaled = entry.second * static_cast<double>(denominator);
      return std::abs(scaled - std::round(scaled)) <= 1e-15 * std::abs(scaled);
    });
  };
  while (denominator < largest_denominator &&
         largest * static_cast<double>(denominator) * 10 <= limit && !whole()) {
    denominator *= 10;
  }
  if (largest * static_cast<double>(denominator) > limit) {
    refuse({matrix.place.file}, fmt::format("the value {}", largest),
           fmt::format("values up to {:.1e} for {} items", limit, matrix.items.size()));
  }
  return denominator;
}

SimilarityMatrix to_similarity(const RawMatrix& raw, Run& run) {
  SimilarityMatrix matrix;
  matrix.rule = precomputed;
  matrix.items = raw.items;
  matrix.mentions.assign(matrix.size(), 0);
  matrix.anchors.assign(matrix.size(), 0);
  matrix.denominator = common_denominator(raw);
  TriangleBuilder triangle(matrix, matrix.size());
  for (const auto& [pair, value] : raw.entries) {
    const auto mirrored = raw.entries.find({pair.second, pair.first});
    const double other = mirrored == raw.entries.end() ? 0 : mirrored->second;
    if (other != value) {
      refuse({raw.place.file},
             fmt::format("{0} for ({2}, {3}) and {1} for ({3}, {2})", value, other,
                         printable(raw.items[pair.first]), printable(raw.items[pair.second])),
             "a symmetric matrix");
    }
    if (pair.first < pair.second) {
      triangle.count(static_cast<std::uint32_t>(pair.first),
                     static_cast<std::uint32_t>(pair.second));
    }
  }
  triangle.allocate();
  for (const auto& [pair, value] : raw.entries) {
    if (pair.first > pair.second) continue;
    triangle.put(static_cast<std::uint32_t>(pair.first), static_cast<std::uint32_t>(pair.second),
                 std::llround(value * static_cast<double>(matrix.denominator)));
  }
  triangle.finish(run);
  return matrix;
}

}  // namespace

bool is_similarity_matrix(const InputFile& file) {
  // The source may be a pipe, which others read after this: nothing is taken from it.
  const std::shared_ptr<ByteSource> source = file.open();
  const std::string_view start = source->peek(1 << 16);
  if (start.starts_with(mtx_magic)) return true;
  if (start.starts_with(npy_magic)) {
    const NpyHeader array = parse_npy_header(start, source->name());
    return array.rows == array.columns && array.rows > largest_answer_columns;
  }
  // The first two rows of a table: numbers only, or the first row repeated down the first column.
  const auto line_end = start.rfind('\n');
  if (line_end == std::string_view::npos) return false;
  const std::string_view rows = start.substr(0, line_end + 1);
  RowSplitter splitter(rows, 1, detect_dialect(rows, false));
  Row row;
  if (!splitter.next(row) || row.cells.size() <= largest_answer_columns) return false;
  const auto is_number = [](std::string_view cell) { return parse_number(cell).has_value(); };
  if (std::all_of(row.cells.begin(), row.cells.end(), is_number)) return true;
  const std::vector<std::string> header(row.cells.begin(), row.cells.end());
  if (!splitter.next(row) || row.cells.size() != header.size()) return false;
  return row.cells[0] == header[1] &&
         std::all_of(row.cells.begin() + 1, row.cells.end(), is_number);
}

SimilarityMatrix read_similarity_matrix(const InputFile& file, Run& run) {
  const std::shared_ptr<ByteSource> opened = file.open();
  ByteSource& source = *opened;
  const std::string_view start = source.peek(mtx_magic.size());
  RawMatrix matrix = start.starts_with(mtx_magic)   ? read_mtx(source)
                     : start.starts_with(npy_magic) ? read_npy_matrix(source)
                                                    : read_table(source);
  matrix.place.file = source.name();
  return to_similarity(matrix, run);
}

}  // namespace tertium::internal
