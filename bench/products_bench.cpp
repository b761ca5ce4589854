// Seconds of one product S x, for blocks of vectors:
//   TERTIUM_BENCH_SNAPSHOT=FILE.sim build/bench/products_bench
#include <cmath>
#include <cstdlib>
#include <optional>

#include <benchmark/benchmark.h>

#include "tertium/core/random.hpp"
#include "tertium/run.hpp"
#include "tertium/similarity/snapshot.hpp"
#include "tertium/spectral/sparse_map.hpp"

namespace {

using namespace tertium;
using namespace tertium::internal;

/// The similarity to multiply with, read once; none if the environment names no file.
const std::optional<SimilarityMatrix>& similarity() {
  static const std::optional<SimilarityMatrix> read = []() -> std::optional<SimilarityMatrix> {
    const char* path = std::getenv("TERTIUM_BENCH_SNAPSHOT");
    if (path == nullptr) return std::nullopt;
    return read_snapshot(InputFile(path));
  }();
  return read;
}

/// S x, entry by entry of the lower triangle.
VectorBlock expected_product(const SimilarityMatrix& matrix, const VectorBlock& x) {
  VectorBlock y = VectorBlock::Zero(x.rows(), x.cols());
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t at = matrix.row_start[i]; at < matrix.row_start[i + 1]; ++at) {
      const auto row = static_cast<Eigen::Index>(i);
      const auto col = static_cast<Eigen::Index>(matrix.column[at]);
      const auto value = static_cast<double>(matrix.value[at]);
      y.row(row) += value * x.row(col);
      y.row(col) += value * x.row(row);
    }
  }
  return y / static_cast<double>(matrix.denominator);
}

void multiply(benchmark::State& state) {
  if (!similarity()) {
    state.SkipWithError("TERTIUM_BENCH_SNAPSHOT names no snapshot");
    return;
  }
  Run run;
  const SparseMap rows(*similarity());
  const Eigen::Index n = rows.size();
  const VectorBlock x = VectorBlock::Random(n, state.range(0));
  VectorBlock y(n, state.range(0));
  rows.multiply(x, y, run);
  const VectorBlock expected = expected_product(*similarity(), x);
  if (!((y - expected).norm() <= 1e-12 * expected.norm())) {
    state.SkipWithError("wrong product");
    return;
  }
  for (auto _ : state) {
    rows.multiply(x, y, run);
    benchmark::DoNotOptimize(y.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows.nonzeros()));
}
BENCHMARK(multiply)->Arg(1)->Arg(4)->Arg(8)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
