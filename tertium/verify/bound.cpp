#include "tertium/verify/bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tertium/verify/centred_eigenvalues.hpp"
#include "tertium/verify/rounding.hpp"

namespace tertium::internal::verifying {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
__extension__ using Wide = __int128;

}  // namespace

double dual_bound(const Claim& claim, const IntegerTriangle& similarity, MatrixXd& dual) {
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
  if (squared_s == 0 && dual_sum == 0 && !claim.program_lambda) return 0;  // nothing to round
  MatrixXd& a = dual;  // its lower triangle is S + N now
  double squared_norm = a.diagonal().squaredNorm();
  for (Index j = 0; j < n; ++j) squared_norm += 2 * a.col(j).tail(n - j - 1).squaredNorm();

  const double s_part = 2 * static_cast<double>(s_sum) / denominator / count;
  const double lambda = claim.program_lambda.value_or(0);
  double value = s_part + dual_sum / count - lambda;
  // Sums of at most n terms twice, none of them negative; then a few operations.
  double error = (count + 8) * epsilon * (dual_sum / count) +
                 8 * epsilon * (std::abs(s_part) + std::abs(lambda));
  const Index most = claim.program_lambda ? n - 1 : static_cast<Index>(claim.clusters) - 1;
  if (most > 0) {
    const double moved =
        8 * (count + 8) * epsilon * std::sqrt(squared_norm) + 2 * epsilon * std::sqrt(squared_s);
    // Not finite: LAPACK need not come to an end with such numbers.
    if (!std::isfinite(moved) || !std::isfinite(value)) return infinite;
    const VectorXd values = eigenvalues_across(a, VectorXd::Ones(n));
    Index summed = 0;
    for (; summed < most; ++summed) {
      if (claim.program_lambda && !(values(summed) + moved > lambda)) break;
      value += claim.program_lambda ? std::max(0.0, values(summed) - lambda) : values(summed);
      error += 2 * epsilon * (std::abs(value) + std::abs(values(summed)) + std::abs(lambda));
    }
    error += std::sqrt(static_cast<double>(summed)) * moved;
  }
  // The error itself was computed with rounding, and far below it there is underflow.
  const double smallest = count * count * std::numeric_limits<double>::min();
  const double bound = std::nextafter(value + (outward * error + smallest), infinite);
  return std::isfinite(bound) ? bound : infinite;
}

}  // namespace tertium::internal::verifying
