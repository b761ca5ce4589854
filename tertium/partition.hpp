#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tertium {

/// A cluster for every item: 0 .. k-1.
using Labels = std::vector<std::int32_t>;

struct FoundPartition {
  Labels labels;     // clusters numbered by size, the largest first
  int clusters = 0;  // all used
  double value = 0;  // f(Z) = the sum over clusters of (sum of S over ordered pairs inside)/size
};

/// A given number of clusters.
struct Clusters {
  int count = 2;  // 1 .. n
};

/// Numbers of clusters to choose from, both ends included.
struct ClusterRange {
  int fewest = 2;
  int most = 2;
};

/// How a partition is made of an X (paper, section 5 and appendix).
enum class Rounding : std::uint8_t {
  kmeans,   // k-means on the rows of X
  spectral  // spectral clustering of X: k-means on the rows of its k leading eigenvectors; X1 = 1,
            // so that X is its own normalised Laplacian
};

std::string_view to_string(Rounding rounding);

/// What is known about a partition X* = Z N^-1 Z' with k clusters.
enum class Verdict {
  optimal,      // the unique optimum of SDP-k, and of SDP-lambda for lo <= lambda <= hi
  not_optimal,  // some feasible point of SDP-k is better
  undecided     // neither could be shown
};

/// How well the verdict is supported.
enum class Evidence {
  proved,         // by arithmetic that accounts for rounding
  probabilistic,  // but for `failure_probability` over random vectors that we drew
  estimated       // by numbers without a bound on their error
};

std::string_view to_string(Verdict verdict);  // "optimal", "not optimal", "undecided"
std::string_view to_string(Evidence evidence);

/// The interval of lambda in which a partition is the unique optimum of SDP-lambda. With the
/// verdict `optimal`, both ends are inside of it. Else lo is what lambda would have to exceed and
/// hi is what it would have to stay below for the witness to work, and lo >= hi.
struct Certificate {
  Verdict verdict = Verdict::undecided;
  std::optional<double> lo;  // none: no lower end (every item is its own cluster)
  std::optional<double> hi;  // none: no upper end (one cluster)
  Evidence level = Evidence::estimated;
  double failure_probability = 0;  // of the verdict; 0 unless probabilistic
};

}  // namespace tertium
