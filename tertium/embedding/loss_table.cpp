#include "tertium/embedding/loss_table.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"
#include "tertium/embedding/ckl.hpp"
#include "tertium/embedding/gnmds.hpp"
#include "tertium/embedding/soe.hpp"
#include "tertium/embedding/ste.hpp"
#include "tertium/embedding/tste.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

/// Comparisons are added up in so many parts, whatever the number of threads, so that sums have the
/// same bits; each part has a gradient of its own.
constexpr std::size_t parts = 8;
/// Fewer are added up in one part: a tenth of a millisecond of work.
constexpr std::size_t least_for_parts = 4096;

/// The sum over some comparisons; the gradient is added to.
template <int fixed, class Fitted>
double add_up(const Fitted& loss, std::span<const FittedComparison> comparisons, int dimensions,
              const double* points, double* gradient) {
  const int size = fixed > 0 ? fixed : dimensions;
  const auto squared = [&](std::uint32_t a, std::uint32_t b) {
    const double* const x = points + static_cast<std::ptrdiff_t>(a) * size;
    const double* const y = points + static_cast<std::ptrdiff_t>(b) * size;
    double sum = 0;
    for (int c = 0; c < size; ++c) sum += (x[c] - y[c]) * (x[c] - y[c]);
    return sum;
  };
  const auto push = [&](std::uint32_t a, std::uint32_t b, double slope) {
    const double* const x = points + static_cast<std::ptrdiff_t>(a) * size;
    const double* const y = points + static_cast<std::ptrdiff_t>(b) * size;
    double* const to_a = gradient + static_cast<std::ptrdiff_t>(a) * size;
    double* const to_b = gradient + static_cast<std::ptrdiff_t>(b) * size;
    for (int c = 0; c < size; ++c) {
      const double part = 2 * slope * (x[c] - y[c]);
      to_a[c] += part;
      to_b[c] -= part;
    }
  };
  double sum = 0;
  for (const auto& [pairs, weight] : comparisons) {
    const Slopes slopes = loss.at(squared(pairs.i, pairs.j), squared(pairs.r, pairs.s));
    sum += weight * slopes.value;
    if (slopes.near == 0 && slopes.far == 0) continue;
    push(pairs.i, pairs.j, weight * slopes.near);
    push(pairs.r, pairs.s, weight * slopes.far);
  }
  return sum;
}

template <class Fitted>
double mean_loss(std::span<const FittedComparison> comparisons, int dimensions,
                 const Eigen::VectorXd& points, Eigen::VectorXd& gradient, Run& run) {
  const auto loss = Fitted::in_dimensions(dimensions);
  const auto add = [&](std::span<const FittedComparison> some, double* to) {
    return dimensions == 2 ? add_up<2>(loss, some, dimensions, points.data(), to)
                           : add_up<0>(loss, some, dimensions, points.data(), to);
  };
  gradient.setZero(points.size());
  if (comparisons.size() < least_for_parts) return add(comparisons, gradient.data());
  std::array<double, parts> value{};
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(points.size(), parts);
  std::atomic<std::size_t> next = 0;
  run.workers(std::min<int>(run.threads(), parts), [&](int) {
    for (std::size_t p = next++; p < parts; p = next++) {
      const std::size_t from = comparisons.size() * p / parts;
      const std::size_t to = comparisons.size() * (p + 1) / parts;
      value[p] = add(comparisons.subspan(from, to - from),
                     slopes.col(static_cast<Eigen::Index>(p)).data());
    }
  });
  double sum = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    sum += value[p];
    gradient += slopes.col(static_cast<Eigen::Index>(p));
  }
  return sum;
}

template <class Fitted>
Slopes loss_at(double near, double far, int dimensions) {
  return Fitted::in_dimensions(dimensions).at(near, far);
}

template <class Fitted>
constexpr Loss row(LossKind kind, std::string_view name, std::string_view title) {
  return {kind, name, title, loss_at<Fitted>, mean_loss<Fitted>};
}

}  // namespace

std::span<const Loss> losses() {
  static constexpr std::array table = {
      row<Tste>(LossKind::tste, "tste", "t-STE"), row<Ste>(LossKind::ste, "ste", "STE"),
      row<Ckl>(LossKind::ckl, "ckl", "CKL"), row<Gnmds>(LossKind::gnmds, "gnmds", "GNMDS"),
      row<Soe>(LossKind::soe, "soe", "SOE")};
  return table;
}

std::string loss_names() {
  std::string names;
  for (const Loss& loss : losses()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", loss.name);
  }
  return names;
}

const Loss& loss_of(LossKind kind) {
  const auto table = losses();
  return *std::find_if(table.begin(), table.end(),
                       [&](const Loss& loss) { return loss.kind == kind; });
}

const Loss& find_loss(std::string_view name) {
  for (const Loss& loss : losses()) {
    if (loss.name == name) return loss;
  }
  throw InputError({{}, fmt::format("--method {}", in_quotes(name)), "one of " + loss_names(), ""});
}

}  // namespace tertium::internal
