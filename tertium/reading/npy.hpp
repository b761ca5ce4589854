#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/reading/byte_source.hpp"

namespace tertium::internal {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// So many bytes from the start of an array hold its whole header; longer headers are refused.
inline constexpr std::size_t npy_start = 1U << 14U;

/// What the header of a two-dimensional .npy array of integers or floating point numbers announces.
struct NpyHeader {
  std::size_t bytes = 0;  // where the numbers begin
  char kind = 'i';        // i, u, b or f
  std::size_t size = 0;   // bytes of a number
  bool swap_bytes = false;
  bool fortran_order = false;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
};

/// Takes the header apart. `start` is the start of the file, `npy_start` bytes of it or all. Throws
/// InputError if it is not such an array. Nothing says yet that the numbers are there.
NpyHeader parse_npy_header(std::string_view start, const std::string& file);

/// Reads a two-dimensional .npy array of integers or floating point numbers, row by row, in the
/// order of rows whatever the order in the file. Arrays in Fortran order are read whole. Memory is
/// taken for numbers that are there, not for those that are announced.
class NpyReader {
 public:
  /// Throws InputError if the bytes are not such an array.
  explicit NpyReader(ByteSource& source);

  [[nodiscard]] std::uint64_t rows() const { return header_.rows; }
  [[nodiscard]] std::uint64_t columns() const { return header_.columns; }
  [[nodiscard]] bool is_integer() const { return header_.kind != 'f'; }

  /// One row as numbers; false after the last. Integers beyond 2^53 lose digits.
  bool next(std::vector<double>& row);

 private:
  [[nodiscard]] double element(const char* bytes) const;
  void read_rows();

  ByteSource& source_;
  NpyHeader header_;
  std::uint64_t next_row_ = 0;
  std::string buffer_;
  std::uint64_t buffered_from_ = 0;  // first row in the buffer
  std::uint64_t buffered_rows_ = 0;
};

/// The header of a version 1.0 .npy file for a C-ordered array.
std::string npy_header(std::string_view dtype, std::uint64_t rows, std::uint64_t columns);

}  // namespace tertium::internal
