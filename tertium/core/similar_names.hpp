#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tertium::internal {

/// How many letters must be put in, left out, replaced or swapped with their neighbour to turn one
/// word into the other (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Those of the names that somebody may have meant who wrote `word`, the nearest first, at most
/// three: names that differ in about a third of the letters at most, in upper and lower case, or
/// that begin like the word. Dashes in front do not count as letters.
std::vector<std::string> similar_names(std::string_view word,
                                       const std::vector<std::string>& names);

/// "Did you mean 'sum' or 'sim'?", or nothing if there is no such name.
std::string did_you_mean(const std::vector<std::string>& similar);

}  // namespace tertium::internal
