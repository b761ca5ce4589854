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
  const Index size = a.rows();
  const Index half = size / 2;
  out.setZero(size, size);
  if (a.cols() == 0) return;
  const auto on_diagonal = [&](Index first, Index count) {
    if (count == 0) return;
    auto block = out.block(first, first, count, count);
    block.selfadjointView<Eigen::Lower>().rankUpdate(a.middleRows(first, count));
    block.triangularView<Eigen::StrictlyUpper>() = block.transpose();
  };
  const auto off_diagonal = [&] {
    if (half == 0) return;
    auto block = out.bottomLeftCorner(size - half, half);
    block.noalias() = a.bottomRows(size - half) * a.topRows(half).transpose();
    out.topRightCorner(half, size - half) = block.transpose();
  };
  // The two small triangles are as much work as the square between them.
  const int workers = multiplications(a, size) < 2 * fewest_multiplications ? 1 : run.threads();
  run.workers(std::min(workers, 2), [&](int worker) {
    if (worker == 0) {
      on_diagonal(0, half);
      on_diagonal(half, size - half);
    }
    if (worker == 1 || workers == 1) off_diagonal();
  });
}

}  // namespace tertium::internal
