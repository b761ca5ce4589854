#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tertium/answers/stored_answers.hpp"

/// The parts of the checker. A namespace of its own, since the producer has names like these.
namespace tertium::internal::verifying {

/// The claim does not hold, or cannot be understood: the reason in one sentence.
class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void refuse(std::string_view where, std::string_view found, std::string_view expected);

/// What a certificate says, nothing of it checked against answers. Fields as in
/// docs/certificate.md.
struct Claim {
  bool optimal = false;  // else "bound"

  std::string kind;  // "adds3", "adds4", "precomputed" or "points"
  Repeats repeats = Repeats::sum;
  std::uint64_t comparisons = 0;
  std::int64_t denominator = 1;
  int exponent = 0;  // of points
  std::uint32_t similarity_checksum = 0;

  std::vector<std::string> items;
  std::vector<std::uint32_t> labels;  // from 0, every number below `clusters` used
  std::size_t clusters = 0;
  double objective = 0;

  std::optional<double> lo;
  std::optional<double> hi;

  std::optional<std::uint64_t> program_clusters;  // one of these two
  std::optional<double> program_lambda;
  double upper_bound = 0;
  std::string dual;
  std::uint32_t dual_checksum = 0;

  // Version 2: instead of a program and a dual.
  int version = 1;
  bool only_best = false;
  /// A node, then all below its apart child, then all below the other; nothing: a leaf.
  std::vector<std::optional<std::pair<std::uint32_t, std::uint32_t>>> tree;
  std::string numbers;
  std::uint32_t numbers_checksum = 0;

  // Version 2: an N that follows from the labels and two numbers, instead of a tree.
  std::optional<double> share;
  double lambda = 0;
};

/// Reads the text strictly: every field of the table once and no other, types and ranges as stated
/// there, checksum of the file right. Throws Refusal.
Claim parse_claim(std::string_view text);

/// The word in the field "claim", or nothing: for the report on a file that is refused.
std::string claim_word(std::string_view text);

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t so_far = 0);

}  // namespace tertium::internal::verifying
