#include "tertium/certificate/certify.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tertium/certificate/witness.hpp"
#include "tertium/core/random.hpp"
#include "tertium/partition/local_search.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/run.hpp"
#include "tertium/spectral/krylov.hpp"
#include "tertium/spectral/positive_definite.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Four independent starts need a third of the steps that one needs, at less than twice the price a
/// step. Proofs in 40 problems around the threshold succeed as often with half and double, and so
/// they do with half and double of the numbers below.
constexpr int block = 4;
/// With half, probabilistic intervals are 5 % narrower; double is not needed.
constexpr int most_steps = 120;
/// The probabilistic lower end may give away this share of the interval to save steps: half takes
/// 1.5 times as long for 4 % more of the interval, double 0.9 of the time for 7 % less.
constexpr double interval_given_away = 0.1;
/// How far above the Ritz value a proof is tried, as shares of the interval. The first nearly
/// always holds; half and double change the interval by 0.1 %.
constexpr std::array<double, 5> margins{1e-3, 1e-2, 0.1, 0.3, 0.6};
/// A feasible point must beat the partition by this share to count: its value was summed up in
/// floating point over n^2 terms, which errs by less than 1e-11 at a million of them.
constexpr double clearly_better = 1e-9;
/// For a dense proof the Ritz value only says where to try. Double needs one proof in
/// ten more, half a few products.
constexpr double ritz_accuracy = 1e-2;

/// The size of what is in S: proofs must not depend on the unit.
double size_of(const Witness& witness) {
  const double largest = witness.means().cwiseAbs().maxCoeff();
  return largest > 0 ? largest : 1;
}

/// lambda I - P (S + Gamma) P, plus something positive on the complement of the range of P where
/// lambda itself is not. Lower triangle only.
MatrixXd shifted(const SparseMap& similarity, const Witness& witness, double lambda) {
  const Index size = similarity.size();
  const Labels& labels = witness.labels();
  VectorBlock u = witness.row_sums(lambda);
  witness.project(u);
  const MatrixXd t = witness.totals(lambda);
  const MatrixXd& mean = witness.means();
  const MatrixXd& blocks = witness.block_means();
  const double complement = lambda > 0 ? 0 : size_of(witness) - 2 * lambda;
  MatrixXd matrix = MatrixXd::Zero(size, size);
  for (Index r = 0; r < size; ++r) {
    const auto l = labels[static_cast<std::size_t>(r)];
    for (Index i = r; i < size; ++i) {
      const auto j = labels[static_cast<std::size_t>(i)];
      double entry = mean(i, l) + mean(r, j) - blocks(j, l);
      if (j != l) {
        entry -= u(i, l) * u(r, j) / t(j, l);
      } else {
        entry += complement / witness.sizes()[j];
      }
      matrix(i, r) = entry;
    }
    matrix(r, r) += lambda;
    similarity.visit_row(static_cast<std::size_t>(r), [&](std::uint32_t i, std::int64_t value) {
      if (i > r) matrix(i, r) -= static_cast<double>(value) / similarity.denominator();
    });
  }
  return matrix;
}

/// Rounding of the entries of `shifted`: each is a sum of a handful of terms, none larger than
/// `largest`; n times that bounds the spectral norm.
double entry_error(const MatrixXd& matrix, const Witness& witness, double lambda) {
  const double largest =
      std::max(matrix.cwiseAbs().maxCoeff(), std::abs(lambda) + size_of(witness));
  constexpr double roundings = 64;
  return roundings * std::numeric_limits<double>::epsilon() * largest *
         static_cast<double>(matrix.rows());
}

bool is_proved_at(const SparseMap& similarity, const Witness& witness, double lambda) {
  MatrixXd matrix = shifted(similarity, witness, lambda);
  const double error = entry_error(matrix, witness, lambda);
  return is_proved_positive_definite(matrix, error);
}

/// Tries to show that the partition is NOT optimal: hi is forced for every witness, and every
/// witness vanishes inside clusters, so S inside a centred cluster may not have an eigenvalue above
/// hi. A Rayleigh quotient is at most an eigenvalue, so exceeding hi is a proof.
bool is_refuted(const SparseMap& similarity, const Witness& witness, Run& run) {
  const double size = static_cast<double>(similarity.size());
  for (int a = 0; a < witness.clusters(); ++a) {
    run.check();
    const SplitDirection split = split_direction(similarity, witness.labels(), a, run);
    const double rounding =
        size * std::numeric_limits<double>::epsilon() * 8 * std::abs(split.value);
    if (split.value - rounding > witness.highest() + witness.highest_error()) return true;
  }
  return false;
}

/// A lambda just below the upper end at which all u are positive in spite of rounding.
double inside_upper_end(const SparseMap& similarity, const Witness& witness) {
  const double room = std::max(4 * witness.highest_error(), 1e-9 * std::abs(witness.highest()));
  // Similarities are multiples of 1 / denominator.
  const double least_room = 1e-12 / similarity.denominator();
  return witness.highest() - std::max(room, least_room);
}

/// Both ends when every item is its own cluster: P is 0, only u counts.
Certificate all_apart(const SparseMap& similarity, const Witness& witness) {
  Certificate certificate;
  certificate.verdict = Verdict::optimal;
  certificate.level = Evidence::proved;
  if (witness.clusters() > 1) certificate.hi = inside_upper_end(similarity, witness);
  return certificate;
}

class Certifier {
 public:
  Certifier(const SparseMap& similarity, const Witness& witness, const CertifyOptions& options,
            Run& run)
      : similarity_(similarity), witness_(witness), options_(options), run_(run) {}

  Certificate run() {
    // For one cluster Gamma is 0 at any lambda, and there is no upper end.
    const bool bounded = witness_.clusters() > 1;
    const double inside = bounded ? inside_upper_end(similarity_, witness_) : 0;
    const bool dense = static_cast<std::size_t>(similarity_.size()) <= options_.most_items_proved;
    const RitzRange range = top_of_spectrum(inside, bounded, dense);
    Certificate certificate;
    certificate.lo = range.top;
    if (bounded) certificate.hi = inside;
    if (bounded && !(range.top < inside)) return failed(certificate);
    return dense ? proved(certificate, range) : probable(certificate, range);
  }

 private:
  [[nodiscard]] LargestEigenvalue bound(const RitzRange& range) const {
    return largest_eigenvalue(range, similarity_.size(), block, options_.failure_probability);
  }

  RitzRange top_of_spectrum(double lambda, bool bounded, bool dense) const {
    KrylovOptions krylov;
    krylov.block = block;
    krylov.most_steps = most_steps;
    krylov.random = run_.stream("certificate");
    krylov.tolerance = dense ? ritz_accuracy : 0;
    krylov.enough = [&](const RitzRange& range) {
      run_.check();
      if (bounded && range.top > lambda) return true;  // Ritz values only grow
      const double width = bounded ? lambda - range.top : std::abs(range.top);
      return bound(range).upper - range.top <= interval_given_away * width;
    };
    const GammaMap gamma(witness_, lambda);
    const SumMap sum({{1, &similarity_}, {1, &gamma}});
    return leading_eigenpairs(ProjectedMap(sum, witness_.labels()), 1, krylov, run_).range;
  }

  Certificate proved(Certificate certificate, const RitzRange& range) const {
    const double width = certificate.hi ? *certificate.hi - range.top
                                        : std::max(std::abs(range.top), range.top - range.lowest);
    const auto lower_end = [&](std::size_t attempt) {
      return range.top + margins[attempt] * width;
    };
    // The upper end and the first attempt at the lower one, side by side.
    bool upper_proved = true;
    bool lower_proved = false;
    const int workers = std::min(2, run_.threads());
    run_.workers(workers, [&](int worker) {
      if (certificate.hi && worker == 0) {
        upper_proved = is_proved_at(similarity_, witness_, *certificate.hi);
      }
      if (worker == workers - 1) {
        lower_proved = is_proved_at(similarity_, witness_, lower_end(0));
      }
    });
    if (!upper_proved) return failed(certificate);
    certificate.verdict = Verdict::optimal;
    certificate.level = Evidence::proved;
    for (std::size_t attempt = 0; attempt < margins.size(); ++attempt) {
      certificate.lo = lower_end(attempt);
      if (attempt == 0 ? lower_proved : is_proved_at(similarity_, witness_, *certificate.lo)) {
        return certificate;
      }
    }
    if (!certificate.hi) return failed(certificate);
    certificate.lo = certificate.hi;  // the upper end alone is proved
    return certificate;
  }

  Certificate probable(Certificate certificate, const RitzRange& range) const {
    const LargestEigenvalue top = bound(range);
    if (!std::isfinite(top.upper) || (certificate.hi && top.upper >= *certificate.hi)) {
      return failed(certificate);
    }
    certificate.verdict = Verdict::optimal;
    certificate.level = Evidence::probabilistic;
    certificate.failure_probability = top.failure_probability;
    // The bound was taken with Gamma at the upper end; Gamma at the lower end differs by `change`.
    certificate.lo = top.upper;
    if (certificate.hi) {
      const double change = witness_.change(top.upper, *certificate.hi);
      certificate.lo = std::min(top.upper + change, *certificate.hi);
    }
    return certificate;
  }

  Certificate failed(Certificate certificate) const {
    certificate.verdict = Verdict::undecided;
    certificate.level = Evidence::estimated;
    if (witness_.clusters() > 1 && is_refuted(similarity_, witness_, run_)) {
      certificate.verdict = Verdict::not_optimal;
      certificate.level = Evidence::proved;
    }
    return certificate;
  }

  const SparseMap& similarity_;
  const Witness& witness_;
  const CertifyOptions& options_;
  Run& run_;
};

}  // namespace

void note_better_point(Certificate& certificate, double partition_value, double point_value) {
  if (point_value <= partition_value + clearly_better * std::abs(point_value)) return;
  certificate.verdict = Verdict::not_optimal;
  certificate.level = Evidence::proved;
}

Certificate certify(const SparseMap& similarity, const Labels& labels,
                    const CertifyOptions& options, Run& run) {
  const Witness witness(similarity, labels, run);
  if (witness.clusters() == similarity.size()) return all_apart(similarity, witness);
  return Certifier(similarity, witness, options, run).run();
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::optimal:
      return "optimal";
    case Verdict::not_optimal:
      return "not optimal";
    case Verdict::undecided:
      return "undecided";
  }
  return "";
}

std::string_view to_string(Evidence evidence) {
  switch (evidence) {
    case Evidence::proved:
      return "proved";
    case Evidence::probabilistic:
      return "probabilistic";
    case Evidence::estimated:
      return "estimated";
  }
  return "";
}

}  // namespace tertium
