#include "tertium/reading/read_options.hpp"

#include <fmt/format.h>

#include "tertium/core/error.hpp"

namespace tertium {
namespace {

[[noreturn]] void contradiction(std::string_view found, std::string_view expected) {
  throw InputError({{}, std::string(found), std::string(expected), ""});
}

}  // namespace

std::string some_flag_set(const ReadOptions& options) {
  const std::pair<bool, const char*> flags[] = {
      {options.anchor.has_value(), "--anchor"},
      {options.near.has_value(), "--near"},
      {options.far.has_value(), "--far"},
      {options.option1.has_value(), "--option1"},
      {options.option2.has_value(), "--option2"},
      {options.option3.has_value(), "--option3"},
      {options.answer.has_value(), "--answer"},
      {options.odd.has_value(), "--odd"},
      {options.participant.has_value(), "--participant"},
      {options.weight.has_value(), "--weight"},
      {options.kind.has_value(), "--kind"},
      {options.answer_values.has_value(), "--answer-values"},
      {options.picks_different.has_value(), "--answer-means"},
      {!options.where.empty(), "--where"},
      {options.ids_from.has_value(), "--ids-from"},
      {options.header.has_value(), "--header"},
      {options.separator.has_value(), "--separator"},
      {!options.items_file.empty(), "--items"},
      {options.item_name.has_value(), "--item-name"},
      {options.skip_bad_rows, "--skip-bad-rows"},
  };
  for (const auto& [set, flag] : flags) {
    if (set) return flag;
  }
  return "";
}

void validate(const ReadOptions& options) {
  const bool direct = options.near || options.far;
  const bool choice = options.option1 || options.option2 || options.answer;
  if (direct && choice) {
    contradiction("--near or --far together with --option1, --option2 or --answer",
                  "either the nearer and the farther item, or two options and an answer");
  }
  if (direct && options.odd) contradiction("--near or --far together with --odd", "one of them");
  if (options.odd && options.answer) {
    contradiction("--odd together with --answer", "one of them: both name the odd item");
  }
  if (options.odd && options.kind && options.kind != ScreenKind::odd_one_out) {
    contradiction(fmt::format("--odd together with --kind {}", to_string(*options.kind)),
                  "--kind odd-one-out");
  }
  const bool anchored = options.anchor || direct;
  const bool no_anchor =
      options.odd || options.option3 || options.kind == ScreenKind::quadruplets ||
      options.kind == ScreenKind::odd_one_out || options.kind == ScreenKind::most_central;
  if (anchored && no_anchor) {
    contradiction("--anchor, --near or --far for a kind of question that has no anchor",
                  "--kind triplets, ranking or grid");
  }
  if (options.picks_different && options.kind && options.kind != ScreenKind::quadruplets) {
    contradiction(fmt::format("--answer-means together with --kind {}", to_string(*options.kind)),
                  "--kind quadruplets");
  }
  if (options.ids_from && *options.ids_from != 0 && *options.ids_from != 1) {
    contradiction(fmt::format("--ids-from {}", *options.ids_from), "0 or 1");
  }
  if (options.add_unknown_items && options.items_file.empty()) {
    contradiction("--unknown-items without --items", "a list of items");
  }
}

}  // namespace tertium
