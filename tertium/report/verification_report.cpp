#include <fmt/format.h>

#include "tertium/partition/search.hpp"
#include "tertium/report.hpp"
#include "tertium/report/json.hpp"

namespace tertium::internal {
namespace {

std::string counted(std::size_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
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
  const std::string ends = ends_as_text(verification);
  if (verification.level == VerificationLevel::proved) {
    text += fmt::format("{:<18}proved{}\n", "how sure", ends);
  } else {
    text += fmt::format("{:<18}tested{}: a wrong claim passes with a probability below {:g}\n",
                        "how sure", ends, verification.failure_probability);
  }
  return text;
}

std::string bound_as_text(const Verification& verification) {
  std::string text;
  if (verification.lambda) {
    text = fmt::format(
        "Verified: no partition of these {} has a value, minus {:g} for each cluster, above "
        "{:.6f}.\n",
        counted(verification.items, "item", "items"), *verification.lambda, verification.bound);
  } else {
    text = fmt::format("Verified: no partition of these {} into {} has a value above {:.6f}.\n",
                       counted(verification.items, "item", "items"),
                       counted(verification.clusters, "cluster", "clusters"), verification.bound);
  }
  text += fmt::format("{:<18}{:.6f}", "partition", verification.partition_value);
  if (verification.lambda) {
    text += fmt::format(" with {}", counted(verification.clusters, "cluster", "clusters"));
  }
  if (verification.relative_gap) {
    text +=
        fmt::format("; the best one is at most {:.3g} % better", 100 * *verification.relative_gap);
  }
  return text + "\n";
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string verification_as_text(const Verification& verification) {
  return verification.claim == "optimal" ? optimal_as_text(verification)
                                         : bound_as_text(verification);
}

std::string verification_as_json(const Verification& verification) {
  Json json = {{"verified", verification.verified},
               {"claim", verification.claim.empty() ? Json(nullptr) : Json(verification.claim)},
               {"reason", verification.verified ? Json(nullptr) : Json(verification.reason)}};
  if (!verification.verified) return json_text(json);
  json["items"] = verification.items;
  json["clusters"] = verification.clusters;
  json["value"] = verification.partition_value;
  if (verification.claim == "optimal") {
    json["lo"] = or_null(verification.lo);
    json["hi"] = or_null(verification.hi);
    json["level"] = to_string(verification.level);
    json["failure_probability"] = verification.failure_probability;
  } else {
    json["lambda"] = or_null(verification.lambda);
    json["upper_bound"] = verification.upper_bound;
    json["bound"] = verification.bound;
    json["gap"] = or_null(verification.relative_gap);
  }
  return json_text(json);
}

}  // namespace tertium
