#include "tertium/verify/bound.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <regex>
#include <vector>

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"
#include "tertium/reading/npy.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name is LAPACK's
extern "C" void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda,
                        double* w, double* work, const int* lwork, int* iwork, const int* liwork,
                        int* info);

namespace tertium::internal::verifying {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
__extension__ using Wide = __int128;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

std::ifstream open_dual(const std::string& name, const std::filesystem::path& folder) {
  // A name with a path could make the checker read any file.
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
      name.find('\0') != std::string::npos) {
    refuse("dual", in_quotes(name), "the name of a file in the folder of the certificate");
  }
  const std::filesystem::path path = folder / name;
  std::error_code none;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path, none)) {
    refuse("dual", fmt::format("no file {} that can be read", in_quotes(path.string())),
           "the file with N beside the certificate");
  }
  return file;
}

/// Takes the header, which must say: so many rows and columns of doubles, in C order.
void take_header(std::ifstream& file, const std::string& name, std::size_t size) {
  const auto bytes = [&](std::size_t count) {
    std::string text(count, '\0');
    if (!file.read(text.data(), static_cast<std::streamsize>(count))) {
      refuse(in_quotes(name), "something else", "a .npy array");
    }
    return text;
  };
  const std::string start = bytes(8);
  if (!start.starts_with(npy_magic)) refuse(in_quotes(name), "something else", "a .npy array");
  const std::string length_text = bytes(start[6] == 1 ? 2 : 4);
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_text.size(); ++i) {
    length |= std::size_t{static_cast<unsigned char>(length_text[i])} << (8 * i);
  }
  constexpr std::size_t longest_header = 1 << 16;
  if (length > longest_header) refuse(in_quotes(name), "a damaged header", "a .npy array");
  const std::string header = bytes(length);
  static const std::regex pattern(
      R"(\{'descr': '<f8', 'fortran_order': False, 'shape': \((\d+), (\d+)\), \}\s*)");
  std::smatch shape;
  const std::string wanted = std::to_string(size);
  if (!std::regex_match(header, shape, pattern) || shape[1] != wanted || shape[2] != wanted) {
    refuse(in_quotes(name), in_quotes(header),
           fmt::format("{0} x {0} doubles ('<f8') in C order", size));
  }
}

/// Largest first: the eigenvalues of the symmetric matrix given by its lower triangle.
VectorXd eigenvalues(MatrixXd& matrix, Index size) {
  VectorXd values(size);
  if (size == 0) return values;
  const auto n = static_cast<int>(size);
  const auto leading = static_cast<int>(matrix.rows());
  double work_size = 0;
  int whole_work_size = 0;
  int info = 0;
  const int ask = -1;
  // The matrix starts behind the first row and column, which belong to the direction of 1.
  const Index first = matrix.cols() - size;
  // Some kernels of OpenBLAS (symv for processors that it does not know) read a little beyond the
  // end of the matrix: there is a column more behind it, and room behind the work.
  matrix.conservativeResize(Eigen::NoChange, matrix.cols() + 1);
  constexpr std::size_t room = 1024;
  double* const start = &matrix(matrix.rows() - size, first);
  dsyevd_("N", "L", &n, start, &leading, values.data(), &work_size, &ask, &whole_work_size, &ask,
          &info);
  const auto length = static_cast<int>(work_size);
  std::vector<double> work(static_cast<std::size_t>(length) + room);
  std::vector<int> whole_work(static_cast<std::size_t>(whole_work_size));
  dsyevd_("N", "L", &n, start, &leading, values.data(), work.data(), &length, whole_work.data(),
          &whole_work_size, &info);
  if (info != 0 || !values.allFinite()) {
    throw Refusal("the eigenvalues of S + N could not be computed");
  }
  return values.reverse();
}

/// The lower triangle of HAH, where the reflection H = I - vv'/h takes 1/sqrt(n) to the first
/// direction: without its first row and column, A on the space of vectors that sum to 0.
void reflect(MatrixXd& a) {
  const Index n = a.rows();
  VectorXd v = VectorXd::Constant(n, 1 / std::sqrt(static_cast<double>(n)));
  v(0) += 1;
  const double h = v.squaredNorm() / 2;
  VectorXd w = VectorXd::Zero(n);
  for (Index j = 0; j < n; ++j) {
    const Index below = n - j - 1;
    w(j) += a(j, j) * v(j) + a.col(j).tail(below).dot(v.tail(below));
    w.tail(below) += a.col(j).tail(below) * v(j);
  }
  w /= h;
  w -= (v.dot(w) / (2 * h)) * v;
  for (Index j = 0; j < n; ++j) {
    a.col(j).tail(n - j) -= v.tail(n - j) * w(j) + w.tail(n - j) * v(j);
  }
}

}  // namespace

MatrixXd read_dual(const Claim& claim, const std::filesystem::path& folder) {
  std::ifstream file = open_dual(claim.dual, folder);
  const auto n = static_cast<Index>(claim.items.size());
  take_header(file, claim.dual, claim.items.size());
  const auto row_bytes = n * static_cast<Index>(sizeof(double));
  MatrixXd dual(n, n);
  std::vector<char> row(static_cast<std::size_t>(row_bytes));
  std::uint32_t checksum = 0;
  for (Index i = 0; i < n; ++i) {
    if (!file.read(row.data(), row_bytes)) {
      refuse(in_quotes(claim.dual), "an array that is cut off", fmt::format("{} rows", n));
    }
    checksum = crc32_of({row.data(), row.size()}, checksum);
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&dual(0, i), row.data(),
                row.size());  // row i as column i: symmetric, as is checked
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

DualBound dual_bound(const Claim& claim, const IntegerTriangle& similarity, MatrixXd& dual) {
  const Index n = dual.rows();
  const auto count = static_cast<double>(n);
  const auto denominator = static_cast<double>(similarity.denominator);
  const double dual_sum = dual.colwise().sum().sum();
  Wide s_sum = 0;  // over pairs, each once
  double squared_s = 0;
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      const double s = static_cast<double>(similarity.value[at]) / denominator;
      s_sum += similarity.value[at];
      squared_s += 2 * s * s;
      dual(static_cast<Index>(i), similarity.column[at]) += s;
    }
  }
  MatrixXd& a = dual;  // its lower triangle is S + N now
  double squared_norm = a.diagonal().squaredNorm();
  for (Index j = 0; j < n; ++j) squared_norm += 2 * a.col(j).tail(n - j - 1).squaredNorm();

  const double s_part = 2 * static_cast<double>(s_sum) / denominator / count;
  const double lambda = claim.program_lambda.value_or(0);
  DualBound bound;
  bound.value = s_part + dual_sum / count - lambda;
  // Sums of at most n terms twice, none of them negative; then a few operations.
  bound.error = (count + 8) * epsilon * (dual_sum / count) +
                8 * epsilon * (std::abs(s_part) + std::abs(lambda));
  const Index largest =
      claim.program_clusters ? static_cast<Index>(*claim.program_clusters) - 1 : n - 1;
  if (largest == 0) return bound;

  const double allowance =
      8 * (count + 8) * epsilon * std::sqrt(squared_norm) + epsilon * std::sqrt(squared_s);
  reflect(a);
  const VectorXd values = eigenvalues(a, n - 1);
  for (Index i = 0; i < largest; ++i) {
    if (claim.program_lambda && !(values(i) + allowance > lambda)) break;
    bound.value += claim.program_lambda ? std::max(0.0, values(i) - lambda) : values(i);
    bound.error +=
        allowance + 2 * epsilon * (std::abs(bound.value) + std::abs(values(i)) + std::abs(lambda));
  }
  return bound;
}

}  // namespace tertium::internal::verifying
