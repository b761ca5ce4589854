#pragma once

#include <cstdint>
#include <vector>

#include "tertium/planted/latent.hpp"
#include "tertium/planted/questions.hpp"
#include "tertium/simulate.hpp"

namespace tertium::internal {

/// The mean over participants.
double mean_epsilon(const Survey& survey);

/// `items`, if the survey is possible with so many; else throws InputError, naming the flag and the
/// range.
std::uint64_t checked_items(const Survey& survey, std::uint64_t items);

}  // namespace tertium::internal
