#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tertium/report.hpp"
#include "tertium/report/json.hpp"
#include "tertium/report/sdp_report.hpp"

namespace tertium::internal {
namespace {

constexpr std::size_t most_blocks_shown = 8;

std::string line(std::string_view title, const std::string& value) {
  return fmt::format("{:<20}{}\n", title, value);
}

std::string end(const std::optional<double>& value, const char* none) {
  return value ? fmt::format("{:.6g}", *value) : none;
}

std::string interval_in_words(const PropositionInterval& interval) {
  return fmt::format("{:.6g} < lambda < {}: {}", interval.lo, end(interval.hi, "infinity"),
                     interval.proves() ? "the partition is the optimum" : "empty, proves nothing");
}

std::string certificate_interval(const Certificate& certificate) {
  const std::string lo = end(certificate.lo, "-infinity");
  const std::string hi = end(certificate.hi, "infinity");
  if (certificate.verdict == Verdict::optimal) {
    return fmt::format("{} <= lambda <= {}: the partition is the optimum ({})", lo, hi,
                       to_string(certificate.level));
  }
  return fmt::format("{}: lambda would have to be above {} and below {}",
                     to_string(certificate.verdict), lo, hi);
}

std::string estimate_in_words(const Estimate& estimate) {
  return fmt::format("{:.4f}  (95 % interval {:.4f} to {:.4f}, from {} questions)", estimate.value,
                     estimate.interval.lo, estimate.interval.hi, estimate.questions);
}

std::string blocks_as_text(std::string_view title, const Blocks& blocks) {
  std::string text;
  const std::size_t shown = std::min(blocks.size(), most_blocks_shown);
  for (std::size_t a = 0; a < shown; ++a) {
    std::string row;
    for (std::size_t b = 0; b < shown; ++b) {
      row += fmt::format("{:>10.4g}", blocks[a][b]);
    }
    text += line(a == 0 ? title : "", row);
  }
  return text;
}

Json proposition_as_json(const PropositionInterval& interval) {
  return {{"delta_1", or_null(interval.delta_1)},
          {"delta_2", interval.delta_2},
          {"norm", interval.lo},
          {"lo", interval.lo},
          {"hi", or_null(interval.hi)},
          {"proves", interval.proves()}};
}

Json estimate_as_json(const std::optional<Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"value", estimate->value},
          {"interval", {estimate->interval.lo, estimate->interval.hi}},
          {"questions", estimate->questions}};
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string theory_as_text(const TheoryStudy& report) {
  std::string text;
  text += line("items", fmt::format("{} in {} clusters of {} items{}", report.items,
                                    report.sizes.size(), fmt::join(report.sizes, ", "),
                                    report.fitted ? ", found in these answers" : ""));
  text += line("comparisons", fmt::format("{}", report.comparisons));
  text += blocks_as_text("means of S", report.means);
  if (report.expected) {
    text += blocks_as_text("expected", *report.expected);
  }
  const PropositionInterval& found = report.proposition;
  text += line("delta_1", end(found.delta_1, "none: one cluster"));
  text += line("delta_2", fmt::format("{:.6g}", found.delta_2));
  text += line("|S - S~|", fmt::format("{:.6g}", found.lo));
  text += line("proposition 1", interval_in_words(found));
  if (report.at_expected) {
    text += line("  at the expected", interval_in_words(*report.at_expected));
  }
  text += line("certificate", certificate_interval(report.certificate));
  if (report.epsilon) text += line("epsilon", estimate_in_words(*report.epsilon));
  if (report.epsilon_delta) {
    text += line("epsilon * delta", estimate_in_words(*report.epsilon_delta));
  }
  if (report.theorem) {
    const TheoremConditions& theorem = *report.theorem;
    text += line("theorem 1", fmt::format("with epsilon {:.4g}, delta {:.4g} and constants "
                                          "calibrated by simulation:",
                                          report.used_epsilon, report.used_delta));
    text += line("", fmt::format("delta > {:.4g}: {}", theorem.least_delta,
                                 report.used_delta > theorem.least_delta ? "yes" : "no"));
    const auto answers = static_cast<double>(report.comparisons);
    text += line("", fmt::format("comparisons > {:.0f}: {}", theorem.least_answers,
                                 answers > theorem.least_answers ? "yes" : "no"));
    text += line("", fmt::format("{:.6g} < lambda < {:.6g}", theorem.lambda_lo, theorem.lambda_hi));
  }
  return text;
}

std::string theory_as_json(const TheoryStudy& report) {
  Json json = {{"items", report.items},
               {"sizes", report.sizes},
               {"fitted", report.fitted},
               {"similarity", similarity_title(report.similarity)},
               {"comparisons", report.comparisons},
               {"block_means", report.means},
               {"proposition", proposition_as_json(report.proposition)},
               {"certificate", certificate_json(report.certificate)},
               {"epsilon", estimate_as_json(report.epsilon)},
               {"epsilon_delta", estimate_as_json(report.epsilon_delta)}};
  json["expected"] = nullptr;
  json["proposition_at_expected"] = nullptr;
  json["theorem"] = nullptr;
  if (report.expected) json["expected"] = *report.expected;
  if (report.at_expected)
    json["proposition_at_expected"] = proposition_as_json(*report.at_expected);
  if (report.theorem) {
    json["theorem"] = {{"epsilon", report.used_epsilon},
                       {"delta", report.used_delta},
                       {"least_delta", report.theorem->least_delta},
                       {"least_comparisons", report.theorem->least_answers},
                       {"lambda_lo", report.theorem->lambda_lo},
                       {"lambda_hi", report.theorem->lambda_hi},
                       {"constants", "calibrated by simulation"}};
  }
  return json_text(json);
}

}  // namespace tertium
