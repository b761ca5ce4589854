#pragma once

#include <optional>
#include <vector>

namespace tertium::internal {

/// Where an increasing curve through (answers, chance) reaches the confidence, by linear
/// interpolation in ln(answers); none if it does not. `chance` need not increase: neighbours that
/// are out of order are averaged (isotonic regression). The answers increase.
std::optional<double> crossing(const std::vector<double>& answers, std::vector<double> chance,
                               double confidence);

}  // namespace tertium::internal
