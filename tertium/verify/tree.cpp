#include "tertium/verify/tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <numeric>

#include <Eigen/Core>
#include <fmt/format.h>

#include "tertium/core/utf8.hpp"
#include "tertium/verify/centred_eigenvalues.hpp"
#include "tertium/verify/rounding.hpp"

namespace tertium::internal::verifying {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
__extension__ using Wide = __int128;

constexpr std::string_view magic = "tertium numbers\n";

/// The numbers of the leaves, one after the other.
class Numbers {
 public:
  Numbers(const Claim& claim, const NumbersPlace& place) {
    const std::string& name = claim.numbers;
    // A name with a path could make the checker read any file.
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
        name.find('\0') != std::string::npos) {
      refuse("numbers", in_quotes(name), "the name of a file in the folder of the certificate");
    }
    const std::filesystem::path path = place.folder / name;
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) {
      refuse("numbers", fmt::format("no file {}", in_quotes(path.string())),
             "the file with the numbers beside the certificate");
    }
    if (const auto bytes = static_cast<double>(std::filesystem::file_size(path, none));
        !(bytes <= place.most_bytes)) {
      refuse("numbers", fmt::format("a file of {:.1f} GB", bytes / 1e9),
             fmt::format("at most {:.1f} GB, or more with --memory GB", place.most_bytes / 1e9));
    }
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    if (crc32_of(bytes_) != claim.numbers_checksum) {
      refuse("numbers_checksum", std::to_string(claim.numbers_checksum),
             fmt::format("{}, that of {}", crc32_of(bytes_), in_quotes(name)));
    }
    if (!bytes_.starts_with(magic)) refuse("numbers", "another file", "numbers of a certificate");
    at_ = magic.size();
  }

  template <class Number>
  Number take() {
    static_assert(std::endian::native == std::endian::little);
    if (bytes_.size() - at_ < sizeof(Number)) refuse("numbers", "a file that is cut off", "more");
    Number number{};
    std::memcpy(&number, bytes_.data() + at_, sizeof(Number));
    at_ += sizeof(Number);
    return number;
  }
  /// A multiplier.
  double take_nonnegative(bool any_sign = false) {
    const auto number = take<float>();
    if (!std::isfinite(number) || (number < 0 && !any_sign)) {
      refuse("numbers", fmt::format("{}", number), "a finite number, 0 or more");
    }
    return static_cast<double>(number);
  }
  void expect_end() const {
    if (at_ != bytes_.size()) refuse("numbers", "more than the leaves have", "the numbers of all");
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

/// What a branch demands.
struct Demand {
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  bool together = false;
};

/// The last demand on the way to a node, and the place of the one before. Ways are not copied: in a
/// deep tree the copies would take the square of its size.
struct Step {
  Demand demand;
  std::size_t before = 0;
};
constexpr std::size_t no_step = std::numeric_limits<std::size_t>::max();

/// The items with those that must be together as one.
struct Groups {
  std::vector<std::uint32_t> of_item;  // numbered by their first items
  std::vector<double> size;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> apart;
  bool possible = true;
};

Groups groups_of(std::size_t items, const std::vector<Demand>& demands) {
  std::vector<std::uint32_t> parent(items);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const Demand& demand : demands) {
    if (!demand.together) continue;
    const std::uint32_t a = root(demand.i);
    const std::uint32_t b = root(demand.j);
    parent[std::max(a, b)] = std::min(a, b);
  }
  Groups groups;
  groups.of_item.resize(items);
  for (std::uint32_t i = 0; i < items; ++i) {
    const std::uint32_t first = root(i);
    if (first == i) {
      groups.of_item[i] = static_cast<std::uint32_t>(groups.size.size());
      groups.size.push_back(0);
    } else {
      groups.of_item[i] = groups.of_item[first];
    }
    ++groups.size[groups.of_item[i]];
  }
  for (const Demand& demand : demands) {
    if (demand.together) continue;
    const std::uint32_t g = groups.of_item[demand.i];
    const std::uint32_t h = groups.of_item[demand.j];
    if (g == h) groups.possible = false;
    groups.apart.emplace_back(g, h);
  }
  return groups;
}

/// A matrix of which the lower triangle counts, and what rounding may have done to its entries.
struct Rounded {
  MatrixXd matrix;
  MatrixXd error;

  void add(std::size_t g, std::size_t h, double number) {
    const auto i = static_cast<Index>(std::max(g, h));
    const auto j = static_cast<Index>(std::min(g, h));
    matrix(i, j) += number;
    // Of the number, which is right to a few operations, and of the sum.
    error(i, j) += epsilon * (4 * std::abs(number) + std::abs(matrix(i, j)));
  }
};

double norm_of_lower(const MatrixXd& matrix) {
  double squared = matrix.diagonal().squaredNorm();
  for (Index j = 0; j < matrix.cols(); ++j) {
    squared += 2 * matrix.col(j).tail(matrix.rows() - j - 1).squaredNorm();
  }
  return std::sqrt(squared);
}

class TreeCheck {
 public:
  TreeCheck(const Claim& claim, const NumbersPlace& place, const IntegerTriangle& similarity,
            const Partition& partition, double largest_error)
      : claim_(claim),
        similarity_(similarity),
        numbers_(claim, place),
        largest_error_(largest_error) {
    const double parts = static_cast<double>(claim.clusters) + 2;
    value_ = partition.value - 4 * parts * unit_roundoff * partition.value_scale - largest_error;
  }

  double bound(const Progress& progress) {
    double largest = -infinite;
    std::vector<Step> steps;
    std::vector<std::size_t> open = {no_step};  // last steps to nodes still to come, the next last
    for (std::size_t at = 0; at < claim_.tree.size(); ++at) {
      const std::size_t here = open.back();
      open.pop_back();
      if (const auto& pair = claim_.tree[at]) {
        if (pair->first == pair->second) refuse("tree", "an item paired with itself", "two items");
        for (const bool together : {true, false}) {
          open.push_back(steps.size());
          steps.push_back({{pair->first, pair->second, together}, here});
        }
      } else {
        std::vector<Demand> demands;
        for (std::size_t step = here; step != no_step; step = steps[step].before) {
          demands.push_back(steps[step].demand);
        }
        largest = std::max(largest, leaf_bound(demands));
      }
      if (progress) progress({at + 1, claim_.tree.size()});
    }
    numbers_.expect_end();
    return largest;
  }

 private:
  double leaf_bound(const std::vector<Demand>& demands) {
    const Groups groups = groups_of(claim_.items.size(), demands);
    const auto count = numbers_.take<std::uint32_t>();
    const auto cuts = numbers_.take<std::uint32_t>();
    const std::size_t size = groups.size.size();
    const bool reached = groups.possible && size >= claim_.clusters;
    if (count != (reached ? size : 0) || (!reached && cuts != 0)) {
      refuse("numbers", fmt::format("{} groups and {} cuts in a leaf", count, cuts),
             reached ? fmt::format("{} groups, as its demands make", size)
                     : "none, as no partition can do what it demands");
    }
    if (!reached) return -infinite;
    Rounded a = similarity_of(groups);
    const MatrixXd nonnegative = add_nonnegative(groups, a);
    add_cuts(groups, cuts, a);
    const double bound = bound_of(groups, a);
    if (claim_.only_best && !(bound < value_)) check_pairs(groups, nonnegative, bound);
    return bound;
  }

  /// That two items of different clusters are together in no partition of this leaf that is as
  /// good: such a one has W_gh of at least sqrt(e_g e_h) / (n - k + 1), and loses 2 N_gh W_gh.
  void check_pairs(const Groups& groups, const MatrixXd& nonnegative, double bound) const {
    const std::size_t items = claim_.items.size();
    std::vector<bool> parted(groups.size.size() * groups.size.size(), false);
    for (const auto& [g, h] : groups.apart) {
      parted[g * groups.size.size() + h] = parted[h * groups.size.size() + g] = true;
    }
    const auto largest = static_cast<double>(items - claim_.clusters + 1);
    for (std::size_t i = 0; i < items; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const std::size_t g = groups.of_item[i];
        const std::size_t h = groups.of_item[j];
        if (claim_.labels[i] == claim_.labels[j] || parted[g * groups.size.size() + h]) continue;
        const double n = g == h ? 0.0
                                : nonnegative(static_cast<Index>(std::max(g, h)),
                                              static_cast<Index>(std::min(g, h)));
        const double loss =
            2 * n * std::sqrt(groups.size[g] * groups.size[h]) / largest * (1 - 8 * epsilon);
        if (std::nextafter(bound - loss, infinite) < value_) continue;
        refuse("only_best", fmt::format("items {} and {}, which may be together", i, j),
               "numbers that keep items of different clusters apart in all partitions as good");
      }
    }
  }

  /// S between groups over sqrt(e_g e_h).
  [[nodiscard]] Rounded similarity_of(const Groups& groups) const {
    const auto size = static_cast<Index>(groups.size.size());
    Eigen::Matrix<Wide, Eigen::Dynamic, Eigen::Dynamic> sums(size, size);
    for (Index j = 0; j < size; ++j) {
      for (Index i = 0; i < size; ++i) sums(i, j) = 0;
    }
    for (std::size_t i = 0; i < similarity_.size(); ++i) {
      for (std::size_t at = similarity_.row_start[i]; at < similarity_.row_start[i + 1]; ++at) {
        const auto g = static_cast<Index>(groups.of_item[i]);
        const auto h = static_cast<Index>(groups.of_item[similarity_.column[at]]);
        // Both orders of the two items, if they are in one group.
        sums(std::max(g, h), std::min(g, h)) += Wide{similarity_.value[at]} * (g == h ? 2 : 1);
      }
    }
    const auto denominator = static_cast<double>(similarity_.denominator);
    Rounded a{MatrixXd::Zero(size, size), MatrixXd::Zero(size, size)};
    for (std::size_t g = 0; g < groups.size.size(); ++g) {
      for (std::size_t h = 0; h <= g; ++h) {
        const auto sum = static_cast<double>(sums(static_cast<Index>(g), static_cast<Index>(h)));
        a.add(g, h, sum / (denominator * std::sqrt(groups.size[g] * groups.size[h])));
      }
    }
    return a;
  }

  MatrixXd add_nonnegative(const Groups& groups, Rounded& a) {
    const std::size_t size = groups.size.size();
    std::vector<bool> any_sign(size * size, false);
    for (const auto& [g, h] : groups.apart) {
      if (g != h) any_sign[g * size + h] = any_sign[h * size + g] = true;
    }
    MatrixXd nonnegative = MatrixXd::Zero(a.matrix.rows(), a.matrix.cols());
    for (std::size_t g = 0; g < size; ++g) {
      for (std::size_t h = 0; h <= g; ++h) {
        const double entry = numbers_.take_nonnegative(any_sign[g * size + h]);
        nonnegative(static_cast<Index>(g), static_cast<Index>(h)) = entry;
        a.add(g, h, entry);
      }
    }
    return nonnegative;
  }

  void add_cuts(const Groups& groups, std::uint32_t cuts, Rounded& a) {
    const std::size_t size = groups.size.size();
    for (std::uint32_t t = 0; t < cuts; ++t) {
      const auto i = numbers_.take<std::uint32_t>();
      const auto j = numbers_.take<std::uint32_t>();
      const auto r = numbers_.take<std::uint32_t>();
      const double multiplier = numbers_.take_nonnegative();
      if (i >= size || j >= size || r >= size || i == j || i == r || j == r) {
        refuse("numbers", fmt::format("a cut of groups {}, {} and {}", i, j, r),
               fmt::format("three different ones below {}", size));
      }
      const auto weight = [&](std::uint32_t x, std::uint32_t y) {
        return multiplier / std::sqrt(groups.size[x] * groups.size[y]);
      };
      a.add(i, j, -weight(i, j) / 2);
      a.add(i, r, -weight(i, r) / 2);
      a.add(i, i, multiplier / groups.size[i]);
      a.add(j, r, weight(j, r) / 2);
    }
  }

  /// v'Av/n and the k - 1 largest eigenvalues of A across v.
  [[nodiscard]] double bound_of(const Groups& groups, Rounded& a) const {
    const auto size = static_cast<Index>(groups.size.size());
    const auto m = static_cast<double>(size);
    VectorXd v(size);
    for (Index g = 0; g < size; ++g) v[g] = std::sqrt(groups.size[static_cast<std::size_t>(g)]);
    const double norm = norm_of_lower(a.matrix);
    const double entries = outward * norm_of_lower(a.error);
    if (!std::isfinite(norm) || !std::isfinite(entries)) return infinite;
    double along = 0;
    for (Index j = 0; j < size; ++j) {
      along += a.matrix(j, j) * v[j] * v[j];
      along += 2 * v[j] * a.matrix.col(j).tail(size - j - 1).dot(v.tail(size - j - 1));
    }
    double bound = along / static_cast<double>(claim_.items.size());
    // |v|^2 is the number of items: sums of v_g A_gh v_h are at most that many norms.
    double error = (4 * m + 16) * epsilon * norm + entries;
    const auto others = static_cast<Index>(claim_.clusters) - 1;
    const VectorXd values = eigenvalues_across(a.matrix, v);
    for (Index i = 0; i < others; ++i) {
      bound += values[i];
      error += 2 * epsilon * (std::abs(bound) + std::abs(values[i]));
    }
    // An orthogonal projection and LAPACK's methods move the matrix by this at most.
    const double moved = 8 * (m + 8) * epsilon * norm + entries;
    error += std::sqrt(static_cast<double>(others)) * moved;
    const double smallest = m * m * std::numeric_limits<double>::min();
    bound = std::nextafter(bound + (outward * error + smallest), infinite);
    if (largest_error_ > 0) bound = std::nextafter(bound + largest_error_, infinite);
    return std::isfinite(bound) ? bound : infinite;
  }

  const Claim& claim_;
  const IntegerTriangle& similarity_;
  Numbers numbers_;
  double largest_error_ = 0;
  double value_ = 0;  // of the partition, at least
};

}  // namespace

double tree_bound(const Claim& claim, const NumbersPlace& place, const IntegerTriangle& similarity,
                  const Partition& partition, double largest_error, const Progress& progress) {
  return TreeCheck(claim, place, similarity, partition, largest_error).bound(progress);
}

}  // namespace tertium::internal::verifying
