#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/reading/byte_source.hpp"

namespace tertium::internal {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// Reads a two-dimensional .npy array of integers or floating point numbers, row by row, in the
/// order of rows whatever the order in the file. Arrays in Fortran order are read whole.
class NpyReader {
 public:
  /// Throws InputError if the bytes are not such an array.
  explicit NpyReader(ByteSource& source);

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t columns() const { return columns_; }
  [[nodiscard]] bool is_integer() const { return kind_ != 'f'; }

  /// One row as numbers; false after the last. Integers beyond 2^53 lose digits.
  bool next(std::vector<double>& row);

 private:
  [[nodiscard]] double element(const char* bytes) const;
  void parse_header(std::string_view header);

  ByteSource& source_;
  char kind_ = 'i';  // i, u, b or f
  std::size_t size_ = 0;
  bool swap_bytes_ = false;
  bool fortran_order_ = false;
  std::uint64_t rows_ = 0;
  std::uint64_t columns_ = 0;
  std::uint64_t next_row_ = 0;
  std::vector<char> buffer_;
  std::size_t buffered_from_ = 0;  // first row in the buffer
  std::size_t buffered_rows_ = 0;
};

/// The header of a version 1.0 .npy file for a C-ordered array.
std::string npy_header(std::string_view dtype, std::uint64_t rows, std::uint64_t columns);

}  // namespace tertium::internal
