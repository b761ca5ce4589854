#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "tertium/verify.hpp"
#include "tests/eigenvalues.hpp"

namespace tertium::internal::verifying {

using Labels = std::vector<std::uint32_t>;  // from 0

/// Sums with these integers; items are named 0, 1, ...
inline GivenSums given_of(const Eigen::MatrixXi& integers) {
  GivenSums given;
  given.kind = "precomputed";
  IntegerTriangle& triangle = given.triangle;
  triangle.row_start.push_back(0);
  for (int i = 0; i < integers.rows(); ++i) {
    given.items.push_back(std::to_string(i));
    for (int j = 0; j < i; ++j) {
      if (integers(i, j) == 0) continue;
      triangle.column.push_back(static_cast<std::uint32_t>(j));
      triangle.value.push_back(integers(i, j));
    }
    triangle.row_start.push_back(triangle.value.size());
  }
  return given;
}

inline Eigen::MatrixXi random_integers(int size, std::mt19937& random, int largest = 9) {
  std::uniform_int_distribution<int> value(-largest, largest);
  Eigen::MatrixXi matrix = Eigen::MatrixXi::Zero(size, size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i; ++j) matrix(i, j) = matrix(j, i) = value(random);
  }
  return matrix;
}

/// Items in k groups, `more` more alike inside them, and noise.
struct Planted {
  Planted(int size, int k, int more, int noise, unsigned seed) {
    std::mt19937 random(seed);
    integers = random_integers(size, random, noise);
    for (int i = 0; i < size; ++i) labels.push_back(static_cast<std::uint32_t>(i % k));
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) {
        if (i != j && i % k == j % k) integers(i, j) += more;
      }
    }
  }

  Eigen::MatrixXi integers;
  Labels labels;
};

inline double value_of(const Eigen::MatrixXi& integers, const Labels& labels) {
  const std::uint32_t k = *std::max_element(labels.begin(), labels.end()) + 1;
  std::vector<double> sum(k);
  std::vector<double> size(k);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    size[labels[i]] += 1;
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (labels[i] == labels[j]) {
        sum[labels[i]] += integers(static_cast<int>(i), static_cast<int>(j));
      }
    }
  }
  double value = 0;
  for (std::size_t a = 0; a < k; ++a) value += sum[a] / size[a];
  return value;
}

/// The largest eigenvalue of P (S + Gamma) P on the range of P, from the definitions: u by its
/// formula, Gamma and P as matrices.
inline double largest_eigenvalue(const Eigen::MatrixXi& integers, const Labels& labels,
                                 double lambda) {
  const Eigen::Index n = integers.rows();
  const Eigen::Index k = *std::max_element(labels.begin(), labels.end()) + 1;
  const Eigen::MatrixXd S = integers.cast<double>();
  Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(n, k);
  for (Eigen::Index i = 0; i < n; ++i) Z(i, labels[static_cast<std::size_t>(i)]) = 1;
  const Eigen::VectorXd size = Z.colwise().sum();
  const Eigen::MatrixXd means = Z * size.cwiseInverse().asDiagonal();
  const Eigen::MatrixXd M = S * means;
  const Eigen::MatrixXd B = means.transpose() * M;
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(n, k);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto j = static_cast<Eigen::Index>(labels[static_cast<std::size_t>(i)]);
    for (Eigen::Index l = 0; l < k; ++l) {
      if (j == l) continue;
      u(i, l) = size(l) * (M(i, j) - M(i, l) + (B(l, l) - B(j, j)) / 2 -
                           lambda * (1 / (2 * size(j)) + 1 / (2 * size(l))));
    }
  }
  const Eigen::MatrixXd t = Z.transpose() * u;
  Eigen::MatrixXd matrix = S;
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index r = 0; r < n; ++r) {
      const auto j = static_cast<Eigen::Index>(labels[static_cast<std::size_t>(i)]);
      const auto l = static_cast<Eigen::Index>(labels[static_cast<std::size_t>(r)]);
      if (j != l) matrix(i, r) += u(i, l) * u(r, j) / t(j, l);
    }
  }
  const Eigen::MatrixXd rest = means * Z.transpose();
  const Eigen::MatrixXd P = Eigen::MatrixXd::Identity(n, n) - rest;
  const Eigen::MatrixXd half = P * matrix;
  Eigen::MatrixXd projected = half * P;
  projected -= (10 * matrix.norm() + 1) * rest;  // the other directions far below
  return eigenvalues_of(projected)(n - 1);
}

/// Fields of the claim "optimal" without the checksum of the file.
inline nlohmann::ordered_json optimal_claim(const Eigen::MatrixXi& integers, const Labels& labels,
                                            std::optional<double> lo, std::optional<double> hi) {
  std::string records;
  const auto put = [&](std::uint64_t number, int bytes) {
    for (int at = 0; at < bytes; ++at) records += static_cast<char>(number >> (8 * at) & 0xFFU);
  };
  std::vector<std::string> items;
  for (int i = 0; i < integers.rows(); ++i) {
    items.push_back(std::to_string(i));
    for (int j = 0; j < i; ++j) {
      if (integers(i, j) == 0) continue;
      put(static_cast<std::uint64_t>(i), 4);
      put(static_cast<std::uint64_t>(j), 4);
      put(static_cast<std::uint64_t>(integers(i, j)), 8);
    }
  }
  Labels from_one = labels;
  for (std::uint32_t& label : from_one) ++label;
  using Json = nlohmann::ordered_json;
  return {
      {"format", "tertium certificate"},
      {"version", 1},
      {"claim", "optimal"},
      {"similarity",
       {{"kind", "precomputed"},
        {"repeats", "sum"},
        {"comparisons", 0},
        {"denominator", 1},
        {"checksum", crc32_z(0, reinterpret_cast<const Bytef*>(records.data()), records.size())}}},
      {"items", items},
      {"labels", from_one},
      {"objective", value_of(integers, labels)},
      {"lo", lo ? Json(*lo) : Json(nullptr)},
      {"hi", hi ? Json(*hi) : Json(nullptr)},
      {"level", "proved"},
      {"failure_probability", 0}};
}

/// The text with its checksum.
inline std::string sealed(const nlohmann::ordered_json& fields) {
  std::string text = fields.dump();
  text.back() = ',';
  const auto checksum = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  return text + "\"checksum\":" + std::to_string(checksum) + "}";
}

}  // namespace tertium::internal::verifying
