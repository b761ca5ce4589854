#include "tertium/exact/cut_cone.hpp"

#include <algorithm>
#include <atomic>
#include <tuple>

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Sweeps of a projection. One leaves cuts violated for many steps; more than two cost more time
/// than they spare steps.
constexpr int sweeps = 2;
/// Of the most violated cuts, so many times as many are looked through for new ones.
constexpr std::size_t looked_through = 4;

/// Rows of fewer groups are looked through before another thread has woken up.
constexpr std::int32_t groups_worth_threads = 150;
/// Where cuts touch fewer than one in so many entries, only these are looked at again.
constexpr std::size_t few_touched = 8;

/// Block by block, since columns of a large matrix are far apart.
void copy_to_upper(MatrixXd& matrix) {
  constexpr Index block = 32;
  const Index size = matrix.rows();
  for (Index left = 0; left < size; left += block) {
    const Index right = std::min(left + block, size);
    for (Index top = left; top < size; top += block) {
      const Index bottom = std::min(top + block, size);
      for (Index j = left; j < right; ++j) {
        for (Index i = std::max(top, j + 1); i < bottom; ++i) matrix(j, i) = matrix(i, j);
      }
    }
  }
}

struct Violated {
  double by = 0;
  std::int32_t apex = 0;
  std::int32_t left = 0;
  std::int32_t right = 0;
};

bool is_worse(const Violated& a, const Violated& b) {
  return std::tie(b.by, a.apex, a.left, a.right) < std::tie(a.by, b.apex, b.left, b.right);
}

/// The cuts with this apex that X violates by more than `least`.
std::vector<Violated> violated_at(const MatrixXd& x, std::int32_t i, double least) {
  std::vector<std::int32_t> near;
  for (std::int32_t j = 0; j < x.rows(); ++j) {
    if (j != i && x(j, i) > least) near.push_back(j);
  }
  // The nearest first: where two are not near enough together, none behind them are.
  std::sort(near.begin(), near.end(), [&](std::int32_t a, std::int32_t b) {
    return std::tie(x(b, i), a) < std::tie(x(a, i), b);
  });
  std::vector<Violated> found;
  for (std::size_t a = 0; a < near.size(); ++a) {
    const double open = x(near[a], i) - x(i, i);
    for (std::size_t b = a + 1; b < near.size(); ++b) {
      const double together = open + x(near[b], i);
      if (together <= least) break;
      const double by = together - x(near[a], near[b]);
      if (by <= least) continue;
      found.push_back({by, i, std::min(near[a], near[b]), std::max(near[a], near[b])});
    }
  }
  return found;
}

}  // namespace

CutCone::CutCone(const MergedItems& items, std::vector<TriangleCut> cuts)
    : items_(items),
      some_must_part_((items.must_part.array() != 0).any()),
      inverse_root_(items.root.cwiseInverse()),
      cuts_(std::move(cuts)) {
  find_places();
}

CutCone::Place CutCone::place_of(const TriangleCut& cut) const {
  const Index size = items_.size();
  const auto at = [&](Index a, Index b) { return std::min(a, b) * size + std::max(a, b); };
  const double i = inverse_root_[cut.apex];
  const double j = inverse_root_[cut.left];
  const double r = inverse_root_[cut.right];
  Place place{at(cut.apex, cut.left),
              at(cut.apex, cut.right),
              at(cut.apex, cut.apex),
              at(cut.left, cut.right),
              i * j,
              i * r,
              i * i,
              j * r,
              0};
  place.squared_norm =
      (place.left_weight * place.left_weight + place.right_weight * place.right_weight +
       place.base_weight * place.base_weight) /
          2 +
      place.apex_weight * place.apex_weight;
  return place;
}

void CutCone::find_places() {
  places_.resize(cuts_.size());
  std::transform(cuts_.begin(), cuts_.end(), places_.begin(),
                 [&](const TriangleCut& cut) { return place_of(cut); });
}

void CutCone::add(MatrixXd& lower, const Place& place, double d) {
  double* entries = lower.data();
  entries[place.left] += d * place.left_weight / 2;
  entries[place.right] += d * place.right_weight / 2;
  entries[place.apex] -= d * place.apex_weight;
  entries[place.base] -= d * place.base_weight / 2;
}

double CutCone::clipped_entry(const MatrixXd& lower, Index at) const {
  const double entry = std::max(lower.data()[at], 0.0);
  return some_must_part_ ? entry * (1 - items_.must_part.data()[at]) : entry;
}

void CutCone::clip(const MatrixXd& lower, MatrixXd& result) const {
  if (some_must_part_) {
    result = lower.array().max(0.0) * (1 - items_.must_part.array());
  } else {
    result = lower.cwiseMax(0.0);
  }
}

void CutCone::clip_again(const MatrixXd& lower, MatrixXd& result) const {
  if (few_touched * 4 * places_.size() > static_cast<std::size_t>(lower.size())) {
    return clip(lower, result);
  }
  for (const Place& place : places_) {
    for (const Index at : {place.left, place.right, place.apex, place.base}) {
      result.data()[at] = clipped_entry(lower, at);
    }
  }
}

MatrixXd CutCone::project(const MatrixXd& q) {
  MatrixXd shifted = q;  // Q - the sum of mu G, lower triangle
  for (std::size_t t = 0; t < cuts_.size(); ++t) {
    if (cuts_[t].multiplier > 0) add(shifted, places_[t], -cuts_[t].multiplier);
  }
  MatrixXd z;
  clip(shifted, z);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t t = 0; t < cuts_.size(); ++t) {
      const Place& place = places_[t];
      const double* entries = z.data();
      const double violation =
          place.left_weight * entries[place.left] + place.right_weight * entries[place.right] -
          place.apex_weight * entries[place.apex] - place.base_weight * entries[place.base];
      const double d = std::max(-cuts_[t].multiplier, violation / place.squared_norm);
      if (d == 0) continue;
      cuts_[t].multiplier += d;
      add(z, place, -d);
      add(shifted, place, -d);
    }
    clip_again(shifted, z);
  }
  copy_to_upper(z);
  return z;
}

CutCone::Dual CutCone::dual(const MatrixXd& q, double units) const {
  const Index size = q.rows();
  Dual dual;
  dual.multipliers.reserve(cuts_.size());
  MatrixXd cuts = MatrixXd::Zero(size, size);  // minus the sum of mu G
  dual.absolute_cuts = MatrixXd::Zero(size, size);
  for (std::size_t t = 0; t < cuts_.size(); ++t) {
    const auto multiplier = static_cast<float>(units * cuts_[t].multiplier);
    dual.multipliers.push_back(multiplier);
    if (multiplier == 0) continue;
    const Place& place = places_[t];
    add(cuts, place, -static_cast<double>(multiplier));
    add(dual.absolute_cuts,
        {place.left, place.right, place.apex, place.base, place.left_weight, place.right_weight,
         -place.apex_weight, -place.base_weight, 0},
        static_cast<double>(multiplier));
  }
  // Where groups must be apart, N may have any sign, and the best is the one that leaves 0.
  const MatrixXd below = -(units * q + cuts);
  const MatrixXd n = below.cwiseMax(0.0) + items_.must_part.cwiseProduct(below.cwiseMin(0.0));
  dual.nonnegative = n.cast<float>().cast<double>();
  dual.matrix = dual.nonnegative + cuts;
  for (MatrixXd* matrix : {&dual.nonnegative, &dual.matrix, &dual.absolute_cuts}) {
    copy_to_upper(*matrix);  // Q is symmetric but for its last digits
  }
  return dual;
}

int CutCone::separate(const MatrixXd& w, double least_violation, std::size_t most, Run& run) {
  const auto size = static_cast<std::int32_t>(w.rows());
  const MatrixXd x = inverse_root_.asDiagonal() * w * inverse_root_.asDiagonal();
  std::vector<std::vector<Violated>> at_apex(static_cast<std::size_t>(size));
  std::atomic<std::int32_t> next = 0;
  run.workers(size < groups_worth_threads ? 1 : run.threads(), [&](int) {
    for (std::int32_t i = next.fetch_add(1); i < size; i = next.fetch_add(1)) {
      at_apex[static_cast<std::size_t>(i)] = violated_at(x, i, least_violation);
    }
  });
  std::vector<Violated> found;
  for (const auto& here : at_apex) found.insert(found.end(), here.begin(), here.end());
  if (found.size() > looked_through * most) {
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(looked_through * most);
    std::nth_element(found.begin(), end, found.end(), is_worse);
    found.erase(end, found.end());
  }
  std::sort(found.begin(), found.end(), is_worse);
  const auto key = [](const auto& cut) { return std::tuple(cut.apex, cut.left, cut.right); };
  std::vector<std::tuple<std::int32_t, std::int32_t, std::int32_t>> known(cuts_.size());
  std::transform(cuts_.begin(), cuts_.end(), known.begin(), key);
  std::sort(known.begin(), known.end());
  std::size_t added = 0;
  for (const Violated& cut : found) {
    if (added == most) break;
    if (std::binary_search(known.begin(), known.end(), key(cut))) continue;
    cuts_.push_back({cut.apex, cut.left, cut.right, 0, 0});
    places_.push_back(place_of(cuts_.back()));
    ++added;
  }
  return static_cast<int>(added);
}

void CutCone::drop_idle(int patience) {
  for (TriangleCut& cut : cuts_) cut.idle = cut.multiplier > 0 ? 0 : cut.idle + 1;
  std::erase_if(cuts_, [&](const TriangleCut& cut) { return cut.idle > patience; });
  find_places();
}

void CutCone::scale_multipliers(double factor) {
  for (TriangleCut& cut : cuts_) cut.multiplier *= factor;
}

}  // namespace tertium::internal
