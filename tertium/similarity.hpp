#pragma once

#include <cstdint>
#include <memory>
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

namespace internal {
struct KeptAnswers;
}

/// The rule of a similarity that was given, not made from answers.
inline constexpr std::string_view precomputed = "precomputed";

/// The rule of one that was made from points: S_ij = -|x_i - x_j|^2 / 2.
inline constexpr std::string_view from_points = "points";

/// The rules by which answers become a similarity, as `--similarity` has them.
std::vector<std::string> similarity_names();
/// As in the paper: "AddS-3". Names that are in no table stand for themselves.
std::string similarity_title(std::string_view rule);

/// A similarity S of named items, exact. Zeros are left out.
///
/// Rows are items in the order of `items`: that of the items file if there was one, else integers
/// by value and then other names.
struct SimilarityMatrix : IntegerTriangle {
  std::vector<std::string> items;

  std::string rule = "adds3";  // a name in the table of rules, `precomputed` or `from_points`
  bool quadruplets = false;    // what was asked: quadruplets, or what gives triplets
  int exponent = 0;            // of points: S is in units of 10^exponent
  bool rounded = false;        // a given matrix did not fit in 64 bits: S is near it, not it
  Repeats repeats = Repeats::sum;
  std::uint64_t comparisons = 0;        // triplets or quadruplets that went in
  std::int64_t weight = 0;              // their total weight, times the denominator
  std::vector<std::uint64_t> mentions;  // per item: comparisons that show it
  std::vector<std::uint64_t> anchors;   // per item: triplets in which it is the anchor

  [[nodiscard]] std::size_t size() const { return items.size(); }
  [[nodiscard]] bool is_given() const { return rule == precomputed; }

  friend bool operator==(const SimilarityMatrix&, const SimilarityMatrix&) = default;
};

/// Throws InputError if the parts do not fit together: sizes, columns that do not increase below
/// their row, a denominator that is not positive, sums that leave 64 bits, names that are not valid
/// UTF-8 or there twice, or a rule that there is not.
void validate(const SimilarityMatrix& similarity);

struct LoadOptions {
  ReadOptions read;
  std::string similarity = "auto";  // a rule; auto: AddS-3 or AddS-4, by the questions
  Repeats repeats = Repeats::sum;
  bool matrix = false;        // the input is a similarity matrix, even if it could be answers
  bool keep_answers = false;  // fill LoadedSimilarity::answers, for what needs them again
};

/// What a similarity was made from, if that were points.
struct PointOrigin {
  PointTable table;
  bool has_similarity = true;  // there are not too many of them for one
  bool rounded = false;        // S is within half a unit of the true one, else exact

  /// How far f of the items in k clusters can be from the true one, in units: X of a partition has
  /// entries >= 0 that sum to n - k off the diagonal.
  [[nodiscard]] double largest_error(int clusters) const {
    return rounded ? (static_cast<double>(table.size()) - clusters) / 2 : 0;
  }
};

struct LoadedSimilarity {
  SimilarityMatrix similarity;
  ReadReport report;                // of the files of answers, if there were any
  std::uint64_t majority_ties = 0;  // questions left out by Repeats::majority
  std::vector<InputFile> inputs;    // what it was loaded from, and how
  LoadOptions options;
  std::optional<PointOrigin> points;  // if it was made from points
  /// If asked for, and if all inputs are files of answers.
  std::shared_ptr<const internal::KeptAnswers> answers;
};

/// The similarity of all inputs together: files of answers, directories of them, snapshots (which
/// add up), or one matrix made elsewhere. Throws InputError, also if no answer could be used, or
/// Cancelled. Nothing depends on the number of threads.
LoadedSimilarity load_similarity(const std::vector<InputFile>& inputs, const LoadOptions& options,
                                 Run& run);

/// Points in more rows get no S, which would be too large: clusters, but no bound.
inline constexpr std::size_t most_points_with_similarity = 5000;

/// S_ij = -|x_i - x_j|^2 / 2 of points, so that -f of a partition is the cost of k-means. Throws
/// InputError if squares of the coordinates leave the range of a double, or Cancelled.
LoadedSimilarity load_points(const PointTable& points, Run& run);

/// Writes a snapshot, whole or not at all.
void write_snapshot(const SimilarityMatrix& similarity, const std::string& path);

/// Reads a snapshot. Throws InputError if it is cut off, damaged, or of a newer version.
SimilarityMatrix read_snapshot(const InputFile& file);

/// Formats for other tools, by the ending of the file.
enum class ExportFormat : std::uint8_t {
  npy,  // dense array, int64 (float64 if weights were fractions)
  csv,  // dense table with the item names in the first row and column
  mtx   // MatrixMarket, symmetric, names in %item comments
};

/// Empty if the file is to be a snapshot. Throws InputError for the endings of formats that we do
/// not write, such as .json.
std::optional<ExportFormat> export_format(std::string_view path);

/// Writes the whole matrix, whole or not at all. For .npy, which has no room for names, they go to
/// `items_file_for(path)` unless they are just 0, 1, 2, ...; returns the name of that file, else
/// "". Throws InputError if a dense format would exceed 16 GB.
std::string export_similarity(const SimilarityMatrix& similarity, const std::string& path,
                              ExportFormat format);

/// "similarity.npy" -> "similarity.items.csv".
std::string items_file_for(const std::string& path);

}  // namespace tertium
