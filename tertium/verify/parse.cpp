#include "tertium/verify/parse.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "tertium/core/utf8.hpp"

namespace tertium::internal::verifying {
namespace {

using Json = nlohmann::ordered_json;

/// The deepest valid file: the object, "similarity" or a list, its values, which may be pairs.
constexpr int deepest_nesting = 3;
constexpr std::uint64_t largest_checksum = 0xFFFFFFFFU;

using Fields = std::vector<std::string_view>;

Fields fields_of(bool optimal, int version, bool cancels) {
  Fields fields = {"format", "version", "claim", "similarity", "items", "labels", "objective"};
  const Fields more =
      optimal        ? Fields{"lo", "hi", "level", "failure_probability"}
      : version == 1 ? Fields{"program", "upper_bound", "dual", "dual_checksum"}
      : cancels      ? Fields{"upper_bound", "lambda", "share"}
                     : Fields{"upper_bound", "only_best", "tree", "numbers", "numbers_checksum"};
  fields.insert(fields.end(), more.begin(), more.end());
  fields.emplace_back("checksum");
  return fields;
}

std::string shown(const Json& value) {
  if (value.is_string()) return in_quotes(value.get_ref<const std::string&>());
  return printable(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// The library keeps the last of two equal keys and any depth; here both are refused.
Json parse_json(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    refuse("the certificate", "a byte order mark", "JSON in plain UTF-8");
  }
  std::vector<std::set<std::string>> keys;
  const auto inspect = [&](int depth, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start) {
      if (depth >= deepest_nesting) {
        refuse("the certificate", "lists or objects nested deeper than any field is",
               "the fields of a certificate");
      }
      keys.resize(static_cast<std::size_t>(depth) + 1);
      keys.back().clear();
    } else if (event == Json::parse_event_t::key &&
               !keys.back().insert(value.get<std::string>()).second) {
      refuse("the certificate", fmt::format("the field {} twice", shown(value)), "each field once");
    } else if (event == Json::parse_event_t::object_end ||
               event == Json::parse_event_t::array_end) {
      keys.pop_back();
    }
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), inspect);
  } catch (const Json::parse_error& error) {
    const auto end = static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = 1 + std::count(text.begin(), text.begin() + end, '\n');
    refuse(fmt::format("the certificate, line {}", line), "no valid JSON",
           "a file that `sdp` or `cluster` has written");
  } catch (const Json::exception&) {
    refuse("the certificate", "a number too large for any field", "the fields of a certificate");
  }
}

void expect_fields(const Json& object, const std::string& where, const Fields& expected) {
  for (const auto& [name, value] : object.items()) {
    if (std::find(expected.begin(), expected.end(), name) == expected.end()) {
      refuse(where, fmt::format("the field {}", in_quotes(name)), "only the fields of its version");
    }
  }
  for (const std::string_view name : expected) {
    if (!object.contains(name)) refuse(where, fmt::format("no field '{}'", name), "that field");
  }
}

const std::string& text_of(const Json& value, std::string_view name) {
  if (!value.is_string()) refuse(name, shown(value), "a text");
  return value.get_ref<const std::string&>();
}

double number_of(const Json& value, std::string_view name) {
  if (!value.is_number()) refuse(name, shown(value), "a number");
  const double number = value.get<double>();
  if (!std::isfinite(number)) refuse(name, shown(value), "a finite number");
  return number;
}

std::optional<double> number_or_null(const Json& value, std::string_view name) {
  if (value.is_null()) return {};
  return number_of(value, name);
}

std::uint64_t whole_number(const Json& value, std::string_view name, std::uint64_t smallest,
                           std::uint64_t largest) {
  // The library has two types of whole numbers: with and without a sign.
  const bool is_whole =
      value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  if (!is_whole || value.get<std::uint64_t>() < smallest || value.get<std::uint64_t>() > largest) {
    refuse(name, shown(value), fmt::format("a whole number from {} to {}", smallest, largest));
  }
  return value.get<std::uint64_t>();
}

std::uint32_t checksum_of(const Json& value, std::string_view name) {
  return static_cast<std::uint32_t>(whole_number(value, name, 0, largest_checksum));
}

/// The position of a text in a list of the allowed ones.
template <std::size_t count>
std::size_t one_of(const Json& value, std::string_view name,
                   const std::array<std::string_view, count>& allowed) {
  const std::string& text = text_of(value, name);
  const auto at = std::find(allowed.begin(), allowed.end(), text);
  if (at == allowed.end()) {
    std::string list;
    for (const std::string_view word : allowed) list += fmt::format(" '{}'", word);
    refuse(name, shown(value), "one of" + list);
  }
  return static_cast<std::size_t>(at - allowed.begin());
}

int exponent_of(const Json& value) {
  constexpr std::int64_t largest = 400;  // of squares of doubles that are neither 0 nor infinite
  if (!value.is_number_integer() || value.get<double>() < -largest ||
      value.get<double>() > largest) {
    refuse("similarity.exponent", shown(value),
           fmt::format("a whole number from {} to {}", -largest, largest));
  }
  return value.get<int>();
}

void parse_similarity(const Json& json, Claim& claim) {
  if (!json.is_object()) refuse("similarity", shown(json), "an object");
  Fields fields = {"kind", "repeats", "comparisons", "denominator", "checksum"};
  const bool is_of_points = json.contains("kind") && json["kind"] == "points";
  if (is_of_points) fields.emplace_back("exponent");
  expect_fields(json, "similarity", fields);
  constexpr std::array<std::string_view, 4> kinds = {"adds3", "adds4", "precomputed", "points"};
  claim.kind = kinds[one_of(json["kind"], "similarity.kind", kinds)];
  claim.repeats = std::array{Repeats::sum, Repeats::once, Repeats::majority}[one_of<3>(
      json["repeats"], "similarity.repeats", {"sum", "once", "majority"})];
  claim.comparisons = whole_number(json["comparisons"], "similarity.comparisons", 0, UINT64_MAX);
  claim.denominator = static_cast<std::int64_t>(
      whole_number(json["denominator"], "similarity.denominator", 1, INT64_MAX));
  claim.similarity_checksum = checksum_of(json["checksum"], "similarity.checksum");
  if (is_of_points) claim.exponent = exponent_of(json["exponent"]);
}

void parse_partition(const Json& items, const Json& labels, Claim& claim) {
  if (!items.is_array() || items.empty()) refuse("items", shown(items), "a list of names");
  std::unordered_set<std::string> seen;
  for (const Json& item : items) {
    claim.items.push_back(text_of(item, "items"));
    if (!seen.insert(claim.items.back()).second) {
      refuse("items", shown(item) + " twice", "every item once");
    }
  }
  if (!labels.is_array() || labels.size() != items.size()) {
    refuse("labels", labels.is_array() ? fmt::format("{} labels", labels.size()) : shown(labels),
           fmt::format("a list of {} labels, one for each item", items.size()));
  }
  std::vector<bool> used(items.size());
  for (const Json& label : labels) {
    const std::uint64_t number = whole_number(label, "labels", 1, items.size());
    used[number - 1] = true;
    claim.labels.push_back(static_cast<std::uint32_t>(number - 1));
    claim.clusters = std::max<std::size_t>(claim.clusters, number);
  }
  const auto unused = std::find(used.begin(), used.end(), false) - used.begin();
  if (static_cast<std::size_t>(unused) < claim.clusters) {
    refuse("labels", fmt::format("no item with label {}", unused + 1),
           fmt::format("every number from 1 to {}", claim.clusters));
  }
}

void parse_optimal(const Json& json, Claim& claim) {
  claim.lo = number_or_null(json["lo"], "lo");
  claim.hi = number_or_null(json["hi"], "hi");
  if (!claim.lo && claim.clusters != claim.items.size()) {
    refuse("lo", "null", "a number, unless every item is a cluster");
  }
  if (!claim.hi && claim.clusters != 1) refuse("hi", "null", "a number, unless there is 1 cluster");
  if (claim.lo && claim.hi && *claim.lo > *claim.hi) {
    refuse("lo", fmt::format("{}", *claim.lo), fmt::format("at most hi = {}", *claim.hi));
  }
  const bool proved = one_of<2>(json["level"], "level", {"proved", "probabilistic"}) == 0;
  const double probability = number_of(json["failure_probability"], "failure_probability");
  if (proved ? probability != 0 : !(probability > 0 && probability < 1)) {
    refuse("failure_probability", fmt::format("{}", probability),
           proved ? "0 for a claim that is proved" : "a number between 0 and 1");
  }
}

void parse_tree(const Json& json, Claim& claim) {
  claim.upper_bound = number_of(json["upper_bound"], "upper_bound");
  const Json& only_best = json["only_best"];
  if (!only_best.is_boolean()) refuse("only_best", shown(only_best), "true or false");
  claim.only_best = only_best.get<bool>();
  const Json& tree = json["tree"];
  if (!tree.is_array() || tree.empty()) refuse("tree", shown(tree), "a list of pairs and nulls");
  std::size_t open = 1;  // nodes that were announced and did not come yet
  for (const Json& node : tree) {
    if (open == 0) refuse("tree", "nodes after its end", "one tree");
    if (node.is_null()) {
      --open;
      claim.tree.emplace_back();
      continue;
    }
    if (!node.is_array() || node.size() != 2)
      refuse("tree", shown(node), "a pair of items or null");
    const std::uint64_t last = claim.items.size() - 1;
    const auto i = static_cast<std::uint32_t>(whole_number(node[0], "tree", 0, last));
    const auto j = static_cast<std::uint32_t>(whole_number(node[1], "tree", 0, last));
    claim.tree.emplace_back(std::pair(i, j));
    ++open;
  }
  if (open != 0) refuse("tree", fmt::format("{} nodes less than it announces", open), "one tree");
  claim.numbers = text_of(json["numbers"], "numbers");
  claim.numbers_checksum = checksum_of(json["numbers_checksum"], "numbers_checksum");
}

void parse_share(const Json& json, Claim& claim) {
  claim.upper_bound = number_of(json["upper_bound"], "upper_bound");
  claim.lambda = number_of(json["lambda"], "lambda");
  claim.share = number_of(json["share"], "share");
  if (!(*claim.share >= 0 && *claim.share <= 1)) {
    refuse("share", fmt::format("{}", *claim.share), "a number from 0 to 1");
  }
}

void parse_bound(const Json& json, Claim& claim) {
  const Json& program = json["program"];
  if (program.is_object() && program.size() == 1 && program.contains("clusters")) {
    claim.program_clusters =
        whole_number(program["clusters"], "program.clusters", 1, claim.items.size());
    if (*claim.program_clusters != claim.clusters) {
      refuse("labels", fmt::format("{} clusters", claim.clusters),
             fmt::format("{}, as in program", *claim.program_clusters));
    }
  } else if (program.is_object() && program.size() == 1 && program.contains("lambda")) {
    claim.program_lambda = number_of(program["lambda"], "program.lambda");
  } else {
    refuse("program", shown(program), R"({"clusters": k} or {"lambda": l})");
  }
  claim.upper_bound = number_of(json["upper_bound"], "upper_bound");
  claim.dual = text_of(json["dual"], "dual");
  claim.dual_checksum = checksum_of(json["dual_checksum"], "dual_checksum");
}

}  // namespace

void refuse(std::string_view where, std::string_view found, std::string_view expected) {
  throw Refusal(fmt::format("{}: found {}; expected {}", where, found, expected));
}

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t so_far) {
  return static_cast<std::uint32_t>(
      crc32_z(so_far, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

Claim parse_claim(std::string_view text) {
  const Json json = parse_json(text);
  if (!json.is_object()) refuse("the certificate", "no JSON object", "one object");
  // These first: of another format or version nothing else can be said.
  if (!json.contains("format") || json["format"] != "tertium certificate") {
    refuse("format", json.contains("format") ? shown(json["format"]) : "no such field",
           "'tertium certificate'");
  }
  if (!json.contains("version") || !json["version"].is_number_integer() ||
      (json["version"] != 1 && json["version"] != 2)) {
    refuse("version", json.contains("version") ? shown(json["version"]) : "no such field",
           "1 or 2, the versions this checker knows");
  }
  if (!json.contains("claim")) refuse("claim", "no such field", "'optimal' or 'bound'");
  Claim claim;
  claim.version = json["version"].get<int>();
  claim.optimal = one_of<2>(json["claim"], "claim", {"optimal", "bound"}) == 0;
  if (claim.optimal && claim.version == 2) {
    refuse("claim", "'optimal' in version 2", "'bound', the only claim of that version");
  }
  const bool cancels = json.contains("share");
  const bool is_of_points = json.contains("similarity") && json["similarity"].is_object() &&
                            json["similarity"].value("kind", Json()) == "points";
  if (!claim.optimal && claim.version == 1 && is_of_points) {
    refuse("claim", "'bound' in version 1 about points", "'optimal', or 'bound' in version 2");
  }
  expect_fields(json, "the certificate", fields_of(claim.optimal, claim.version, cancels));
  if (std::prev(json.end()).key() != "checksum") {
    refuse("checksum", "fields after it", "that it is the last field");
  }
  const std::uint32_t checksum = checksum_of(json["checksum"], "checksum");
  const std::uint32_t recomputed = crc32_of(text.substr(0, text.rfind("\"checksum\"")));
  if (checksum != recomputed) {
    refuse("checksum", fmt::format("{}, but the file has {}: it was changed", checksum, recomputed),
           "a certificate as it was written");
  }
  parse_similarity(json["similarity"], claim);
  parse_partition(json["items"], json["labels"], claim);
  claim.objective = number_of(json["objective"], "objective");
  if (claim.optimal) {
    parse_optimal(json, claim);
  } else if (claim.version == 2 && cancels) {
    parse_share(json, claim);
  } else if (claim.version == 2) {
    parse_tree(json, claim);
  } else {
    parse_bound(json, claim);
  }
  return claim;
}

std::string claim_word(std::string_view text) {
  try {
    const Json json = parse_json(text);
    const std::string word = json.value("claim", "");
    return word == "optimal" || word == "bound" ? word : "";
  } catch (const std::exception&) {
    return "";
  }
}

}  // namespace tertium::internal::verifying
