#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tertium/reading/layout.hpp"
#include "tertium/reading/read_options.hpp"
#include "tertium/reading/row.hpp"
#include "tertium/reading/row_condition.hpp"

namespace tertium::internal {

/// A layout tied to the columns of one table (indices from 0).
struct Binding {
  std::string title;
  ScreenKind kind = ScreenKind::triplets;
  std::optional<std::size_t> anchor;
  std::vector<std::size_t> options;
  std::optional<std::size_t> list;
  std::optional<std::array<std::size_t, 3>> shown_places;  // of anchor and options in the list
  std::optional<std::size_t> picked;  // index of the picked option when that is fixed
  std::optional<std::size_t> answer;
  std::optional<AnswerCoding> coding;
  bool picks_different = false;
  std::vector<std::size_t> votes;
  std::vector<std::size_t> shown;
  std::optional<std::size_t> weight;
  std::optional<std::size_t> participant;
  std::string participant_name;  // of all rows, where no column says it
  std::optional<std::size_t> catch_trial;
  std::vector<BoundCondition> conditions;  // in the same order for all tables
};

/// The first layout that fits the columns, or what the options say. Throws InputError that names
/// the flag to add when nothing fits or when the columns leave something open.
Binding bind_columns(const Table& table, const ReadOptions& options);

/// True if the columns fit a layout by their names alone: the first row of a file is a header.
bool fits_a_layout(const Table& table, const ReadOptions& options);

/// How pandas calls the column of its index, or leaves it without a name.
bool is_index_name(std::string_view name);

/// The columns that a binding looks at.
std::vector<std::size_t> columns_used(const Binding& binding);

/// Role and column in words: {"anchor", "head"}, {"near", "winner"}, ...
std::vector<std::pair<std::string, std::string>> describe(const Binding& binding,
                                                          const Table& table);

}  // namespace tertium::internal
