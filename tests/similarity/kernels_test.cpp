#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "tertium/error.hpp"
#include "tertium/similarity/binary_units.hpp"
#include "tertium/similarity/feature_table.hpp"
#include "tertium/similarity/mulk3.hpp"
#include "tertium/similarity/mulk3b.hpp"
#include "tertium/similarity/mulk4.hpp"
#include "tertium/spectral/composed_maps.hpp"
#include "tertium/spectral/sparse_map.hpp"
#include "tests/selection/answers.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Answers of one kind with weights and factors, and the kernels by a loop over their definitions.
class Definition {
 public:
  Definition(QuestionKind kind, int items, int count, unsigned seed, Weight weight_unit)
      : items_(items) {
    answers = in_order_of_first_item(random_answers(kind, items, count, seed), same_rows(items));
    std::mt19937 random(seed);
    for (Answer& answer : answers) {
      answer.weight = weight_unit * static_cast<Weight>(1 + random() % 3);
      factor.push_back(static_cast<AnswerFactor>(static_cast<int>(random() % 4) - 1));
    }
    list = list_comparisons(answers, same_rows(items), static_cast<std::size_t>(items));
  }

  /// w(i, j, r, s): the weight of "i and j are more alike than r and s", pairs in any order.
  void count(const std::vector<AnswerFactor>& times) {
    said_.clear();
    for (std::size_t t = 0; t < answers.size(); ++t) {
      const double weight =
          static_cast<double>(answers[t].weight) / static_cast<double>(weight_one);
      const auto& [a, b, c, d] = answers[t].items;
      switch (answers[t].kind) {
        case QuestionKind::quadruplet:
          say(times[t], weight, {a, b}, {c, d});
          break;
        case QuestionKind::triplet:
          say(times[t], weight, {a, b}, {a, c});
          break;
        case QuestionKind::odd_one_out:
          say(times[t], weight, {a, b}, {a, c});
          say(times[t], weight, {b, a}, {b, c});
          break;
        case QuestionKind::most_central:
          say(times[t], weight, {b, a}, {b, c});
          say(times[t], weight, {c, a}, {c, b});
          break;
      }
    }
  }

  [[nodiscard]] MatrixXd mulk3() const {
    return kernel([&](int i, int j) {
      double sum = 0;
      for (int r = 0; r < items_; ++r) {
        for (int s = 0; s < r; ++s) sum += balance(i, r, i, s) * balance(j, r, j, s);
      }
      return sum / std::sqrt(evidence(i, true) * evidence(j, true));
    });
  }
  [[nodiscard]] MatrixXd mulk3b() const {
    return kernel([&](int r, int s) {
      double sum = 0;
      for (int i = 0; i < items_; ++i) {
        for (int t = 0; t < items_; ++t) sum += balance(i, r, i, t) * balance(i, s, i, t);
      }
      return sum / std::sqrt(evidence(r, false) * evidence(s, false));
    });
  }
  [[nodiscard]] MatrixXd mulk4() const {
    return kernel([&](int i, int j) {
      double sum = 0;
      for (int l = 0; l < items_; ++l) {
        if (l == i || l == j) continue;
        for (int r = 0; r < items_; ++r) {
          for (int s = 0; s < r; ++s) sum += balance(i, l, r, s) * balance(j, l, r, s);
        }
      }
      return sum;
    });
  }

  std::vector<Answer> answers;
  std::vector<AnswerFactor> factor;
  ComparisonList list;

 private:
  using Pair = std::pair<ItemId, ItemId>;
  using Said = std::array<int, 4>;

  static Said key(Pair near, Pair far) {
    const auto [i, j] = std::minmax(near.first, near.second);
    const auto [r, s] = std::minmax(far.first, far.second);
    return {static_cast<int>(i), static_cast<int>(j), static_cast<int>(r), static_cast<int>(s)};
  }
  void say(int times, double weight, Pair near, Pair far) {
    if (times > 0) said_[key(near, far)] += times * weight;
    if (times < 0) said_[key(far, near)] -= times * weight;
  }
  [[nodiscard]] double said(int i, int j, int r, int s) const {
    const auto [near, far] = std::pair(std::minmax(i, j), std::minmax(r, s));
    const auto found = said_.find({near.first, near.second, far.first, far.second});
    return found == said_.end() ? 0 : found->second;
  }
  [[nodiscard]] double balance(int i, int j, int r, int s) const {
    return said(i, j, r, s) - said(r, s, i, j);
  }
  /// The sum of squares over triplets with this item as the anchor, or else as an option.
  [[nodiscard]] double evidence(int item, bool as_anchor) const {
    double sum = 0;
    for (int a = 0; a < items_; ++a) {
      for (int b = 0; b < items_; ++b) {
        for (int c = 0; c < items_; ++c) {
          const bool counts = as_anchor ? a == item : b == item || c == item;
          if (counts && a != b && a != c) sum += std::pow(said(a, b, a, c), 2);
        }
      }
    }
    return sum;
  }
  template <class Value>
  [[nodiscard]] MatrixXd kernel(const Value& value) const {
    MatrixXd matrix = MatrixXd::Zero(items_, items_);
    for (int i = 0; i < items_; ++i) {
      for (int j = 0; j < items_; ++j) {
        const double entry = i == j ? 0 : value(i, j);
        matrix(i, j) = std::isfinite(entry) ? entry : 0;
      }
    }
    return matrix;
  }

  int items_;
  std::map<Said, double> said_;
};

/// More than rounding to 31 bits of the largest value may change.
double unit_of(const MatrixXd& matrix) { return matrix.cwiseAbs().maxCoeff() * 0x1p-29; }

void expect_near(const MatrixXd& found, const MatrixXd& expected, const std::string& what) {
  ASSERT_GT(expected.cwiseAbs().maxCoeff(), 0) << what;
  EXPECT_LE((found - expected).cwiseAbs().maxCoeff(), unit_of(expected)) << what;
}

TEST(Kernels, AreTheSumsOfTheirDefinition) {
  for (const auto kind : {QuestionKind::triplet, QuestionKind::odd_one_out,
                          QuestionKind::most_central, QuestionKind::quadruplet}) {
    for (const Weight unit : {weight_one, weight_one / 4, Weight{333'333'333}}) {
      const int count = kind == QuestionKind::quadruplet ? 900 : 150;
      Definition definition(kind, 7, count, 5, unit);
      const ComparisonList& list = definition.list;
      tertium::Run run;
      const std::vector<AnswerFactor> once(definition.answers.size(), 1);
      for (const auto& times : {once, definition.factor}) {
        definition.count(times);
        const std::string what = std::string(to_string(kind)) + " of " + std::to_string(unit);
        expect_near(to_dense(SparseMap(build_mulk4(list, times, run))), definition.mulk4(), what);
        if (kind == QuestionKind::quadruplet) continue;
        expect_near(to_dense(SparseMap(build_mulk3(list, times, run))), definition.mulk3(), what);
        expect_near(to_dense(SparseMap(build_mulk3b(list, times, run))), definition.mulk3b(), what);
      }
    }
  }
}

TEST(Kernels, OfWholeWeightsAreExactBeforeTheyAreNormalised) {
  Definition definition(QuestionKind::quadruplet, 7, 900, 5, weight_one);
  definition.count(std::vector<AnswerFactor>(definition.answers.size(), 1));
  tertium::Run run;
  const IntegerTriangle found = build_mulk4(definition.list, {}, run);
  EXPECT_EQ(found.denominator, 1);
  EXPECT_EQ(to_dense(SparseMap(found)), definition.mulk4());
}

TEST(Kernels, DoNotDependOnThreads) {
  for (const auto kind : {QuestionKind::triplet, QuestionKind::quadruplet}) {
    const auto answers = random_answers(kind, 40, 6000, 3);
    const ComparisonList list = list_comparisons(answers, same_rows(40), 40);
    tertium::Run alone({.threads = 1});
    tertium::Run together({.threads = 4});
    for (const auto build : {build_mulk3, build_mulk3b, build_mulk4}) {
      if (kind == QuestionKind::quadruplet && build != build_mulk4) continue;
      EXPECT_EQ(build(list, {}, alone), build(list, {}, together));
    }
  }
}

/// The paper's formula counts a set: saying everything twice as loud changes nothing.
TEST(Kernels, OfTripletsDoNotDependOnTheUnitOfWeights) {
  std::vector<Answer> answers = random_answers(QuestionKind::triplet, 9, 300, 4);
  const ComparisonList one = list_comparisons(answers, same_rows(9), 9);
  for (Answer& answer : answers) answer.weight *= 2;
  const ComparisonList two = list_comparisons(answers, same_rows(9), 9);
  tertium::Run run;
  for (const auto build : {build_mulk3, build_mulk3b}) {
    EXPECT_EQ(to_dense(SparseMap(build(one, {}, run))), to_dense(SparseMap(build(two, {}, run))));
  }
}

TEST(FeatureTable, NeedsMoreThan64BitsForLargeValues) {
  tertium::Run run;
  const auto table_of = [&](std::int64_t value) {
    const auto emit = [&](const auto& visit) {
      visit(0, 5, 0, value);
      visit(0, 5, 1, value);
      visit(0, 4, 0, 7);
      visit(0, 4, 1, -value);
    };
    return FeatureTable(2, emit, run);
  };
  const std::int64_t large = std::int64_t{1} << 40U;
  EXPECT_TRUE(table_of(1000).is_narrow());
  EXPECT_FALSE(table_of(large).is_narrow());
  const auto products = table_of(large).products<WideInteger>(run);
  ASSERT_EQ(products.value.size(), 1U);
  EXPECT_TRUE(products.value[0] == WideInteger{large} * large - 7 * WideInteger{large});
  EXPECT_TRUE(products.evidence[1] == 2 * WideInteger{large} * large);
}

TEST(FeatureTable, LeavesOutProductsThatCancel) {
  tertium::Run run;
  const auto emit = [](const auto& visit) {
    for (const std::uint32_t place : {1U, 2U, 3U}) visit(2, place, 0, 1);
    visit(2, 1, 1, 1);
    visit(2, 2, 1, -1);
    visit(2, 3, 2, 4);
  };
  const auto products = FeatureTable(3, emit, run).products<std::int64_t>(run);
  EXPECT_EQ(products.row_start, (std::vector<std::uint64_t>{0, 0, 0, 1}));
  EXPECT_EQ(products.column, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(products.value, (std::vector<std::int64_t>{4}));
}

TEST(BinaryUnits, RoundAsFinelyAs31BitsOfTheLargestAllow) {
  const IntegerTriangle triangle =
      in_binary_units({0, 0, 1, 3}, {0, 0, 1}, {0.75, -1.0 / 3, 1e-12});
  EXPECT_EQ(triangle.denominator, std::int64_t{1} << 31U);
  EXPECT_EQ(triangle.value[0], 3LL << 29U);
  EXPECT_NEAR(static_cast<double>(triangle.value[1]), -0x1p31 / 3, 0.5);
  EXPECT_EQ(triangle.value[2], 0);
  EXPECT_EQ(in_binary_units({0, 0, 1}, {0}, {0x1p50}).value[0], std::int64_t{1} << 50U);
  EXPECT_THROW(in_binary_units({0, 0, 1}, {0}, {0x1p61}), InputError);
}

}  // namespace
}  // namespace tertium::internal
