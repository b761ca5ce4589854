#pragma once

#include <vector>

#include "tertium/read.hpp"
#include "tertium/reading/binding.hpp"
#include "tertium/reading/row.hpp"

namespace tertium::internal {

/// `drop` and `participants_file` as conditions, of no column yet. The file has one participant per
/// line, or a column of them under one of the usual names; all who are in it are kept.
std::vector<BoundCondition> chosen_people(const ReadOptions& options, Run& run);

/// Ties them to the column of participants and puts them behind the other conditions. Throws
/// InputError if there is none.
void choose_people(const std::vector<BoundCondition>& people, const Table& table, Binding& binding);

}  // namespace tertium::internal
