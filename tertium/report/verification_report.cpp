#include <cmath>

#include <fmt/format.h>

#include "tertium/partition/search.hpp"
#include "tertium/report.hpp"
#include "tertium/report/json.hpp"
#include "tertium/similarity/additive.hpp"

namespace tertium::internal {
namespace {

std::string counted(std::size_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

/// A bound with six decimals where they are enough, never rounded down: what is printed is proved.
std::string not_below(double bound) {
  const double millionth = std::ceil(bound * 1e6) / 1e6;
  std::string text = fmt::format("{:.6f}", millionth);
  if (std::stod(text) >= bound && millionth - bound <= 1e-6 * std::abs(bound)) return text;
  return fmt::format("{}", bound);
}

/// How the checker read the answers: another way is another claim.
std::string reading_as_text(const Verification& verification) {
  std::string way = verification.kind;
  if (verification.kind == precomputed) {
    way = "a similarity matrix";
  } else if (verification.kind == from_points) {
    way = fmt::format(
        "{}, {}", counted(verification.items, "point", "points"),
        verification.rounded ? "distances rounded, which is counted" : "distances exact");
  } else {
    const bool quadruplets = verification.kind == adds4.name;
    way = counted(verification.comparisons, quadruplets ? "quadruplet" : "triplet",
                  quadruplets ? "quadruplets" : "triplets");
    way += fmt::format(" ({}), repeats: {}", similarity_title(verification.kind),
                       to_string(verification.repeats));
  }
  return fmt::format("{:<18}{}\n", "read as", way);
}

/// A sum of squares with six decimals where they are enough, never rounded up.
std::string not_above(double squares) {
  std::string text = not_below(-squares);
  return text.starts_with('-') ? text.substr(1) : text;
}

std::string certainty_as_text(const Verification& verification, const std::string& ends) {
  if (verification.level == VerificationLevel::proved) {
    return fmt::format("{:<18}proved{}\n", "how sure", ends);
  }
  return fmt::format("{:<18}tested{}: a wrong claim passes with a probability below {:g}\n",
                     "how sure", ends, verification.failure_probability) +
         fmt::format("{:<18}{}, {}\n", "seed", verification.seed.value_or(0),
                     verification.replayed
                         ? "replayed: it proves nothing against a forger who knows it"
                         : "drawn now; --seed replays this run");
}

std::string points_as_text(const Verification& verification) {
  const double least = std::max(0.0, -verification.bound);
  std::string text = fmt::format(
      "Verified: no grouping of these {} into {} has a sum of squares within groups below {}.\n",
      counted(verification.items, "point", "points"),
      counted(verification.clusters, "group", "groups"), not_above(least));
  const bool is_certified = verification.claim == "optimal" && !verification.rounded;
  if (is_certified || verification.only_best) {
    text += "Every other grouping into as many groups has a larger sum than this one.\n";
  }
  // Of rounded distances: the true sum is as near as the bound says.
  text += fmt::format("{:<18}{:.8g}\n", "sum of squares", 0.0 - verification.partition_value);
  const bool is_tested = verification.level == VerificationLevel::probabilistic;
  return verification.claim == "optimal" || is_tested ? text + certainty_as_text(verification, "")
                                                      : text;
}

std::string interval_as_text(const Verification& verification) {
  if (verification.lo && verification.hi) {
    return fmt::format("from {:g} to {:g}", *verification.lo, *verification.hi);
  }
  if (verification.lo) return fmt::format("from {:g} upwards", *verification.lo);
  if (verification.hi) return fmt::format("up to {:g}", *verification.hi);
  return "whatever it is";
}

std::string ends_as_text(const Verification& verification) {
  const auto& [lo, hi] = std::pair(verification.lo, verification.hi);
  if (!lo && !hi) return "";
  if (lo && hi && *lo != *hi) return fmt::format(" at lambda = {:g} and {:g}", *lo, *hi);
  return fmt::format(" at lambda = {:g}", lo ? *lo : *hi);
}

std::string optimal_as_text(const Verification& verification) {
  std::string text = fmt::format(
      "Verified: no partition of these {} into {} has a larger value than this one.\n"
      "It is the only best one, also for every lambda {} (SDP-lambda).\n"
      "{:<18}{:.6f}\n",
      counted(verification.items, "item", "items"),
      counted(verification.clusters, "cluster", "clusters"), interval_as_text(verification),
      "value", verification.partition_value);
  return text + certainty_as_text(verification, ends_as_text(verification));
}

std::string bound_as_text(const Verification& verification) {
  std::string text;
  if (verification.lambda) {
    text = fmt::format(
        "Verified: no partition of these {} has a value, minus {:g} for each cluster, above "
        "{}.\n",
        counted(verification.items, "item", "items"), *verification.lambda,
        not_below(verification.bound));
  } else {
    text = fmt::format("Verified: no partition of these {} into {} has a value above {}.\n",
                       counted(verification.items, "item", "items"),
                       counted(verification.clusters, "cluster", "clusters"),
                       not_below(verification.bound));
  }
  if (verification.only_best) {
    text += "Every other partition into as many clusters has a smaller value than this one.\n";
  }
  text += fmt::format("{:<18}{:.6f}", "partition", verification.partition_value);
  if (verification.lambda) {
    text += fmt::format(" with {}", counted(verification.clusters, "cluster", "clusters"));
  }
  if (verification.relative_gap && !verification.only_best) {
    text +=
        fmt::format("; the best one is at most {:.3g} % better", 100 * *verification.relative_gap);
  }
  text += "\n";
  if (verification.level == VerificationLevel::proved) return text;
  return text + certainty_as_text(verification, "");
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string verification_as_text(const Verification& verification) {
  const std::string text = verification.kind == from_points  ? points_as_text(verification)
                           : verification.claim == "optimal" ? optimal_as_text(verification)
                                                             : bound_as_text(verification);
  return text + reading_as_text(verification);
}

std::string verification_as_json(const Verification& verification) {
  Json json = {{"verified", verification.verified},
               {"claim", verification.claim.empty() ? Json(nullptr) : Json(verification.claim)},
               {"reason", verification.verified ? Json(nullptr) : Json(verification.reason)}};
  if (!verification.verified) return json_text(json);
  json["read_as"] = {{"kind", verification.kind},
                     {"repeats", to_string(verification.repeats)},
                     {"comparisons", verification.comparisons}};
  json["items"] = verification.items;
  json["clusters"] = verification.clusters;
  json["value"] = verification.partition_value;
  json["level"] = to_string(verification.level);
  json["failure_probability"] = verification.failure_probability;
  json["seed"] = or_null(verification.seed);
  json["replayed"] = verification.replayed;
  if (verification.kind == from_points) {
    json["squares"] = 0.0 - verification.partition_value;
    json["least_squares"] = std::max(0.0, -verification.bound);
    json["rounded"] = verification.rounded;
  }
  if (verification.claim == "optimal") {
    json["lo"] = or_null(verification.lo);
    json["hi"] = or_null(verification.hi);
  } else {
    json["lambda"] = or_null(verification.lambda);
    json["only_best"] = verification.only_best;
    json["upper_bound"] = verification.upper_bound;
    json["bound"] = verification.bound;
    json["gap"] = or_null(verification.relative_gap);
  }
  return json_text(json);
}

}  // namespace tertium
