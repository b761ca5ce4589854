#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tertium/run.hpp"
#include "tertium/similarity.hpp"

namespace tertium {

/// Items as points, so that pairs that were called more alike are nearer.
struct PlaceOptions {
  std::string method = "tste";  // a name in the table of losses
  int dimensions = 2;           // 0: as many as held-out answers speak for
  int most_dimensions = 5;      // to choose from
  int starts = 4;               // > 0: the first from eigenvectors, the others at random
  int folds = 5;                // of held-out answers; 0: none are held out
};

/// Throws InputError for an option that is out of range, naming its flag.
void validate(const PlaceOptions& options);

/// How often points that were found without them contradict answers.
struct HeldoutError {
  int dimensions = 0;
  double error = 0;           // mean over the folds of the share of their weight
  double standard_error = 0;  // of that mean, over the folds
};

struct PlacedItems {
  std::string method;
  std::vector<std::string> items;           // of the largest group that answers link
  std::vector<std::vector<double>> points;  // per item; centred, along principal axes
  std::vector<std::string> left_out;        // items that no chain of answers links with them
  std::uint64_t comparisons = 0;
  int dimensions = 0;
  double loss = 0;   // mean over the comparisons
  double error = 0;  // share of the weight of comparisons that the points contradict
  int starts = 0;
  int starts_alike = 0;               // starts that ended within 0.1 % of that loss
  bool settled = false;               // else the descent was cut off
  std::vector<HeldoutError> heldout;  // one for each number of dimensions that was tried
};

/// Places the items of `loaded`, which must have its answers. Throws InputError, Cancelled.
PlacedItems place_items(const LoadedSimilarity& loaded, const PlaceOptions& options, Run& run);

/// The names of the methods.
std::vector<std::string> placing_methods();

}  // namespace tertium
