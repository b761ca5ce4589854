#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/labeling.hpp"

namespace tertium {

/// How far two labelings of the same items agree.
struct Agreement {
  double adjusted_rand = 0;       // Hubert and Arabie: 1 identical, 0 as by chance
  double mutual_information = 0;  // normalised by the mean of the two entropies, 0 to 1
  std::size_t items = 0;          // items that both label: what the two numbers are about
  std::size_t clusters_a = 0;
  std::size_t clusters_b = 0;
  std::vector<std::string> only_in_a;
  std::vector<std::string> only_in_b;
};

/// The adjusted Rand index of two labelings of the same items, in the same order.
double adjusted_rand_index(const Labels& a, const Labels& b);

/// Compares by item name. Throws InputError if no item is in both.
Agreement compare_labelings(const Labeling& a, const Labeling& b);

}  // namespace tertium
