#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/answers.hpp"
#include "tertium/integer_triangle.hpp"
#include "tertium/points.hpp"
#include "tertium/read.hpp"
#include "tertium/run.hpp"

namespace tertium {

/// What a claim is checked against: a similarity of named items in exact numbers, and how it came
/// about in the words of docs/certificate.md.
struct GivenSums {
  std::string kind;  // "adds3", "adds4", "precomputed" or "points"
  Repeats repeats = Repeats::sum;
  std::uint64_t comparisons = 0;   // triplets or quadruplets that went in
  int exponent = 0;                // of points: S is in units of 10^exponent
  bool rounded = false;            // of points: S is within half a unit of the true one, else exact
  std::vector<std::string> items;  // of the rows, each once, in any order
  IntegerTriangle triangle;
};

/// Reads files of answers and adds them up by the definition (section 4 of the paper):
///
///   triplet (a, b, c):          S_ab += w,  S_ac -= w
///   quadruplet (i, j, r, s):    S_ij += w,  S_rs -= w
///
/// in code of the checker's own, so that a mistake in the producer's sums cannot confirm itself.
/// Memory: that of the sums for every thread; if repeats are not summed, all answers too. Throws
/// InputError for what cannot be read, for no answer at all, and for a total weight beyond 64 bits;
/// Cancelled.
GivenSums add_up_answers(const std::vector<InputFile>& files, const ReadOptions& options,
                         Repeats repeats, Run& run);

/// -|x_i - x_j|^2 / 2 of points in units of 10^exponent, as integers over 2, by the rule of
/// docs/certificate.md and in code of the checker's own. If that unit does not suit the points,
/// only the names and one that suits better: a claim in the other is refused. Throws Cancelled, and
/// InputError for what are no points.
GivenSums measure_points(const PointTable& points, int exponent, Run& run);

/// How a claim was established: by a proof in floating point with bounded rounding, or by a
/// randomised method that errs with a stated probability.
enum class VerificationLevel : std::uint8_t { proved, probabilistic };

std::string_view to_string(VerificationLevel level);

/// What the checker found. Everything after `claim` is set only if the claim was verified, and is
/// what the checker computed itself, not what the file says, except `lo`, `hi`, the program and
/// `upper_bound`.
struct Verification {
  bool verified = false;
  std::string reason;  // of a refusal: what was found and what was expected
  std::string claim;   // "optimal" or "bound"; empty if the file could not be understood

  // How the answers were read, which the reader decides and not the file.
  std::string kind;  // as in GivenSums
  Repeats repeats = Repeats::sum;
  std::uint64_t comparisons = 0;
  bool rounded = false;  // distances of points were, which is counted in `bound`

  // Values are in the units of S; of points in those of the coordinates, squared.
  std::size_t items = 0;
  std::size_t clusters = 0;    // of the partition
  double partition_value = 0;  // f: the sum over clusters of (sum inside) / size

  // Claim "optimal": the unique optimum of SDP-k, and of SDP-lambda from lo to hi.
  std::optional<double> lo;  // no lower end if empty
  std::optional<double> hi;  // no upper end if empty
  VerificationLevel level = VerificationLevel::proved;
  double failure_probability = 0;  // that a wrong claim would have been verified, over the draw of
                                   // the seed; 0 if proved
  std::optional<std::uint64_t> seed;  // of the random starts; none if nothing was drawn
  bool replayed = false;              // the seed was given: no proof against a forger who knows it

  // Claim "bound": no feasible point, hence no partition, has a value above `bound`.
  std::optional<double> lambda;        // of the program SDP-lambda; SDP-k if empty
  double upper_bound = 0;              // what the file says
  double bound = 0;                    // what N proves, rounding included; of points always set
  bool only_best = false;              // every other partition into as many clusters is worse
  std::optional<double> relative_gap;  // (bound - value) / |value|; none if the value is 0
};

struct VerifyOptions {
  /// Up to so many items a dense factorisation proves condition 2; above, or if its matrix would
  /// take more than half of the memory of the machine, the Lanczos method decides.
  std::size_t largest_dense = 12'000;
  /// Of the random starts: only to replay a run. Without it the system's entropy is asked, which no
  /// file can know.
  std::optional<std::uint64_t> seed;
  /// Bytes that the check may take. 0: half of what the machine has, or the process may have.
  double most_memory = 0;
};

/// Checks the certificate `text` (docs/certificate.md) against sums of answers, from the
/// specification alone: it trusts no number of the file. `folder` is where the file with the dual
/// is. A claim that is wrong, damaged or not understood is a result, not an error. Throws
/// InputError if sums over S leave 64 bits or if the check needs more memory than it may take,
/// which it knows before it begins; Cancelled.
Verification verify_certificate(std::string_view text, const std::filesystem::path& folder,
                                const GivenSums& given, const VerifyOptions& options, Run& run);

}  // namespace tertium
