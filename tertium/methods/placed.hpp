#pragma once

#include "tertium/embedding/loss_table.hpp"
#include "tertium/problem/method.hpp"

namespace tertium::internal {

/// Places the items as points by a loss, and groups these by k-means.
template <LossKind kind>
Candidate cluster_placed(Problem& problem, int clusters);
template <LossKind kind>
Labels refit_placed(Problem& problem, int clusters, const RefitStart& start);

template <LossKind kind>
constexpr Method placing_method(std::string_view name, std::string_view description) {
  return {
      .name = name,
      .description = description,
      .certificates = true,
      .slow = true,
      .needs_answers = true,
      .cluster = cluster_placed<kind>,
      .refit = refit_placed<kind>,
  };
}

inline constexpr Method placed_by_tste =
    placing_method<LossKind::tste>("tste", "k-means on points by t-STE");
inline constexpr Method placed_by_ste =
    placing_method<LossKind::ste>("ste", "k-means on points by STE");
inline constexpr Method placed_by_ckl =
    placing_method<LossKind::ckl>("ckl", "k-means on points by crowd kernel learning");
inline constexpr Method placed_by_gnmds =
    placing_method<LossKind::gnmds>("gnmds", "k-means on points by non-metric scaling");
inline constexpr Method placed_by_soe =
    placing_method<LossKind::soe>("soe", "k-means on points by soft ordinal embedding");

}  // namespace tertium::internal
