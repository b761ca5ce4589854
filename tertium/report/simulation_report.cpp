#include <algorithm>

#include <fmt/format.h>

#include "tertium/planted/latent.hpp"
#include "tertium/planted/simulated_answers.hpp"
#include "tertium/report.hpp"
#include "tertium/report/json.hpp"
#include "tertium/report/titled_line.hpp"

namespace tertium::internal {
namespace {

/// Mean or alpha: what the one free parameter of the distributions is.
std::string_view parameter_name(const LatentDistributions& latent) {
  return latent.family == LatentFamily::beta ? "alpha" : "mean";
}

double different_questions(const SimulatedAnswers& answers) {
  return count_questions(answers.survey().kind, answers.items());
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string simulation_as_text(const Simulation& simulation, const SimulationFiles& files) {
  const SimulatedAnswers& answers = simulation.details();
  std::string text;
  const auto line = [&](std::string_view title, const std::string& value) {
    text += titled_line(title, value);
  };
  line("items", fmt::format("{}", answers.items()));
  if (!answers.labels().empty()) {
    const LatentDistributions& latent = answers.distributions();
    line("distribution",
         fmt::format("{}, {} {:.6g}: a pair inside a cluster is more alike with probability {:.4f}",
                     to_string(latent.family), parameter_name(latent), latent.parameter,
                     chance_inside_is_larger(latent)));
  }
  line("answers", fmt::format("{} (there are {:.6g} different questions)", answers.survey().answers,
                              different_questions(answers)));
  line("written",
       files.answers +
           (files.truth.empty() ? "" : fmt::format(", the clusters in {}", files.truth)));
  return text;
}

std::string simulation_as_json(const Simulation& simulation, const SimulationFiles& files) {
  const SimulatedAnswers& answers = simulation.details();
  Json json = {{"items", answers.items()},
               {"answers", answers.survey().answers},
               {"different_questions", different_questions(answers)},
               {"participants", answers.survey().participants},
               {"seed", answers.survey().seed}};
  if (answers.labels().empty()) {
    json["clusters"] = nullptr;
    json["distribution"] = nullptr;
  } else {
    const LatentDistributions& latent = answers.distributions();
    json["clusters"] = *std::max_element(answers.labels().begin(), answers.labels().end()) + 1;
    json["distribution"] = {{"family", to_string(latent.family)},
                            {parameter_name(latent), latent.parameter},
                            {"chance_inside_is_larger", chance_inside_is_larger(latent)}};
  }
  json["written"] = files.answers;
  json["truth"] = files.truth.empty() ? Json(nullptr) : Json(files.truth);
  return json_text(json);
}

}  // namespace tertium
