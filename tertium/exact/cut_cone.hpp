#pragma once

#include <vector>

#include <Eigen/Core>

#include "tertium/exact/merged_items.hpp"
#include "tertium/exact/triangle_cut.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

/// The polyhedral cone K that all partitions lie in, as far as it is known: W >= 0 (= 0 for groups
/// that must be apart), and the triangle cuts found so far. Projections start from the multipliers
/// of the last one.
class CutCone {
 public:
  /// `items` must outlive this.
  CutCone(const MergedItems& items, std::vector<TriangleCut> cuts);

  [[nodiscard]] const std::vector<TriangleCut>& cuts() const { return cuts_; }

  /// Near the projection of Q onto K: a few sweeps of Hildreth's method over the cuts, the orthant
  /// in closed form. Symmetric.
  Eigen::MatrixXd project(const Eigen::MatrixXd& q);

  /// The combination of the constraints that the multipliers stand for, for this Q: N - the sum of
  /// mu_t G_t, with N >= 0 but for groups that must be apart. Any multiplier >= 0 and any such N
  /// prove a bound, however far the projection is from exact; so they are rounded to 32 bits.
  struct Dual {
    Eigen::MatrixXd matrix;          // N - the sum of mu G, in the units asked for
    Eigen::MatrixXd nonnegative;     // N
    std::vector<float> multipliers;  // of the cuts
    Eigen::MatrixXd absolute_cuts;   // the sum of mu |G|, by which rounding is measured
  };
  [[nodiscard]] Dual dual(const Eigen::MatrixXd& q, double units) const;

  /// Adds the `most` most violated cuts of a W that are not there yet; returns how many. The same
  /// ones at any number of threads.
  int separate(const Eigen::MatrixXd& w, double least_violation, std::size_t most, Run& run);
  /// Drops cuts that had no multiplier for more than so many calls in a row.
  void drop_idle(int patience);
  /// Multipliers are in units of 1 / penalty.
  void scale_multipliers(double factor);

 private:
  /// Where a cut touches the lower triangle of W, and how strongly.
  struct Place {
    Eigen::Index left = 0;   // of W_ij
    Eigen::Index right = 0;  // of W_ir
    Eigen::Index apex = 0;   // of W_ii
    Eigen::Index base = 0;   // of W_jr
    double left_weight = 0;
    double right_weight = 0;
    double apex_weight = 0;
    double base_weight = 0;
    double squared_norm = 0;
  };
  [[nodiscard]] Place place_of(const TriangleCut& cut) const;
  void find_places();
  /// A lower triangle += d * G
  static void add(Eigen::MatrixXd& lower, const Place& place, double d);
  /// The projection onto the orthant, of one entry and of all.
  [[nodiscard]] double clipped_entry(const Eigen::MatrixXd& lower, Eigen::Index at) const;
  void clip(const Eigen::MatrixXd& lower, Eigen::MatrixXd& result) const;
  /// The same where `lower` has changed at the places of cuts alone.
  void clip_again(const Eigen::MatrixXd& lower, Eigen::MatrixXd& result) const;

  const MergedItems& items_;
  bool some_must_part_;
  Eigen::VectorXd inverse_root_;
  std::vector<TriangleCut> cuts_;
  std::vector<Place> places_;
};

}  // namespace tertium::internal
