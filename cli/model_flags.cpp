#include "cli/model_flags.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tertium/core/unknown_value.hpp"
#include "tertium/error.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

[[noreturn]] void refuse(const std::string& found, const std::string& expected) {
  throw InputError({{}, found, expected, ""});
}

QuestionKind question_kind(const std::string& text) {
  if (text == "triplets") return QuestionKind::triplet;
  if (text == "quadruplets") return QuestionKind::quadruplet;
  if (text == "odd-one-out") return QuestionKind::odd_one_out;
  if (text == "most-central") return QuestionKind::most_central;
  throw unknown_value("--kind", text, {"triplets", "quadruplets", "odd-one-out", "most-central"});
}

}  // namespace

void add_model_flags(CLI::App& command, ModelFlags& flags) {
  command.add_option("--items", flags.items, "Number of items n")
      ->type_name("N")
      ->group(model_group);
  command.add_option("-k,--clusters", flags.clusters, "Number of planted clusters k")
      ->type_name("K")
      ->group(model_group);
  command
      .add_option("--sizes", flags.sizes,
                  "Sizes of the clusters, as numbers that sum to n or as proportions that sum to "
                  "1; equal unless given")
      ->type_name("A,B,...")
      ->group(model_group);
  command
      .add_option("--delta", flags.delta,
                  "Items: a pair inside a cluster is more alike than one between clusters with "
                  "probability (1+delta)/2; 0 < delta <= 1")
      ->type_name("D")
      ->capture_default_str()
      ->group(model_group);
  command
      .add_option("--distribution", flags.distribution,
                  "Of the similarities: normal, beta (with uniform) or uniform-normal")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(model_group);
  command
      .add_flag("--as-printed", flags.as_printed,
                "uniform-normal with the mean (1+delta)/2 that the paper prints")
      ->group(model_group);

  command
      .add_option("--kind", flags.kind,
                  "What is asked: triplets, quadruplets, odd-one-out or most-central")
      ->type_name("KIND")
      ->capture_default_str()
      ->group(survey_group);
  command
      .add_option("--epsilon", flags.epsilon,
                  "Crowd: answers are right with probability (1+epsilon)/2; 0 < epsilon <= 1; or "
                  "one for each participant")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("E")
      ->capture_default_str()
      ->group(survey_group);
  command
      .add_option("--epsilon-spread", flags.epsilon_spread,
                  "Participants differ: their epsilons lie evenly within this distance")
      ->type_name("S")
      ->group(survey_group);
  command
      .add_option("--participants", flags.participants,
                  "Number of participants, who answer in turn; 0: none are named")
      ->type_name("P")
      ->group(survey_group);
  command
      .add_flag("--replacement", flags.replacement,
                "Draw questions independently, so that some are asked again; else none is")
      ->group(survey_group);
  command.add_option("--seed", flags.seed, "Of all that is random")
      ->type_name("S")
      ->capture_default_str()
      ->group(survey_group);
  command
      .add_option("--threads", flags.threads,
                  "Threads to use; 0 is one per core. The result is the same")
      ->type_name("N")
      ->capture_default_str();
}

std::uint64_t checked_count(const char* flag, std::int64_t value) {
  if (value < 0) refuse(fmt::format("{} {}", flag, value), "a whole number, 0 or more");
  return static_cast<std::uint64_t>(value);
}

int checked_threads(int threads) {
  if (threads < 0) {
    refuse(fmt::format("--threads {}", threads), "a number of threads, or 0 for one per core");
  }
  return threads;
}

PlantedModel planted_model(const ModelFlags& flags) {
  if (!flags.items) refuse("no --items", "the number of items");
  if (!flags.clusters && flags.sizes.empty()) {
    refuse("neither --clusters nor --sizes", "the number of clusters or their sizes");
  }
  const std::uint64_t items = checked_count("--items", *flags.items);
  if (items < 3 || items > most_items(QuestionKind::triplet)) {
    refuse(fmt::format("--items {}", items),
           fmt::format("3 to {}", most_items(QuestionKind::triplet)));
  }
  PlantedModel model;
  if (flags.sizes.empty()) {
    model.sizes = equal_sizes(items, checked_count("--clusters", *flags.clusters));
  } else {
    model.sizes = parse_sizes(flags.sizes, items);
    if (flags.clusters && checked_count("--clusters", *flags.clusters) != model.sizes.size()) {
      refuse(fmt::format("--clusters {} with {} sizes", *flags.clusters, model.sizes.size()),
             "as many sizes as clusters");
    }
  }
  const auto family = parse_latent_family(flags.distribution);
  if (!family) {
    throw unknown_value("--distribution", flags.distribution, {"normal", "beta", "uniform-normal"});
  }
  model.family = *family;
  model.delta = flags.delta;
  model.as_printed = flags.as_printed;
  return model;
}

Survey survey_without_answers(const ModelFlags& flags) {
  Survey survey;
  survey.kind = question_kind(flags.kind);
  survey.sampling = flags.replacement ? Sampling::with_replacement : Sampling::without_replacement;
  survey.participants = checked_count("--participants", flags.participants);
  survey.seed = checked_count("--seed", flags.seed);
  survey.epsilon = flags.epsilon;
  if (flags.epsilon_spread) {
    if (flags.epsilon.size() != 1) refuse("--epsilon-spread with several epsilons", "one of them");
    survey.epsilon =
        spread_epsilon(flags.epsilon[0], *flags.epsilon_spread, survey.participants, survey.seed);
  }
  return survey;
}

}  // namespace tertium::cli
