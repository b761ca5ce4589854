#include "tertium/reading/npy.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/read_whole.hpp"
#include "tertium/reading/row.hpp"

namespace tertium::internal {
namespace {

/// About so many bytes of rows are read at once.
constexpr std::uint64_t bytes_per_step = 4U << 20U;
constexpr std::uint64_t largest_element_count = 1ULL << 40U;

template <class Number>
double as_double(const char* bytes) {
  Number value{};
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

[[noreturn]] void refuse(const std::string& file, std::string found, std::string expected) {
  throw InputError({{file}, std::move(found), std::move(expected), ""});
}

/// Walks over the Python dictionary in a header, such as
/// {'descr': '<i8', 'fortran_order': False, 'shape': (9, 3), }.
class DictionaryScanner {
 public:
  explicit DictionaryScanner(std::string_view text) : rest_(text) {}

  bool take(std::string_view word) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::optional<std::string_view> quoted() {
    const char* const mark = take("'") ? "'" : take("\"") ? "\"" : nullptr;
    if (mark == nullptr) return std::nullopt;
    const auto end = rest_.find(mark);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }

  /// The sizes in a tuple; too large a number becomes the largest there is.
  std::optional<std::vector<std::uint64_t>> sizes() {
    std::vector<std::uint64_t> found;
    if (!take("(")) return std::nullopt;
    while (!take(")")) {
      take("");
      std::uint64_t size = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (end == rest_.data()) return std::nullopt;
      found.push_back(error == std::errc{} ? size : ~std::uint64_t{0});
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      if (take(",")) continue;
      if (!take(")")) return std::nullopt;
      break;
    }
    return found;
  }

 private:
  std::string_view rest_;
};

/// The entries of the dictionary, as far as they could be understood.
struct Entries {
  std::optional<std::string_view> type;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::uint64_t>> shape;
};

Entries scan(std::string_view text) {
  Entries entries;
  DictionaryScanner scanner(text);
  if (!scanner.take("{")) return entries;
  while (const auto key = scanner.quoted()) {
    if (!scanner.take(":")) break;
    if (key == "descr") {
      entries.type = scanner.quoted();
      if (!entries.type) break;
    } else if (key == "fortran_order") {
      const bool yes = scanner.take("True");
      if (!yes && !scanner.take("False")) break;
      entries.fortran_order = yes;
    } else if (key == "shape") {
      entries.shape = scanner.sizes();
      if (!entries.shape) break;
    } else {
      break;
    }
    if (!scanner.take(",")) break;
  }
  return entries;
}

/// A type such as <i8: order of bytes, kind, size.
void take_type(NpyHeader& header, std::string_view type, const std::string& file) {
  constexpr std::string_view orders = "<>|=";
  constexpr std::string_view kinds = "iufb";
  if (type.size() < 3 || orders.find(type[0]) == std::string_view::npos ||
      kinds.find(type[1]) == std::string_view::npos) {
    refuse(file, in_quotes(type), "an array of integers or floating point numbers");
  }
  const auto size = parse_integer(type.substr(2));
  header.kind = type[1];
  const bool known = header.kind == 'f' ? size == 4 || size == 8
                                        : size == 1 || size == 2 || size == 4 || size == 8;
  if (!known) refuse(file, in_quotes(type), "numbers of 1, 2, 4 or 8 bytes");
  header.size = static_cast<std::size_t>(*size);
  const bool big = type[0] == '>';
  header.swap_bytes = header.size > 1 && big == (std::endian::native == std::endian::little);
}

}  // namespace

NpyHeader parse_npy_header(std::string_view start, const std::string& file) {
  constexpr std::size_t version_end = 8;
  if (start.size() < version_end || !start.starts_with(npy_magic)) {
    refuse(file, "something else", "a .npy array");
  }
  const std::size_t length_bytes = start[6] == 1 ? 2 : 4;
  NpyHeader header;
  header.bytes = version_end + length_bytes;
  std::size_t length = 0;
  for (std::size_t i = version_end; i < std::min(header.bytes, start.size()); ++i) {
    length |= std::size_t{static_cast<unsigned char>(start[i])} << (8 * (i - version_end));
  }
  if (length > npy_start - header.bytes) {
    refuse(file, fmt::format("a header of {} bytes", length), "a .npy array");
  }
  if (start.size() < header.bytes + length) {
    refuse(file, "a header that is cut off", "a .npy array");
  }
  const std::string_view text = start.substr(header.bytes, length);
  header.bytes += length;
  const Entries entries = scan(text);
  if (!entries.type) {
    refuse(file, in_quotes(text), "an array of integers or floating point numbers");
  }
  take_type(header, *entries.type, file);
  if (!entries.fortran_order || !entries.shape || entries.shape->size() != 2) {
    refuse(file, in_quotes(text), "an array with two dimensions, such as (answers, 3)");
  }
  header.fortran_order = *entries.fortran_order;
  header.rows = (*entries.shape)[0];
  header.columns = (*entries.shape)[1];
  if (header.columns == 0 || header.rows > largest_element_count / header.columns) {
    refuse(file, fmt::format("the shape ({}, {})", header.rows, header.columns),
           "an array that fits in memory");
  }
  return header;
}

NpyReader::NpyReader(ByteSource& source)
    : source_(source), header_(parse_npy_header(source.peek(npy_start), source.name())) {
  if (header_.columns > most_columns) {
    refuse(source.name(), fmt::format("{} columns", header_.columns),
           fmt::format("at most {}", most_columns));
  }
  const std::uint64_t bytes = header_.rows * header_.columns * header_.size;
  if (source.is_plain() && source.size() < header_.bytes + bytes) {
    refuse(source.name(), "an array that is cut off", fmt::format("{} rows", header_.rows));
  }
  buffer_.resize(header_.bytes);
  source.read(buffer_.data(), buffer_.size());
}

double NpyReader::element(const char* bytes) const {
  char swapped[8] = {};
  if (header_.swap_bytes) {
    std::reverse_copy(bytes, bytes + header_.size, swapped);
    bytes = swapped;
  }
  switch (header_.size) {
    case 1:
      return header_.kind == 'i' ? as_double<std::int8_t>(bytes) : as_double<std::uint8_t>(bytes);
    case 2:
      return header_.kind == 'i' ? as_double<std::int16_t>(bytes) : as_double<std::uint16_t>(bytes);
    case 4:
      if (header_.kind == 'f') return as_double<float>(bytes);
      return header_.kind == 'i' ? as_double<std::int32_t>(bytes) : as_double<std::uint32_t>(bytes);
    default:
      if (header_.kind == 'f') return as_double<double>(bytes);
      return header_.kind == 'i' ? as_double<std::int64_t>(bytes) : as_double<std::uint64_t>(bytes);
  }
}

void NpyReader::read_rows() {
  const std::uint64_t row_bytes = header_.columns * header_.size;
  const std::uint64_t left = header_.rows - next_row_;
  buffered_from_ = next_row_;
  buffered_rows_ = header_.fortran_order
                       ? left
                       : std::min(left, std::max<std::uint64_t>(1, bytes_per_step / row_bytes));
  const std::uint64_t bytes = buffered_rows_ * row_bytes;
  if (header_.fortran_order) {
    buffer_ = read_whole(source_, bytes);
  } else {
    buffer_.resize(bytes);
    buffer_.resize(source_.read(buffer_.data(), bytes));
  }
  if (buffer_.size() < bytes) {
    refuse(source_.name(), "an array that is cut off", fmt::format("{} rows", header_.rows));
  }
}

bool NpyReader::next(std::vector<double>& row) {
  if (next_row_ >= header_.rows) return false;
  if (next_row_ >= buffered_from_ + buffered_rows_) read_rows();
  row.resize(header_.columns);
  const std::uint64_t at = next_row_ - buffered_from_;
  for (std::size_t column = 0; column < header_.columns; ++column) {
    const std::size_t index =
        header_.fortran_order ? column * header_.rows + at : at * header_.columns + column;
    row[column] = element(buffer_.data() + index * header_.size);
  }
  ++next_row_;
  return true;
}

std::string npy_header(std::string_view dtype, std::uint64_t rows, std::uint64_t columns) {
  std::string dictionary = fmt::format(
      "{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}", dtype, rows, columns);
  constexpr std::size_t fixed = 10;  // magic, version, length
  const std::size_t padding = 64 - (fixed + dictionary.size() + 1) % 64;
  dictionary.append(padding % 64, ' ');
  dictionary += '\n';
  std::string header(npy_magic);
  header += {'\x01', '\x00'};
  header += static_cast<char>(dictionary.size() & 0xFFU);
  header += static_cast<char>(dictionary.size() >> 8U);
  return header + dictionary;
}

}  // namespace tertium::internal
