#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tertium/answers/screen.hpp"
#include "tertium/read.hpp"

namespace tertium::internal {

/// What survey tools write: which columns play which role and what kind of question it is. Names
/// are lists of accepted column names, normalised (lower case, letters and digits only), separated
/// by spaces, the best one first. A new tool's export is a new entry in layout.cpp.
struct Layout {
  std::string_view title;          // for messages
  std::optional<ScreenKind> kind;  // empty: the columns do not tell, `--kind` must
  std::string_view anchor;         // empty: the question has no anchor

  // The options shown, in one of three forms that can follow each other:
  std::vector<std::string_view> options;  // a column each
  std::string_view series;                // columns with this name and a number: stim1, stim2, ...
  std::string_view list;                  // one cell with a list

  // Which of them was picked: a fixed one, or what the answer column says.
  std::optional<std::size_t> picked;
  std::string_view answer;
  std::optional<AnswerCoding> coding;           // empty: found from the values
  std::optional<bool> picks_different = false;  // the pick is the pair that differs MORE; empty:
                                                // the columns do not tell, `--answer-means` must

  bool in_order_told = false;  // which of the list is the anchor: `--shown` says

  std::vector<std::string_view> votes;  // instead of a pick: a column of votes per option
  std::vector<std::string_view> shown;  // where `picked` is fixed: columns with the order on screen
};

/// All layouts, in the order in which they are tried: the first whose columns are all there is
/// used.
std::span<const Layout> layouts();

/// Columns that mean the same in every layout.
struct CommonColumns {
  std::string_view weight;
  std::string_view participant;
  std::string_view catch_trial;
};
const CommonColumns& common_columns();

}  // namespace tertium::internal
