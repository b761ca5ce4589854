#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tertium/partition.hpp"
#include "tertium/read.hpp"

namespace tertium {

/// A cluster or class for every item, by name.
struct Labeling {
  std::vector<std::string> items;
  std::vector<std::string> labels;
};

/// Which columns of a table are meant; found by name if not given.
struct LabelColumns {
  std::optional<std::string> item;
  std::optional<std::string> label;
  std::string item_flag = "--item";  // what messages tell the user to add
  std::string label_flag = "--label";
};

/// Reads a table with a column of items and a column of labels. The columns are those named, or
/// else the best of the usual names (item, name, id, index; cluster, label, class, category). Rows
/// without a label are left out. Throws InputError, also when an item has two labels.
Labeling read_labeling(const InputFile& file, const LabelColumns& columns = {});

/// The labels of `items`, in their order. Throws InputError, naming `file`, for an item without.
std::vector<std::string> labels_in_order(const Labeling& labeling,
                                         const std::vector<std::string>& items,
                                         const std::string& file);

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
