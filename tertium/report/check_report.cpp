#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tertium/core/utf8.hpp"
#include "tertium/report.hpp"
#include "tertium/report/json.hpp"

namespace tertium::internal {
namespace {

constexpr std::size_t names_shown = 10;
constexpr std::size_t places_shown = 10;
constexpr std::size_t participants_shown = 20;

std::string some_names(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), names_shown); ++i) {
    shown.push_back(printable(names[i]));
  }
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (names.size() > names_shown) text += fmt::format(", and {} more", names.size() - names_shown);
  return text;
}

/// "answers.csv, lines 3, 7 and 12 more": places of one kind of thing.
std::string some_places(const std::vector<Place>& places, std::uint64_t total) {
  std::string text;
  const std::string* file = nullptr;
  const std::size_t shown = std::min(places.size(), places_shown);
  for (std::size_t i = 0; i < shown; ++i) {
    if (file == nullptr || *file != places[i].file) {
      text += fmt::format("{}{}, {}{} {}", i > 0 ? "; " : "", escaped(places[i].file),
                          places[i].unit, places.size() > 1 ? "s" : "", places[i].line);
      file = &places[i].file;
    } else {
      text += fmt::format(", {}", places[i].line);
    }
  }
  if (total > shown) text += fmt::format(" and {} more", total - shown);
  return text;
}

/// What is told of the input may hold anything.
std::string line(std::string_view title, const std::string& text) {
  return fmt::format("{:<18}{}\n", title, escaped(text));
}

std::string row_counts(const RowCounts& counts) {
  std::vector<std::string> parts{fmt::format("{} answered", counts.answered)};
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(counts.unanswered, "unanswered");
  add(counts.ties, "tied");
  add(counts.not_questions, "not questions");
  add(counts.filtered, "left out by flags");
  add(counts.catch_trials, "catch trials left out");
  add(counts.bad, "bad rows skipped");
  return fmt::format("{}  ({})", counts.rows, fmt::join(parts, ", "));
}

std::string kinds_of(const ReadReport& report) {
  std::vector<std::string_view> kinds;
  for (const TableReport& table : report.tables) {
    const std::string_view kind = to_string(table.kind);
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  }
  return fmt::format("{}", fmt::join(kinds, ", "));
}

std::string comparison_word(const ReadReport& report) {
  const bool quadruplets =
      !report.tables.empty() && report.tables[0].kind == ScreenKind::quadruplets;
  return quadruplets ? "quadruplets" : "triplets";
}

/// Where the comparisons come from, if that is not plain: other kinds of questions, weights.
std::string origin_of(const DataCheck& check, const ReadReport& report) {
  std::string text;
  if (kinds_of(report) != comparison_word(report)) {
    text += fmt::format(", from {} answers ({})", check.answers, kinds_of(report));
  }
  if (check.weight != static_cast<double>(check.answers)) {
    text += fmt::format(", with a total weight of {}", check.weight);
  }
  return text;
}

std::string components_text(const DataCheck& check) {
  if (check.components.empty()) return "no answer links any";
  if (check.components.size() == 1) return "all linked by answers";
  std::vector<std::size_t> sizes;
  for (const auto& component : check.components) sizes.push_back(component.size());
  if (sizes.size() > names_shown) sizes.resize(names_shown);
  return fmt::format("{} groups that no answer links, of sizes {}{}", check.components.size(),
                     fmt::join(sizes, ", "), check.components.size() > names_shown ? ", ..." : "");
}

std::string items_file_text(const ReadReport& report) {
  std::string text = fmt::format("{} items", report.listed_items);
  if (report.listed_pictures > 0) text += fmt::format(", {} with pictures", report.listed_pictures);
  if (report.categories.empty()) return text;
  std::vector<std::string> sizes;
  for (const auto& [category, size] : report.categories) {
    sizes.push_back(fmt::format("{} {}", printable(category), size));
  }
  if (sizes.size() > names_shown) sizes.resize(names_shown);
  return text + fmt::format(", {} categories ({}{})", report.categories.size(),
                            fmt::join(sizes, ", "),
                            report.categories.size() > names_shown ? ", ..." : "");
}

std::string participants_text(const DataCheck& check) {
  if (check.participants.empty()) return "";
  std::string text = line("participants", fmt::format("{}", check.participants.size()));
  // Those to look at first: suspicious ones, then the least agreeing.
  std::vector<const ParticipantCheck*> order;
  for (const ParticipantCheck& participant : check.participants) order.push_back(&participant);
  const auto rank = [](const ParticipantCheck* p) {
    const int suspicion = static_cast<int>(p->looks_random) + static_cast<int>(p->one_sided);
    return std::pair(-suspicion, p->agreement.value_or(2.0));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  std::size_t width = 4;
  const std::size_t shown = std::min(order.size(), participants_shown);
  for (std::size_t i = 0; i < shown; ++i) width = std::max(width, printable(order[i]->name).size());
  text += fmt::format("\n  {:<{}}  {:>8}  {:>16}  {:>18}\n", "name", width, "answers",
                      "agree with others", "favourite place");
  for (std::size_t i = 0; i < shown; ++i) {
    const ParticipantCheck& p = *order[i];
    const std::string agreement =
        p.agreement ? fmt::format("{:.2f} of {}", *p.agreement, p.shared_answers) : "-";
    const std::string place =
        p.favourite_share ? fmt::format("{}: {:.2f}", p.favourite_place, *p.favourite_share) : "-";
    std::string remark;
    if (p.looks_random) remark += "  answers as if at random";
    if (p.one_sided) remark += "  nearly always the same place";
    text += fmt::format("  {:<{}}  {:>8}  {:>16}  {:>18}{}\n", printable(p.name), width, p.answers,
                        agreement, place, remark);
  }
  if (order.size() > shown) text += fmt::format("  ... and {} more\n", order.size() - shown);
  return text;
}

/// Notes, and the bad rows that were skipped.
std::string notes_and_bad_rows(const ReadReport& report) {
  std::string text;
  for (const std::string& note : report.notes) text += fmt::format("note: {}\n", escaped(note));
  if (report.counts.bad > 0) {
    text += fmt::format("warning: {} bad {} skipped:\n", report.counts.bad,
                        report.counts.bad == 1 ? "row" : "rows");
    const std::size_t shown = std::min(report.bad_rows.size(), places_shown);
    for (std::size_t i = 0; i < shown; ++i) {
      text += fmt::format("  {}\n", escaped(report.bad_rows[i].second));
    }
    if (report.counts.bad > shown)
      text += fmt::format("  and {} more\n", report.counts.bad - shown);
  }
  return text;
}

Json place_json(const Place& place) { return {{"file", place.file}, {"line", place.line}}; }

Json table_json(const TableReport& table) {
  Json columns = Json::object();
  for (const auto& [role, column] : table.columns) columns[role] = column;
  Json json = {
      {"file", table.file},        {"layout", table.layout},     {"kind", to_string(table.kind)},
      {"format", table.separator}, {"header", table.has_header}, {"columns", columns}};
  json["answer_values"] = table.answer_values.empty() ? Json(nullptr) : Json(table.answer_values);
  json["first_row"] = table.first_sentence;
  json["rows"] = table.counts.rows;
  return json;
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string understood_as_text(const ReadReport& report) {
  std::string text;
  constexpr std::size_t tables_shown = 5;
  for (std::size_t i = 0; i < std::min(report.tables.size(), tables_shown); ++i) {
    const TableReport& table = report.tables[i];
    std::vector<std::string> columns;
    for (const auto& [role, column] : table.columns) {
      columns.push_back(fmt::format("{} = {}", role, printable(column)));
    }
    text += fmt::format("{}\n", escaped(table.file));
    text += fmt::format("  read as {}: {} ({}{})\n", to_string(table.kind), table.layout,
                        table.separator, table.has_header ? "" : ", no header");
    text += fmt::format("  columns {}\n", fmt::join(columns, ", "));
    if (!table.answer_values.empty()) {
      text += fmt::format("  answers are given as {}\n", escaped(table.answer_values));
    }
    if (!table.first_sentence.empty()) {
      text += fmt::format("  {}\n", escaped(table.first_sentence));
    }
  }
  if (report.tables.size() > tables_shown) {
    text += fmt::format("... and {} more files\n", report.tables.size() - tables_shown);
  }
  return text;
}

std::string input_as_text(const ReadReport& report) {
  if (report.tables.empty()) return "";
  std::string text = understood_as_text(report) + "\n" + line("rows", row_counts(report.counts));
  const auto names_people = [](const TableReport& table) {
    return std::any_of(table.columns.begin(), table.columns.end(),
                       [](const auto& column) { return column.first == "participant"; });
  };
  if (!std::all_of(report.tables.begin(), report.tables.end(), names_people)) {
    text += line("participants",
                 "unknown: no column says who answered (--participant COLUMN, or file if every "
                 "file is one person's); confidence is about answers, not people");
  }
  return text;
}

std::string warnings_as_text(const ReadReport& report) {
  std::string text;
  if (report.self_comparisons > 0) {
    text += fmt::format("note: {} an item with itself and {} not used: {}\n",
                        report.self_comparisons == 1
                            ? "1 row compares"
                            : fmt::format("{} rows compare", report.self_comparisons),
                        report.self_comparisons == 1 ? "was" : "were",
                        some_places(report.self_comparison_places, report.self_comparisons));
  }
  return text + notes_and_bad_rows(report);
}

std::string check_as_text(const DataCheck& check, const ReadReport& report) {
  std::string text = input_as_text(report);
  text += line("comparisons", fmt::format("{} {}{}", check.comparisons, comparison_word(report),
                                          origin_of(check, report)));
  text += line("items", fmt::format("{}  ({})", check.items, components_text(check)));
  if (report.listed_items > 0) text += line("items file", items_file_text(report));
  text +=
      line("questions",
           fmt::format("{} distinct; {} asked more than once, {} answered in contradictory ways",
                       check.distinct_questions, check.repeated_questions,
                       check.contradicted_questions));
  if (check.repeat_agreement) {
    text += line("repeat agreement",
                 fmt::format("{:.2f}  (two answers to one question; by chance {:.2f}): nothing can "
                             "predict more than {:.0f} % of the answers",
                             *check.repeat_agreement, check.chance_agreement,
                             100 * *check.prediction_ceiling));
  } else {
    text += line("repeat agreement", check.repeats_removed
                                         ? "unknown: no answer occurs twice, repeats were removed"
                                         : "unknown: no question was asked twice");
  }
  text +=
      line("self-comparisons",
           report.self_comparisons == 0
               ? std::string("none")
               : fmt::format("{}  ({})", report.self_comparisons,
                             some_places(report.self_comparison_places, report.self_comparisons)));
  const auto names = [&](std::string_view title, const std::vector<std::string>& list) {
    if (!list.empty()) text += line(title, fmt::format("{}  ({})", list.size(), some_names(list)));
  };
  names("never mentioned", check.unmentioned_items);
  names("mentioned once", check.once_mentioned_items);
  names("never an anchor", check.never_anchors);
  if (!check.unused_numbers.empty()) {
    std::vector<std::string> numbers;
    for (const std::uint64_t number : check.unused_numbers)
      numbers.push_back(std::to_string(number));
    names("numbers not used", numbers);
  }
  for (std::size_t i = 1; i < std::min<std::size_t>(check.components.size(), 4); ++i) {
    names(fmt::format("group {}", i + 1), check.components[i]);
  }
  text += participants_text(check);
  const std::string warnings = notes_and_bad_rows(report);
  if (!warnings.empty()) text += "\n" + warnings;
  return text;
}

std::string check_as_json(const DataCheck& check, const ReadReport& report) {
  Json json;
  json["files"] = Json::array();
  for (const TableReport& table : report.tables) json["files"].push_back(table_json(table));
  const RowCounts& counts = report.counts;
  json["rows"] = {{"read", counts.rows},
                  {"answered", counts.answered},
                  {"unanswered", counts.unanswered},
                  {"ties", counts.ties},
                  {"not_questions", counts.not_questions},
                  {"filtered", counts.filtered},
                  {"catch_trials", counts.catch_trials},
                  {"bad", counts.bad}};
  json["comparisons"] = check.comparisons;
  json["answers"] = check.answers;
  json["weight"] = check.weight;
  json["items"] = check.items;
  Json categories = Json::object();
  for (const auto& [category, size] : report.categories) categories[category] = size;
  json["items_file"] = {{"items", report.listed_items},
                        {"pictures", report.listed_pictures},
                        {"categories", categories}};
  json["questions"] = {{"distinct", check.distinct_questions},
                       {"repeated", check.repeated_questions},
                       {"contradicted", check.contradicted_questions},
                       {"most_asked", check.most_asked}};
  json["repeat_agreement"] = or_null(check.repeat_agreement);
  json["prediction_ceiling"] = or_null(check.prediction_ceiling);
  json["repeats_removed"] = check.repeats_removed;
  json["chance_agreement"] = check.chance_agreement;
  Json places = Json::array();
  for (const Place& place : report.self_comparison_places) places.push_back(place_json(place));
  json["self_comparisons"] = {{"count", report.self_comparisons}, {"places", places}};
  Json bad = Json::array();
  for (const auto& [place, message] : report.bad_rows) {
    Json entry = place_json(place);
    entry["message"] = message;
    bad.push_back(entry);
  }
  json["bad_rows"] = bad;
  json["unmentioned_items"] = check.unmentioned_items;
  json["once_mentioned_items"] = check.once_mentioned_items;
  json["never_anchors"] = check.never_anchors;
  json["unused_numbers"] = check.unused_numbers;
  json["components"] = check.components;
  json["participants"] = Json::array();
  for (const ParticipantCheck& p : check.participants) {
    json["participants"].push_back({{"name", p.name},
                                    {"answers", p.answers},
                                    {"shared_answers", p.shared_answers},
                                    {"agreement", or_null(p.agreement)},
                                    {"placed_answers", p.placed_answers},
                                    {"favourite_place", p.favourite_place},
                                    {"favourite_share", or_null(p.favourite_share)},
                                    {"looks_random", p.looks_random},
                                    {"one_sided", p.one_sided}});
  }
  json["notes"] = report.notes;
  return json_text(json);
}

std::string similarity_as_text(const SimilarityMatrix& similarity) {
  const auto unmentioned =
      std::count(similarity.mentions.begin(), similarity.mentions.end(), std::uint64_t{0});
  std::string text;
  text += line("similarity", similarity_title(similarity.rule));
  text += line("items", fmt::format("{}", similarity.size()));
  if (!similarity.is_given()) {
    text += line("comparisons", fmt::format("{}  (repeats: {})", similarity.comparisons,
                                            to_string(similarity.repeats)));
    if (unmentioned > 0) text += line("never mentioned", fmt::format("{}", unmentioned));
  }
  text += line("pairs", fmt::format("{} of {} are not zero", similarity.nonzeros(),
                                    similarity.size() * (similarity.size() - 1) / 2));
  return text;
}

std::string strongest_pairs_as_text(const SimilarityMatrix& similarity) {
  struct Pair {
    std::int64_t value;
    std::uint32_t i;
    std::uint32_t j;
  };
  constexpr std::size_t pairs_shown = 4;
  const auto by_value = [](const Pair& a, const Pair& b) {
    return std::tuple(-a.value, a.i, a.j) < std::tuple(-b.value, b.i, b.j);
  };
  const auto by_opposite = [](const Pair& a, const Pair& b) {
    return std::tuple(a.value, a.i, a.j) < std::tuple(b.value, b.i, b.j);
  };
  std::vector<Pair> alike;
  std::vector<Pair> different;
  const auto keep = [](std::vector<Pair>& best, const Pair& pair, const auto& before) {
    if (best.size() == pairs_shown && !before(pair, best.back())) return;
    best.insert(std::upper_bound(best.begin(), best.end(), pair, before), pair);
    if (best.size() > pairs_shown) best.pop_back();
  };
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      const Pair pair{similarity.value[at], similarity.column[at], static_cast<std::uint32_t>(i)};
      if (pair.value > 0) keep(alike, pair, by_value);
      if (pair.value < 0) keep(different, pair, by_opposite);
    }
  }
  const auto list = [&](std::string_view title, const std::vector<Pair>& pairs) {
    std::vector<std::string> shown;
    for (const Pair& pair : pairs) {
      shown.push_back(fmt::format(
          "{} and {} ({:+})", printable(similarity.items[pair.i]),
          printable(similarity.items[pair.j]),
          static_cast<double>(pair.value) / static_cast<double>(similarity.denominator)));
    }
    return pairs.empty() ? "" : line(title, fmt::format("{}", fmt::join(shown, ", ")));
  };
  return list("most alike", alike) + list("least alike", different);
}

std::string similarity_as_json(const SimilarityMatrix& similarity,
                               const std::optional<std::string>& written_to) {
  Json json = {{"similarity", similarity_title(similarity.rule)},
               {"items", similarity.size()},
               {"comparisons", similarity.comparisons},
               {"weight", static_cast<double>(similarity.weight) /
                              static_cast<double>(similarity.denominator)},
               {"repeats", to_string(similarity.repeats)},
               {"nonzero_pairs", similarity.nonzeros()}};
  if (written_to) json["output"] = *written_to;
  return json_text(json);
}

}  // namespace tertium
