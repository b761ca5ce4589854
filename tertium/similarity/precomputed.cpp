#include "tertium/similarity/precomputed.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/triangle_builder.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/delimited.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/reading/record_table.hpp"
#include "tertium/similarity/exact_values.hpp"
#include "tertium/similarity/sound_input.hpp"

namespace tertium::internal {
namespace {

constexpr std::string_view mtx_magic = "%%MatrixMarket";
constexpr std::size_t largest_answer_columns = 4;

/// A matrix as it stands in the file: names and the entries that are not zero.
struct RawMatrix {
  struct Entry {
    std::uint32_t row;
    std::uint32_t column;
    GivenNumber number;

    [[nodiscard]] std::uint32_t high() const { return std::max(row, column); }
    [[nodiscard]] std::uint32_t low() const { return std::min(row, column); }
  };

  std::vector<std::string> items;
  std::vector<Entry> entries;  // both triangles, or one of them if `half`
  bool half = false;
  std::string file;
};

[[noreturn]] void refuse(const Place& place, std::string found, std::string expected) {
  throw InputError({place, std::move(found), std::move(expected), ""});
}

void put(RawMatrix& matrix, std::size_t i, std::size_t j, const GivenNumber& number,
         const Place& place) {
  if (!std::isfinite(number.nearest)) {
    refuse(place, fmt::format("{}", number.nearest), "a finite number");
  }
  const bool zero = number.decimal ? number.decimal->mantissa == 0 : number.nearest == 0;
  if (i == j || zero) return;
  matrix.entries.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), number});
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
  std::vector<double> row;
  for (std::size_t i = 0; array.next(row); ++i) {
    matrix.items.push_back(std::to_string(i));
    for (std::size_t j = 0; j < row.size(); ++j) {
      const Place place{source.name(), i + 1, j + 1, "", "record"};
      constexpr double largest_integer = 0x1p53;  // beyond, the reader loses digits
      if (array.is_integer() && std::abs(row[j]) >= largest_integer) {
        refuse(place, fmt::format("{}", row[j]), "whole numbers below 2^53");
      }
      put(matrix, i, j, number_from(row[j]), place);
    }
  }
  return matrix;
}

/// The cells of a line of numbers.
std::vector<std::string_view> cells_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r\v\f";
  std::vector<std::string_view> cells;
  while (true) {
    const auto first = line.find_first_not_of(blanks);
    if (first == std::string_view::npos) return cells;
    line.remove_prefix(first);
    const auto length = std::min(line.find_first_of(blanks), line.size());
    cells.push_back(line.substr(0, length));
    line.remove_prefix(length);
  }
}

/// A MatrixMarket file, line by line.
class MtxReader {
 public:
  explicit MtxReader(ByteSource& source) : name_(source.name()), text_(read_all(source)) {}

  RawMatrix read() {
    std::string_view line;
    next(line);
    take_format(line);
    while (next(line)) {
      if (line.starts_with("%item ")) {
        take_name(line.substr(6));
      } else if (!line.starts_with('%')) {
        if (const auto cells = cells_of(line); !cells.empty()) take_numbers(line, cells);
      }
    }
    if (!have_size_) refuse({name_}, "no size line", "a whole MatrixMarket file");
    if (left_ != 0) refuse({name_}, fmt::format("{} entries too few", left_), "all that it names");
    for (auto& [row, name] : names_) {
      if (row > matrix_.items.size()) {
        refuse({name_}, fmt::format("a name for row {}", row),
               fmt::format("rows from 1 to {}", matrix_.items.size()));
      }
      matrix_.items[row - 1] = std::move(name);
    }
    return std::move(matrix_);
  }

 private:
  bool next(std::string_view& line) {
    const std::string_view rest = std::string_view(text_).substr(at_);
    if (rest.empty()) return false;
    line = rest.substr(0, rest.find('\n'));
    at_ += std::min(line.size() + 1, rest.size());
    ++number_;
    return true;
  }

  [[nodiscard]] Place place() const { return {name_, number_}; }

  void take_format(std::string_view line) {
    std::string format(line);
    std::transform(format.begin(), format.end(), format.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto has = [&](const char* word) { return format.find(word) != std::string::npos; };
    if (!has(" coordinate") || has(" complex") || has(" pattern") || has(" skew-symmetric")) {
      refuse(place(), in_quotes(line), "a MatrixMarket matrix, coordinate real or integer");
    }
    matrix_.half = has(" symmetric");
  }

  void take_name(std::string_view line) {
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    const auto row = parse_integer(line.substr(0, end));
    if (!row || *row < 1) refuse(place(), in_quotes(line), "a row from 1, and its name");
    const std::string name(trimmed(line.substr(end)));
    if (!names_.emplace(static_cast<std::size_t>(*row), name).second) {
      refuse(place(), fmt::format("a second name for row {}", *row), "one name for each row");
    }
  }

  /// The size, then entries.
  void take_numbers(std::string_view line, const std::vector<std::string_view>& cells) {
    if (cells.size() != 3) refuse(place(), in_quotes(line), "row, column and value");
    const auto i = parse_integer(cells[0]);
    const auto j = parse_integer(cells[1]);
    if (!have_size_) {
      take_size(line, i, j, parse_integer(cells[2]));
      return;
    }
    const auto size = static_cast<std::int64_t>(matrix_.items.size());
    if (!i || !j || *i < 1 || *j < 1 || *i > size || *j > size) {
      refuse(place(), in_quotes(line), fmt::format("rows and columns from 1 to {}", size));
    }
    const auto number = number_from(cells[2]);
    if (!number) refuse(place(), in_quotes(cells[2]), "a number");
    if (left_-- == 0) refuse(place(), "more entries than the size line says", "as many");
    put(matrix_, static_cast<std::size_t>(*i - 1), static_cast<std::size_t>(*j - 1), *number,
        place());
  }

  void take_size(std::string_view line, std::optional<std::int64_t> rows,
                 std::optional<std::int64_t> columns, std::optional<std::int64_t> entries) {
    // Each entry takes a line, and a file of so few bytes has nothing to say about more items.
    const auto most = static_cast<std::int64_t>(text_.size());
    if (!rows || !columns || !entries || *rows < 1 || *entries < 0) {
      refuse(place(), in_quotes(line), "the numbers of rows, columns and entries");
    }
    if (*rows != *columns)
      refuse(place(), fmt::format("{} x {}", *rows, *columns), "a square matrix");
    if (*rows > most || *entries > most) {
      refuse(place(), fmt::format("{} items and {} entries", *rows, *entries),
             fmt::format("no more than the {} bytes of the file", most));
    }
    have_size_ = true;
    left_ = static_cast<std::uint64_t>(*entries);
    number_items(matrix_, static_cast<std::size_t>(*rows));
  }

  std::string name_;
  std::string text_;
  std::size_t at_ = 0;
  std::uint64_t number_ = 0;  // of the line
  RawMatrix matrix_;
  std::map<std::size_t, std::string> names_;
  bool have_size_ = false;
  std::uint64_t left_ = 0;  // entries to come
};

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
      const auto number = number_from(row.cells[j]);
      if (!number) refuse({source.name(), row.line, j + 1}, in_quotes(row.cells[j]), "a number");
      put(matrix, rows, j - first, *number, {source.name(), row.line, j + 1});
    }
    ++rows;
  }
  if (rows != matrix.items.size() || rows == 0) {
    refuse({source.name()}, fmt::format("{} rows and {} columns", rows, matrix.items.size()),
           "a square matrix");
  }
  return matrix;
}

/// Every pair once: mirrored entries must be there and agree.
void drop_mirrored(RawMatrix& raw) {
  using Entry = RawMatrix::Entry;
  auto& entries = raw.entries;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tuple(a.high(), a.low(), a.row) < std::tuple(b.high(), b.low(), b.row);
  });
  const auto named = [&](std::uint32_t i, std::uint32_t j) {
    return fmt::format("({}, {})", printable(raw.items[i]), printable(raw.items[j]));
  };
  std::size_t kept = 0;
  for (std::size_t at = 0; at < entries.size(); ++kept) {
    const Entry entry = entries[at++];
    const bool again = at < entries.size() && entries[at].high() == entry.high() &&
                       entries[at].low() == entry.low();
    if (again && (raw.half || entries[at].row == entry.row)) {
      refuse({raw.file}, fmt::format("{} twice", named(entry.row, entry.column)), "each pair once");
    }
    if (!raw.half && (!again || !(entries[at].number == entry.number))) {
      refuse({raw.file},
             fmt::format("{} for {} and {} for {}", entry.number.nearest,
                         named(entry.row, entry.column), again ? entries[at].number.nearest : 0.0,
                         named(entry.column, entry.row)),
             "a symmetric matrix");
    }
    if (again && !raw.half) {
      ++at;
      if (at < entries.size() && entries[at].high() == entry.high() &&
          entries[at].low() == entry.low()) {
        refuse({raw.file}, fmt::format("{} twice", named(entry.column, entry.row)),
               "each pair once");
      }
    }
    entries[kept] = entry;
  }
  entries.resize(kept);
}

SimilarityMatrix to_similarity(RawMatrix raw, Run& run) {
  check_names(raw.items, raw.file);
  drop_mirrored(raw);
  std::vector<GivenNumber> numbers;
  numbers.reserve(raw.entries.size());
  for (const RawMatrix::Entry& entry : raw.entries) numbers.push_back(entry.number);
  const ExactValues values = exact_values(numbers, raw.file);
  SimilarityMatrix matrix;
  matrix.rule = precomputed;
  matrix.items = std::move(raw.items);
  matrix.mentions.assign(matrix.size(), 0);
  matrix.anchors.assign(matrix.size(), 0);
  matrix.denominator = values.denominator;
  matrix.rounded = values.rounded;
  TriangleBuilder triangle(matrix, matrix.size());
  for (std::size_t at = 0; at < raw.entries.size(); ++at) {
    if (values.integers[at] != 0) triangle.count(raw.entries[at].high(), raw.entries[at].low());
  }
  triangle.allocate();
  for (std::size_t at = 0; at < raw.entries.size(); ++at) {
    const RawMatrix::Entry& entry = raw.entries[at];
    if (values.integers[at] != 0) triangle.put(entry.high(), entry.low(), values.integers[at]);
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
  RawMatrix matrix = start.starts_with(mtx_magic)   ? MtxReader(source).read()
                     : start.starts_with(npy_magic) ? read_npy_matrix(source)
                                                    : read_table(source);
  matrix.file = source.name();
  return to_similarity(std::move(matrix), run);
}

}  // namespace tertium::internal
