#include "tertium/reading/npy.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <regex>

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

constexpr std::size_t rows_per_step = 65536;
constexpr std::uint64_t largest_element_count = 1ULL << 40U;

template <class Number>
double as_double(const char* bytes) {
  Number value{};
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

[[noreturn]] void refuse(const ByteSource& source, std::string found, std::string expected) {
  throw InputError({{source.name()}, std::move(found), std::move(expected), ""});
}

}  // namespace

NpyReader::NpyReader(ByteSource& source) : source_(source) {
  char start[8] = {};
  if (source.read(start, 8) < 8 || std::string_view(start, 6) != npy_magic) {
    refuse(source, "something else", "a .npy array");
  }
  const std::size_t length_bytes = start[6] == 1 ? 2 : 4;
  unsigned char length_text[4] = {};
  source.read(reinterpret_cast<char*>(length_text), length_bytes);
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= std::size_t{length_text[i]} << (8 * i);
  if (length > (1U << 20U)) refuse(source, "a damaged header", "a .npy array");
  std::string header(length, '\0');
  if (source.read(header.data(), length) < length) {
    refuse(source, "a header that is cut off", "a .npy array");
  }
  parse_header(header);
}

void NpyReader::parse_header(std::string_view header) {
  static const std::regex dtype_pattern(R"('descr'\s*:\s*'([<>|=])([iufb])(\d+)')");
  static const std::regex order_pattern(R"('fortran_order'\s*:\s*(True|False))");
  static const std::regex shape_pattern(R"('shape'\s*:\s*\(\s*(\d+)\s*,\s*(\d+)\s*,?\s*\))");
  const std::string text(header);
  std::smatch dtype;
  std::smatch order;
  std::smatch shape;
  if (!std::regex_search(text, dtype, dtype_pattern)) {
    refuse(source_, in_quotes(text), "an array of integers or floating point numbers");
  }
  if (!std::regex_search(text, order, order_pattern) ||
      !std::regex_search(text, shape, shape_pattern)) {
    refuse(source_, in_quotes(text), "an array with two dimensions, such as (answers, 3)");
  }
  kind_ = dtype[2].str()[0];
  size_ = static_cast<std::size_t>(dtype[3].str()[0] - '0');
  const bool known_size = dtype[3].str().size() == 1 &&
                          (kind_ == 'f' ? size_ == 4 || size_ == 8
                                        : size_ == 1 || size_ == 2 || size_ == 4 || size_ == 8);
  if (!known_size) refuse(source_, in_quotes(dtype[0].str()), "numbers of 1, 2, 4 or 8 bytes");
  const bool big = dtype[1].str() == ">";
  swap_bytes_ = size_ > 1 && big == (std::endian::native == std::endian::little);
  fortran_order_ = order[1].str() == "True";
  if (shape[1].length() > 13 || shape[2].length() > 13) {
    refuse(source_, in_quotes(shape[0].str()), "an array that fits in memory");
  }
  rows_ = std::stoull(shape[1].str());
  columns_ = std::stoull(shape[2].str());
  if (columns_ == 0 || rows_ > largest_element_count / std::max<std::uint64_t>(columns_, 1)) {
    refuse(source_, in_quotes(shape[0].str()), "an array that fits in memory");
  }
}

double NpyReader::element(const char* bytes) const {
  char swapped[8] = {};
  if (swap_bytes_) {
    std::reverse_copy(bytes, bytes + size_, swapped);
    bytes = swapped;
  }
  switch (size_) {
    case 1:
      return kind_ == 'i' ? as_double<std::int8_t>(bytes) : as_double<std::uint8_t>(bytes);
    case 2:
      return kind_ == 'i' ? as_double<std::int16_t>(bytes) : as_double<std::uint16_t>(bytes);
    case 4:
      if (kind_ == 'f') return as_double<float>(bytes);
      return kind_ == 'i' ? as_double<std::int32_t>(bytes) : as_double<std::uint32_t>(bytes);
    default:
      if (kind_ == 'f') return as_double<double>(bytes);
      return kind_ == 'i' ? as_double<std::int64_t>(bytes) : as_double<std::uint64_t>(bytes);
  }
}

bool NpyReader::next(std::vector<double>& row) {
  if (next_row_ >= rows_) return false;
  if (next_row_ >= buffered_from_ + buffered_rows_) {
    buffered_from_ = next_row_;
    buffered_rows_ =
        fortran_order_ ? rows_ : std::min<std::uint64_t>(rows_per_step, rows_ - next_row_);
    buffer_.resize(buffered_rows_ * columns_ * size_);
    if (source_.read(buffer_.data(), buffer_.size()) < buffer_.size()) {
      refuse(source_, "an array that is cut off", fmt::format("{} rows", rows_));
    }
  }
  row.resize(columns_);
  const std::size_t at = next_row_ - buffered_from_;
  for (std::size_t column = 0; column < columns_; ++column) {
    const std::size_t index = fortran_order_ ? column * rows_ + at : at * columns_ + column;
    row[column] = element(buffer_.data() + index * size_);
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
