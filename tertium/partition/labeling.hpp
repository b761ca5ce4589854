#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tertium {

/// A cluster or class for every item, by name.
struct Labeling {
  std::vector<std::string> items;
  std::vector<std::string> labels;
};

/// Reads a table with a column of items and a column of labels. The columns are those named, or
/// else the best of the usual names (item, name, id, index; cluster, label, class, category). Rows
/// without a label are left out. Throws InputError, also when an item has two labels.
struct LabelColumns {
  std::optional<std::string> item;
  std::optional<std::string> label;
  std::string item_flag = "--item";  // what messages tell the user to add
  std::string label_flag = "--label";
};
Labeling read_labeling(const std::string& path, const LabelColumns& columns = {});

}  // namespace tertium
