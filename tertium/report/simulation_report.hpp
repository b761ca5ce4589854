#pragma once

#include <string>

#include "tertium/planted/simulated_answers.hpp"

namespace tertium {

/// Simulated answers and where they were written; no truth if it is empty.
struct SimulationReport {
  const SimulatedAnswers& answers;
  std::string output;
  std::string truth;
};

/// What was simulated, for people and for programs.
std::string simulation_as_text(const SimulationReport& report);
std::string simulation_as_json(const SimulationReport& report);

}  // namespace tertium
