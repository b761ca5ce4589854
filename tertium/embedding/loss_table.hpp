#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tertium/answers/comparison_list.hpp"
#include "tertium/embedding/descent.hpp"
#include "tertium/embedding/slopes.hpp"

namespace tertium::internal {

/// Comparisons that an embedding is fitted to, with weights that add up to 1.
struct FittedComparison {
  Comparison items;
  double weight = 0;
};

enum class LossKind : std::uint8_t { tste, ste, ckl, gnmds, soe };

/// A way to place items in space so that pairs that are more alike are nearer: a file with its loss
/// and a row here.
struct Loss {
  LossKind kind;
  std::string_view name;   // as `--method` has it
  std::string_view title;  // as in its paper
  /// What one comparison costs, in so many dimensions.
  Slopes (*at)(double near, double far, int dimensions) = nullptr;
  /// The mean over the comparisons at `points` (item by item, their coordinates next to each
  /// other); `gradient` of the same shape. The same bits at any number of threads.
  double (*mean)(std::span<const FittedComparison> comparisons, int dimensions,
                 const Eigen::VectorXd& points, Eigen::VectorXd& gradient, Run& run) = nullptr;
};

/// All losses.
std::span<const Loss> losses();

const Loss& loss_of(LossKind kind);

/// The loss of that name. Throws InputError that lists the names.
const Loss& find_loss(std::string_view name);

/// "tste, ste, ...", for messages.
std::string loss_names();

}  // namespace tertium::internal
