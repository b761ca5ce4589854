#pragma once

#include <string>

#include "tertium/planning/plan.hpp"

namespace tertium {

/// What a plan was asked and what it says.
struct PlanReport {
  RecoveryStudy study;
  Goal goal;
  double confidence = 0.95;
  Plan plan;  // with a given number of answers: only its curve, one point
};

/// "every item in its cluster", or the index that is asked for.
std::string goal_in_words(const Goal& goal);

/// The answer in a few lines, and the curve of success against answers.
std::string plan_as_text(const PlanReport& report);
std::string plan_as_json(const PlanReport& report);

/// What to expect from the number of answers of the only point of the curve.
std::string expectation_as_text(const PlanReport& report);

/// The curve as a picture: chance of success against answers (logarithmic), 95 % intervals as bars,
/// the answers needed with their band.
std::string plan_as_svg(const PlanReport& report);

}  // namespace tertium
