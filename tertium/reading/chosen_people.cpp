#include "tertium/reading/chosen_people.hpp"

#include <fmt/format.h>

#include "tertium/core/name_list.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/layout.hpp"
#include "tertium/reading/record_table.hpp"

namespace tertium::internal {
namespace {

RowCondition listed_people(const InputFile& file) {
  const RecordTable records = read_record_table(file);
  const auto named = best_column(records.table, common_columns().participant);
  RowCondition condition;
  condition.text = "--participants-file " + file.path;
  if (!named && records.table.columns.size() > 1) {
    throw InputError({{file.path},
                      fmt::format("the columns {}", name_list(records.table.columns)),
                      "one participant per line, or a column called participant",
                      ""});
  }
  if (!named) condition.add_value(records.table.columns[0]);
  for (RecordRows rows(records); rows.next();) {
    condition.add_value(std::string(rows.cell(named.value_or(0))));
  }
  return condition;
}

}  // namespace

std::vector<BoundCondition> chosen_people(const ReadOptions& options, Run& run) {
  std::vector<BoundCondition> people;
  if (!options.participants_file.empty()) {
    const InputFile file(options.participants_file, options.read_limit);
    stop_while_waiting({file}, run);
    people.push_back({listed_people(file), 0, false});
  }
  if (options.drop.empty()) return people;
  RowCondition dropped;
  dropped.text = "--drop";
  for (const std::string& name : options.drop) dropped.add_value(name);
  people.push_back({std::move(dropped), 0, true});
  return people;
}

void choose_people(const std::vector<BoundCondition>& people, const Table& table,
                   Binding& binding) {
  if (people.empty()) return;
  if (!binding.participant) {
    throw InputError({{table.file},
                      fmt::format("{} and no column of participants (columns: {})",
                                  people[0].condition.text, name_list(table.columns)),
                      "to be told who answered",
                      "Name the column with --participant COLUMN"});
  }
  for (const BoundCondition& chosen : people) {
    binding.conditions.push_back(chosen);
    binding.conditions.back().column = *binding.participant;
  }
}

}  // namespace tertium::internal
