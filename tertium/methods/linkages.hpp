#pragma once

#include "tertium/hierarchy/linkage.hpp"
#include "tertium/problem/method.hpp"

namespace tertium::internal {

/// Merges clusters by S of the pairs between them, and cuts the tree into k. With the kernel MulK-4
/// and the mean this is 4K-AL of ComparisonHC.
template <Linkage linkage>
Candidate cluster_by_linkage(Problem& problem, int clusters);
template <Linkage linkage>
Labels refit_by_linkage(Problem& problem, int clusters, const RefitStart& start);

template <Linkage linkage>
constexpr Method linkage_method(std::string_view name, std::string_view description) {
  return {
      .name = name,
      .description = description,
      .certificates = true,
      .slow = false,
      .needs_answers = false,
      .cluster = cluster_by_linkage<linkage>,
      .refit = refit_by_linkage<linkage>,
  };
}

inline constexpr Method average_linkage = linkage_method<Linkage::average>(
    "average-linkage", "a tree: merge the clusters with the largest mean similarity");
inline constexpr Method single_linkage = linkage_method<Linkage::single>(
    "single-linkage", "a tree: merge the clusters with the most similar pair");
inline constexpr Method complete_linkage = linkage_method<Linkage::complete>(
    "complete-linkage", "a tree: merge the clusters whose least similar pair is most similar");

}  // namespace tertium::internal
