#include "tertium/reading/read_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

[[noreturn]] void contradiction(std::string_view found, std::string_view expected) {
  throw InputError({{}, std::string(found), std::string(expected), ""});
}

}  // namespace

namespace {

std::string separator_in_words(char separator) {
  switch (separator) {
    case ',':
      return "comma";
    case ';':
      return "semicolon";
    case '\t':
      return "tab";
    case ' ':
      return "blanks";
    default:
      return {separator};
  }
}

}  // namespace

std::vector<SetFlag> flags_set(const ReadOptions& options) {
  std::vector<SetFlag> set;
  const auto text = [&](const char* flag, const std::optional<std::string>& value) {
    if (value) set.push_back({flag, *value});
  };
  const auto word = [&](const char* flag, const std::optional<bool>& value, const char* yes,
                        const char* no) {
    if (value) set.push_back({flag, *value ? yes : no});
  };
  text("--anchor", options.anchor);
  text("--near", options.near);
  text("--far", options.far);
  text("--option1", options.option1);
  text("--option2", options.option2);
  text("--option3", options.option3);
  text("--answer", options.answer);
  text("--odd", options.odd);
  text("--participant", options.participant);
  text("--weight", options.weight);
  if (options.kind) set.push_back({"--kind", std::string(to_string(*options.kind))});
  if (options.answer_values) {
    set.push_back({"--answer-values", std::string(to_string(*options.answer_values))});
  }
  word("--answer-means", options.picks_different, "different", "alike");
  for (const std::string& condition : options.where) set.push_back({"--where", condition});
  for (const std::string& condition : options.exclude) set.push_back({"--exclude", condition});
  for (const std::string& name : options.drop) set.push_back({"--drop", name});
  if (!options.participants_file.empty()) {
    set.push_back({"--participants-file", options.participants_file});
  }
  if (options.ids_from) set.push_back({"--ids-from", std::to_string(*options.ids_from)});
  word("--header", options.header, "yes", "no");
  if (options.separator) set.push_back({"--separator", separator_in_words(*options.separator)});
  if (!options.items_file.empty()) set.push_back({"--items", options.items_file});
  text("--item-name", options.item_name);
  text("--shown", options.shown);
  if (options.merge_names) set.push_back({"--merge-names", ""});
  if (options.keep_duplicates) set.push_back({"--duplicates", "keep"});
  if (options.add_unknown_items) set.push_back({"--unknown-items", "add"});
  if (options.skip_bad_rows) set.push_back({"--skip-bad-rows", ""});
  return set;
}

std::optional<std::array<std::size_t, 3>> places_shown(const ReadOptions& options) {
  if (!options.shown) return std::nullopt;
  constexpr std::array<std::string_view, 3> roles = {"anchor", "option1", "option2"};
  std::array<std::size_t, 3> places{};
  std::string_view rest = *options.shown;
  std::size_t found = 0;
  for (std::size_t place = 0; place < roles.size(); ++place) {
    const auto end = rest.find(',');
    const auto* const role = std::find(roles.begin(), roles.end(), trimmed(rest.substr(0, end)));
    if (role == roles.end()) break;
    places[static_cast<std::size_t>(role - roles.begin())] = place;
    found |= std::size_t{1} << static_cast<std::size_t>(role - roles.begin());
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  if (found != 7 || !rest.empty()) {
    contradiction(fmt::format("--shown {}", in_quotes(*options.shown)),
                  "anchor, option1 and option2 in the order of the pictures, with commas between");
  }
  return places;
}

std::vector<BoundCondition> conditions_of(const ReadOptions& options) {
  std::vector<BoundCondition> conditions;
  for (const std::string& text : options.where) {
    conditions.push_back({parse_condition(text, "--where"), 0, false});
  }
  for (const std::string& text : options.exclude) {
    conditions.push_back({parse_condition(text, "--exclude"), 0, true});
  }
  return conditions;
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

void validate(const ReadOptions& options) {
  conditions_of(options);
  places_shown(options);
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
