#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tertium/core/error.hpp"
#include "tertium/reading/layout.hpp"

namespace tertium {

/// What became of the rows. rows = answered + not_questions + filtered + catch_trials + unanswered
/// + ties + bad, where answered rows include those that compare an item with itself.
struct RowCounts {
  std::uint64_t rows = 0;
  std::uint64_t answered = 0;       // rows with an answer
  std::uint64_t comparisons = 0;    // triplets or quadruplets that were used
  std::uint64_t not_questions = 0;  // instructions, breaks, ... in exports of whole sessions
  std::uint64_t filtered = 0;       // left out by --where
  std::uint64_t catch_trials = 0;   // marked as checks of attention
  std::uint64_t unanswered = 0;
  std::uint64_t ties = 0;
  std::uint64_t bad = 0;  // skipped because of --skip-bad-rows

  RowCounts& operator+=(const RowCounts& other);
};

/// How one table of answers was understood.
struct TableReport {
  std::string file;
  std::string layout;
  ScreenKind kind = ScreenKind::triplets;
  bool has_header = true;
  std::string separator;  // "comma", "tab", "semicolon", "blanks", "JSON", "npy"
  std::vector<std::pair<std::string, std::string>> columns;  // role and column
  std::string answer_values;                                 // coding of the answer column, if any
  std::string first_sentence;  // "row 1: 'hog' is more like 'monkey' than like 'giraffe'"
  RowCounts counts;
};

/// What was read. Places are in the order of the input.
struct ReadReport {
  std::vector<TableReport> tables;
  RowCounts counts;
  std::size_t listed_items = 0;     // items of the items file: the first so many of every sink
  std::size_t listed_pictures = 0;  // how many of them have a picture
  std::vector<std::pair<std::string, std::size_t>> categories;  // known classes and their sizes
  std::uint64_t self_comparisons = 0;
  std::vector<Place> self_comparison_places;            // the first `places_kept` of them
  std::vector<std::pair<Place, std::string>> bad_rows;  // likewise, with the message
  std::vector<std::string> notes;  // what a user should know about how files were understood
};

/// So many places of bad rows and self-comparisons are kept; the rest is counted.
inline constexpr std::size_t places_kept = 1000;

}  // namespace tertium
