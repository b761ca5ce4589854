#include "tertium/verify/dual_file.hpp"

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tertium/core/utf8.hpp"
#include "tertium/reading/npy.hpp"

namespace tertium::internal::verifying {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// The file with N, open for reading.
class DualFile {
 public:
  DualFile(const std::string& name, const std::filesystem::path& folder) : name_(name) {
    // A name with a path could make the checker read any file.
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
        name.find('\0') != std::string::npos) {
      refuse("dual", in_quotes(name), "the name of a file in the folder of the certificate");
    }
    const std::filesystem::path path = folder / name;
    // A pipe without a writer must not make us wait.
    file_ = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat status {};
    if (file_ < 0 || ::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
      if (file_ >= 0) ::close(file_);
      refuse("dual", fmt::format("no file {} that can be read", in_quotes(path.string())),
             "the file with N beside the certificate");
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~DualFile() { ::close(file_); }
  DualFile(const DualFile&) = delete;
  DualFile& operator=(const DualFile&) = delete;
  DualFile(DualFile&&) = delete;
  DualFile& operator=(DualFile&&) = delete;

  [[nodiscard]] std::uint64_t size() const { return size_; }

  void read(char* bytes, std::size_t count) {
    while (count > 0) {
      const ::ssize_t got = ::read(file_, bytes, count);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) refuse(in_quotes(name_), "an array that is cut off", "a whole .npy array");
      bytes += got;
      count -= static_cast<std::size_t>(got);
    }
  }

  std::string read(std::size_t count) {
    std::string bytes(count, '\0');
    read(bytes.data(), count);
    return bytes;
  }

 private:
  const std::string& name_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

/// Takes the header, which must say: so many rows and columns of doubles, in C order. There is one
/// way to write that, but for blanks at the end. What comes after it must be as long.
void take_header(DualFile& file, const std::string& name, std::uint64_t size) {
  constexpr std::uint64_t start_size = 8;
  constexpr std::size_t longest_header = 1 << 12;
  if (file.size() < start_size + 4) refuse(in_quotes(name), "something else", "a .npy array");
  const std::string start = file.read(start_size);
  if (!start.starts_with(npy_magic)) refuse(in_quotes(name), "something else", "a .npy array");
  const std::string length_text = file.read(start[6] == 1 ? 2 : 4);
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_text.size(); ++i) {
    length |= std::size_t{static_cast<unsigned char>(length_text[i])} << (8 * i);
  }
  if (length > longest_header) refuse(in_quotes(name), "a damaged header", "a .npy array");
  const std::string header = file.read(length);
  const std::string wanted =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({0}, {0}), }}", size);
  if (!header.starts_with(wanted) ||
      header.find_first_not_of(" \n", wanted.size()) != std::string::npos) {
    refuse(in_quotes(name), in_quotes(header),
           fmt::format("{0} x {0} doubles ('<f8') in C order", size));
  }
  const std::uint64_t expected =
      start_size + length_text.size() + length + size * size * sizeof(double);
  if (file.size() != expected) {
    refuse(in_quotes(name), fmt::format("{} bytes", file.size()),
           fmt::format("{} for {} x {} doubles", expected, size, size));
  }
}

}  // namespace

MatrixXd read_dual(const Claim& claim, const std::filesystem::path& folder) {
  DualFile file(claim.dual, folder);
  const auto n = static_cast<Index>(claim.items.size());
  take_header(file, claim.dual, claim.items.size());
  const auto row_bytes = claim.items.size() * sizeof(double);
  MatrixXd dual(n, n);
  std::uint32_t checksum = 0;
  static_assert(std::endian::native == std::endian::little);
  for (Index i = 0; i < n; ++i) {
    auto* const row = reinterpret_cast<char*>(dual.col(i).data());  // symmetric, as is checked
    file.read(row, row_bytes);
    checksum = crc32_of({row, row_bytes}, checksum);
  }
  if (checksum != claim.dual_checksum) {
    refuse("dual_checksum", std::to_string(claim.dual_checksum),
           fmt::format("{}, that of the numbers in {}", checksum, in_quotes(claim.dual)));
  }
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double entry = dual(j, i);
      if (!std::isfinite(entry) || entry < 0 || entry != dual(i, j)) {
        refuse(fmt::format("N({},{})", i + 1, j + 1), fmt::format("{}", entry),
               entry >= 0 && std::isfinite(entry)
                   ? fmt::format("{}, as in N({},{})", dual(i, j), j + 1, i + 1)
                   : "a finite number, 0 or more");
      }
    }
  }
  return dual;
}

}  // namespace tertium::internal::verifying
