#include "tertium/spectral/dense_product.hpp"

#include <algorithm>
#include <functional>

#include "tertium/run.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::MatrixXf;

constexpr Index chunks = 2;
/// Products with fewer multiplications are done before a thread has started.
constexpr double fewest_multiplications = 4e6;

void for_chunks(Index lines, double multiplications, Run& run,
                const std::function<void(Index first, Index count)>& work) {
  if (multiplications < fewest_multiplications) return work(0, lines);
  const Index width = (lines + chunks - 1) / chunks;
  const int workers = std::min(run.threads(), static_cast<int>(chunks));
  run.workers(workers, [&](int worker) {
    for (Index chunk = worker; chunk < chunks; chunk += workers) {
      const Index first = chunk * width;
      if (first < lines) work(first, std::min(width, lines - first));
    }
  });
}

template <typename Matrix>
double multiplications(const Matrix& a, Index columns) {
  return static_cast<double>(a.size()) * static_cast<double>(columns);
}

template <typename Matrix>
void multiply_rows(const Matrix& a, const Matrix& b, Matrix& out, Run& run) {
  use_one_blas_thread();
  out.resize(a.rows(), b.cols());
  for_chunks(a.rows(), multiplications(a, b.cols()), run, [&](Index first, Index count) {
    out.middleRows(first, count).noalias() = a.middleRows(first, count) * b;
  });
}

}  // namespace

void multiply(const MatrixXd& a, const MatrixXd& b, MatrixXd& out, Run& run) {
  multiply_rows(a, b, out, run);
}

void multiply(const MatrixXf& a, const MatrixXf& b, MatrixXf& out, Run& run) {
  multiply_rows(a, b, out, run);
}

void multiply_by_transpose(const MatrixXd& a, MatrixXd& out, Run& run) {
  use_one_blas_thread();
  out.resize(a.rows(), a.rows());
  for_chunks(a.rows(), multiplications(a, a.rows()), run, [&](Index first, Index count) {
    out.middleCols(first, count).noalias() = a * a.middleRows(first, count).transpose();
  });
}

}  // namespace tertium::internal
