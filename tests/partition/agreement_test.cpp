#include "tertium/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "tertium/error.hpp"
#include "tests/shared_data.hpp"
#include "tests/temporary_file.hpp"

namespace tertium::internal {
namespace {

Labeling labeling(const std::vector<int>& labels) {
  Labeling result;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    result.items.push_back("item" + std::to_string(i));
    result.labels.push_back(std::to_string(labels[i]));
  }
  return result;
}

/// The adjusted Rand index from counting all pairs.
double rand_by_pairs(const std::vector<int>& a, const std::vector<int>& b) {
  double both = 0;
  double only_a = 0;
  double only_b = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      both += static_cast<double>(a[i] == a[j] && b[i] == b[j]);
      only_a += static_cast<double>(a[i] == a[j]);
      only_b += static_cast<double>(b[i] == b[j]);
      pairs += 1;
    }
  }
  const double expected = only_a * only_b / pairs;
  return (both - expected) / ((only_a + only_b) / 2 - expected);
}

/// Normalised mutual information from the definition with logarithms of ratios.
double information_by_definition(const std::vector<int>& a, const std::vector<int>& b) {
  std::map<int, double> pa;
  std::map<int, double> pb;
  std::map<std::pair<int, int>, double> pab;
  const double share = 1.0 / static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    pa[a[i]] += share;
    pb[b[i]] += share;
    pab[{a[i], b[i]}] += share;
  }
  double mutual = 0;
  for (const auto& [label, p] : pab)
    mutual += p * std::log(p / (pa[label.first] * pb[label.second]));
  double entropy_a = 0;
  for (const auto& [label, p] : pa) entropy_a -= p * std::log(p);
  double entropy_b = 0;
  for (const auto& [label, p] : pb) entropy_b -= p * std::log(p);
  return 2 * mutual / (entropy_a + entropy_b);
}

TEST(Agreement, MatchesItsDefinitions) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::vector<int> a(40);
    std::vector<int> b(40);
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i] = static_cast<int>(random() % 4);
      b[i] = random() % 3 == 0 ? static_cast<int>(random() % 5) : a[i];
    }
    const Agreement agreement = compare_labelings(labeling(a), labeling(b));
    EXPECT_NEAR(agreement.adjusted_rand, rand_by_pairs(a, b), 1e-12);
    EXPECT_NEAR(adjusted_rand_index(a, b), agreement.adjusted_rand, 1e-12);
    EXPECT_NEAR(agreement.mutual_information, information_by_definition(a, b), 1e-12);
  }
}

TEST(Agreement, DegenerateLabelings) {
  const auto compare = [](const std::vector<int>& a, const std::vector<int>& b) {
    return compare_labelings(labeling(a), labeling(b));
  };
  EXPECT_EQ(compare({1, 1, 1}, {2, 2, 2}).adjusted_rand, 1);
  EXPECT_EQ(compare({1, 1, 1}, {2, 2, 2}).mutual_information, 1);
  EXPECT_EQ(compare({1, 2, 3}, {3, 1, 2}).adjusted_rand, 1);
  EXPECT_NEAR(compare({1, 1, 1}, {1, 2, 3}).adjusted_rand, 0, 1e-15);
  EXPECT_NEAR(compare({1, 1, 1}, {1, 2, 3}).mutual_information, 0, 1e-15);
  EXPECT_EQ(compare({1}, {5}).adjusted_rand, 1);
}

TEST(Agreement, GoesByNameNotByOrder) {
  const Labeling a{{"x", "y", "z", "only a"}, {"1", "1", "2", "3"}};
  const Labeling b{{"z", "only b", "y", "x"}, {"q", "r", "p", "p"}};
  const Agreement agreement = compare_labelings(a, b);
  EXPECT_EQ(agreement.adjusted_rand, 1);
  EXPECT_EQ(agreement.items, 3U);
  EXPECT_EQ(agreement.only_in_a, std::vector<std::string>{"only a"});
  EXPECT_EQ(agreement.only_in_b, std::vector<std::string>{"only b"});
  EXPECT_THROW(compare_labelings(a, {{"w"}, {"1"}}), InputError);
}

TEST(Labeling, ReadsUsualColumnsAndRefusesRepeats) {
  const TemporaryFolder folder;
  const Labeling labels = read_labeling(folder.file("a.csv", "item,cluster\na,1\nb,2\nc,\n"));
  EXPECT_EQ(labels.items, (std::vector<std::string>{"a", "b"}));
  EXPECT_THROW(read_labeling(folder.file("b.csv", "item,cluster\na,1\na,2\n")), InputError);
  EXPECT_THROW(read_labeling(folder.file("c.csv", "x,y\na,1\n")), InputError);
  EXPECT_EQ(read_labeling(folder.file("d.csv", "x,y\na,1\n"), {"x", "y"}).labels[0], "1");
}

class SharedDataLabels : public SharedData {};

TEST_F(SharedDataLabels, CarClasses) {
  const Agreement agreement = compare_labelings(
      read_labeling(data("car/labels.csv")), read_labeling(data("car/labels.csv"), {{}, "class"}));
  EXPECT_EQ(agreement.items, 60U);
  EXPECT_EQ(agreement.adjusted_rand, 1);
  EXPECT_EQ(agreement.clusters_a, 4U);
}

}  // namespace
}  // namespace tertium::internal
