#include <algorithm>

#include <fmt/format.h>

#include "tertium/embed.hpp"
#include "tertium/embedding/embed.hpp"
#include "tertium/embedding/heldout_error.hpp"
#include "tertium/error.hpp"
#include "tertium/similarity/linked.hpp"
#include "tertium/similarity/load.hpp"

namespace tertium {

using namespace internal;

namespace {

[[noreturn]] void refuse(std::string found, std::string expected, std::string remedy = "") {
  throw InputError({{}, std::move(found), std::move(expected), std::move(remedy)});
}

/// How far off held-out answers are for each number of dimensions that is worth a try.
std::vector<HeldoutError> errors_by_dimensions(const ComparisonList& list, const Loss& loss,
                                               const PlaceOptions& options, EmbedOptions embed,
                                               Run& run) {
  const int given = options.dimensions;
  const int most = std::min(options.most_dimensions, static_cast<int>(list.items()) - 1);
  std::vector<HeldoutError> errors;
  for (int d = given > 0 ? given : 1; d <= (given > 0 ? given : most); ++d) {
    embed.dimensions = d;
    errors.push_back(heldout_error(list, loss, embed, options.folds, run));
  }
  return errors;
}

}  // namespace

void validate(const PlaceOptions& options) {
  find_loss(options.method);
  if (options.dimensions < 0) {
    refuse(fmt::format("--dimensions {}", options.dimensions), "a number from 1, or auto");
  }
  if (options.starts < 1) refuse(fmt::format("--starts {}", options.starts), "a number from 1");
  if (options.folds < 0 || options.folds == 1) {
    refuse(fmt::format("--folds {}", options.folds), "a number from 2, or 0 to hold nothing out");
  }
  if (options.dimensions == 0 && options.folds == 0) {
    refuse("--dimensions auto with --folds 0", "answers to hold out, which choose the number");
  }
}

std::vector<std::string> placing_methods() {
  std::vector<std::string> names;
  for (const Loss& loss : losses()) names.emplace_back(loss.name);
  return names;
}

PlacedItems place_items(const LoadedSimilarity& loaded, const PlaceOptions& options, Run& run) {
  validate(options);
  if (!loaded.answers) {
    refuse("sums, which do not remember the answers",
           "files of answers (in the library with keep_answers)");
  }
  const Loss& loss = find_loss(options.method);
  // Whether items are linked does not depend on how a similarity is made of the answers.
  PlacedItems placed;
  const LinkedItems linked = linked_items(loaded.similarity);
  std::vector<std::uint32_t> row_of(loaded.similarity.size(), no_row);
  for (const std::uint32_t item : linked.main) {
    row_of[item] = static_cast<std::uint32_t>(placed.items.size());
    placed.items.push_back(loaded.similarity.items[item]);
  }
  for (const auto& rest : linked.rest)
    placed.left_out.push_back(loaded.similarity.items[rest.item]);
  if (placed.items.size() < 2) {
    refuse("no two items that answers link", "answers that do not cancel each other");
  }
  ComparisonList of_linked;
  if (!linked.rest.empty()) {
    of_linked = with_rows(loaded.answers->list, row_of, placed.items.size(), run);
  }
  const ComparisonList& list = linked.rest.empty() ? loaded.answers->list : of_linked;
  EmbedOptions embed_options;
  embed_options.starts = options.starts;
  if (options.folds > 0) {
    placed.heldout = errors_by_dimensions(list, loss, options, embed_options, run);
  }
  embed_options.dimensions =
      options.dimensions > 0 ? options.dimensions : choose_dimensions(placed.heldout);
  run.say("placing the items");
  const Embedding found = embed(list, {}, loss, embed_options, run);
  placed.method = loss.name;
  placed.comparisons = list.comparisons();
  placed.dimensions = embed_options.dimensions;
  for (const auto& row : found.points.rowwise()) placed.points.emplace_back(row.begin(), row.end());
  placed.loss = found.loss;
  placed.error = found.error;
  placed.starts = options.starts;
  placed.starts_alike = found.starts_alike;
  placed.settled = found.settled;
  return placed;
}

}  // namespace tertium
