#include <algorithm>
#include <atomic>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/cluster/result_view.hpp"
#include "tertium/cluster/walk.hpp"
#include "tertium/confidence/bootstrap.hpp"
#include "tertium/error.hpp"
#include "tertium/methods/certified_search.hpp"
#include "tertium/problem/reweighting.hpp"
#include "tertium/sdp.hpp"
#include "tertium/selection/heldout.hpp"
#include "tertium/similarity/additive.hpp"
#include "tertium/similarity/load.hpp"
#include "tertium/similarity/similarity_rule.hpp"
#include "tests/selection/answers.hpp"
#include "tests/temporary_file.hpp"

namespace tertium::internal {
namespace {

using Eigen::MatrixXd;
using testing::HasSubstr;

// ---- a rule of our own, which is not additive: the sign of what the additive rule gives

IntegerTriangle build_signs(const ComparisonList& list, std::span<const AnswerFactor> factor,
                            Run& run) {
  const IntegerTriangle sums = build_additive(list, factor, run);
  IntegerTriangle signs;  // zeros left out: other pairs for other factors
  signs.row_start.push_back(0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    for (std::size_t at = sums.row_start[i]; at < sums.row_start[i + 1]; ++at) {
      if (sums.value[at] == 0) continue;
      signs.column.push_back(sums.column[at]);
      signs.value.push_back(sums.value[at] > 0 ? 1 : -1);
    }
    signs.row_start.push_back(signs.column.size());
  }
  return signs;
}

constexpr SimilarityRule signs = {
    .name = "signs",
    .title = "Signs",
    .description = "which of two things most answers say",
    .takes_triplets = true,
    .takes_quadruplets = true,
    .additive = false,
    .build = build_signs,
};

/// The search, with a count of the refits and of entries that signs cannot have.
std::atomic<int> refits = 0;
std::atomic<int> other_entries = 0;

Labels refit_and_look(Problem& problem, int clusters, const RefitStart& start) {
  ++refits;
  for (std::size_t i = 0; i < static_cast<std::size_t>(problem.items()); ++i) {
    problem.map().visit_row(i, [&](std::uint32_t, std::int64_t value) {
      if (value < -1 || value > 1) ++other_entries;  // zeros are no entries
    });
  }
  return refit_by_search(problem, clusters, start);
}

constexpr Method looking = {
    .name = "looking",
    .description = "the search, with a look at S",
    .certificates = true,
    .slow = false,
    .cluster = cluster_by_certified_search,
    .refit = refit_and_look,
};

/// Answers with weights in the order of the list, and factors.
struct WeightedAnswers {
  std::vector<Answer> answers;
  std::vector<AnswerFactor> factor;
  ComparisonList list;

  WeightedAnswers(QuestionKind kind, int items, int count, unsigned seed) {
    answers = in_order_of_first_item(random_answers(kind, items, count, seed), same_rows(items));
    std::mt19937 random(seed);
    for (Answer& answer : answers) {
      answer.weight = weight_one / 4 * static_cast<Weight>(1 + random() % 8);
      factor.push_back(static_cast<AnswerFactor>(random() % 4));
    }
    list = list_comparisons(answers, same_rows(items), static_cast<std::size_t>(items));
  }

  /// AddS-3 or AddS-4, answer by answer.
  [[nodiscard]] MatrixXd sums(const std::vector<AnswerFactor>& times) const {
    const auto items = static_cast<Eigen::Index>(list.items());
    MatrixXd s = MatrixXd::Zero(items, items);
    for (std::size_t t = 0; t < answers.size(); ++t) {
      const double weight =
          times[t] * static_cast<double>(answers[t].weight) / static_cast<double>(weight_one);
      const auto& [a, b, c, d] = answers[t].items;
      const bool quadruplet = answers[t].kind == QuestionKind::quadruplet;
      const ItemId i = quadruplet ? c : a;
      const ItemId j = quadruplet ? d : c;
      s(a, b) += weight;
      s(b, a) += weight;
      s(i, j) -= weight;
      s(j, i) -= weight;
    }
    return s;
  }
};

MatrixXd sign_of(const MatrixXd& matrix) {
  return matrix.unaryExpr([](double x) { return x > 0 ? 1.0 : (x < 0 ? -1.0 : 0.0); });
}

TEST(Reweighting, MakesTheSimilarityOfEveryRuleAnew) {
  for (const auto kind : {QuestionKind::triplet, QuestionKind::quadruplet}) {
    const WeightedAnswers weighted(kind, 12, 150, 3);
    const std::vector<AnswerFactor> once(weighted.answers.size(), 1);
    const std::vector<AnswerFactor> never(weighted.answers.size(), 0);
    const bool quadruplets = kind == QuestionKind::quadruplet;
    for (const SimilarityRule* rule : {quadruplets ? &adds4 : &adds3, &signs}) {
      const auto expected = [&](const std::vector<AnswerFactor>& times) -> MatrixXd {
        return rule->additive ? weighted.sums(times) : sign_of(weighted.sums(times));
      };
      tertium::Run run;
      Reweighting reweighting(weighted.list, *rule);
      EXPECT_EQ(to_dense(SparseMap(reweighting.all(run))), expected(once)) << rule->name;
      Problem problem(reweighting.all(run), certified_search, {}, run);
      EXPECT_EQ(problem.dense(), expected(once));
      const Labels labels = problem.partition(3).labels;
      for (const auto& times : {weighted.factor, never, once}) {
        reweighting.apply(times, problem);
        EXPECT_EQ(problem.dense(), expected(times)) << rule->name;
        EXPECT_EQ(to_dense(problem.map()), expected(times));
      }
      EXPECT_EQ(problem.partition(3).labels, labels);
    }
  }
}

TEST(OwnRule, LetsHeldOutAnswersChooseTheNumber) {
  refits = 0;
  other_entries = 0;
  const auto answers = planted_answers(QuestionKind::triplet, 60, 3, 20000, 8, 0.9);
  const ComparisonList list = list_comparisons(answers, same_rows(60), 60);
  HeldoutOptions options;
  options.most = 6;
  tertium::Run alone({.threads = 1});
  const HeldoutCurve curve = heldout_curve(list, {signs, looking, {}}, options, alone);
  EXPECT_EQ(curve.clusters, 3);
  EXPECT_EQ(refits, 5 * 6);
  EXPECT_EQ(other_entries, 0);
  tertium::Run together({.threads = 3});
  const HeldoutCurve again = heldout_curve(list, {signs, looking, {}}, options, together);
  ASSERT_EQ(again.points.size(), curve.points.size());
  for (std::size_t p = 0; p < curve.points.size(); ++p) {
    EXPECT_EQ(again.points[p].by_fold, curve.points[p].by_fold);
  }
  // With the additive rule there is more to see: else this test would see nothing.
  heldout_curve(list, {adds3, looking, {}}, options, alone);
  EXPECT_GT(other_entries, 0);
}

TEST(OwnRule, IsResampled) {
  refits = 0;
  other_entries = 0;
  const auto answers = planted_answers(QuestionKind::triplet, 60, 3, 20000, 8, 0.9);
  const ComparisonList list = list_comparisons(answers, same_rows(60), 60);
  BootstrapOptions options;
  options.resamples = 20;
  const Labels truth = planted_labels(60, 3);
  tertium::Run alone({.threads = 1});
  const BootstrapResult clear = bootstrap(list, truth, {signs, looking, {}}, options, alone);
  EXPECT_EQ(clear.stability, 1);
  EXPECT_EQ(refits, 20);
  EXPECT_EQ(other_entries, 0);
  const auto few = planted_answers(QuestionKind::triplet, 60, 3, 900, 8, 0.9);
  const ComparisonList unclear = list_comparisons(few, same_rows(60), 60);
  tertium::Run together({.threads = 3});
  EXPECT_EQ(bootstrap(unclear, truth, {signs, looking, {}}, options, alone).labels,
            bootstrap(unclear, truth, {signs, looking, {}}, options, together).labels);
}

/// Zeros stay where answers cancel.
constexpr SimilarityRule with_zeros = {
    .name = "with_zeros",
    .title = "With zeros",
    .description = "the sums, zeros stored",
    .takes_triplets = true,
    .takes_quadruplets = false,
    .additive = false,
    .build = build_additive,
};

TEST(OwnRule, ThatStoresZerosLinksNobodyByThem) {
  const TemporaryFolder folder;
  const std::string file =
      folder.file("answers.csv", "anchor,near,far\na,b,c\nd,e,f\na,d,b\na,b,d\n");
  tertium::Run run;
  LoadOptions load;
  load.keep_answers = true;
  const LoadedSimilarity loaded = load_by(&with_zeros, {file}, load, run);
  const LoadedSimilarity sums = load_by(nullptr, {file}, load, run);
  EXPECT_EQ(loaded.similarity.value, sums.similarity.value);
  EXPECT_EQ(loaded.similarity.column, sums.similarity.column);
}

TEST(SimilarityMatrix, WhosePartsDoNotFitIsRefused) {
  SimilarityMatrix whole;
  whole.items = {"a", "b", "c"};
  whole.row_start = {0, 0, 1, 3};
  whole.column = {0, 0, 1};
  whole.value = {1, -1, 2};
  EXPECT_NO_THROW(validate(whole));
  const auto spoiled = [&](const auto& spoil) {
    SimilarityMatrix copy = whole;
    spoil(copy);
    return copy;
  };
  for (const SimilarityMatrix& bad : {
           spoiled([](auto& s) { s.items.pop_back(); }),
           spoiled([](auto& s) { s.row_start.clear(); }),
           spoiled([](auto& s) { s.value.pop_back(); }),
           spoiled([](auto& s) { s.row_start[1] = 2; }),
           spoiled([](auto& s) { s.column[2] = 77; }),
           spoiled([](auto& s) { s.column[0] = 1; }),
           spoiled([](auto& s) { std::swap(s.column[1], s.column[2]); }),
           spoiled([](auto& s) { s.denominator = 0; }),
           spoiled([](auto& s) { s.rule = "mine"; }),
       }) {
    tertium::Run run;
    EXPECT_THROW(validate(bad), InputError);
    EXPECT_THROW(solve_sdp(bad, Clusters{2}, {}, run), InputError);
    LoadedSimilarity loaded;
    loaded.similarity = bad;
    EXPECT_THROW(cluster(loaded, {}, run), InputError);
  }
}

TEST(OwnRule, GoesAllTheWayFromAFileToAResult) {
  refits = 0;
  other_entries = 0;
  std::string text = "anchor,near,far\n";
  for (const Answer& answer : planted_answers(QuestionKind::triplet, 40, 2, 12000, 8, 0.9)) {
    text += fmt::format("{},{},{}\n", answer.items[0], answer.items[1], answer.items[2]);
  }
  const TemporaryFolder folder;
  const std::string file = folder.file("answers.csv", text);
  tertium::Run run;
  LoadOptions load;
  load.keep_answers = true;
  const LoadedSimilarity sums = load_by(nullptr, {file}, load, run);
  const LoadedSimilarity loaded = load_by(&signs, {file}, load, run);
  EXPECT_EQ(loaded.similarity.rule, "signs");
  EXPECT_EQ(loaded.similarity.items, sums.similarity.items);
  EXPECT_EQ(to_dense(SparseMap(loaded.similarity)), sign_of(to_dense(SparseMap(sums.similarity))));

  ClusterOptions options;
  options.resamples = 20;
  const Clustering found = walk_with(looking, loaded, options, run);
  EXPECT_EQ(found.labels, in_order_of_size(planted_labels(40, 2)));
  EXPECT_GE(refits, 20);
  EXPECT_EQ(other_entries, 0);
  const ResultView view = view_of(found, loaded, options, 1);
  EXPECT_EQ(view.similarity, "signs");
  // The checker cannot make such a similarity again; sums it can.
  EXPECT_TRUE(view.is_proved());
  EXPECT_EQ(view.certificate_file, "");
  EXPECT_THAT(view.warnings, testing::Contains(HasSubstr("cannot make signs again")));
  EXPECT_NE(view_of(walk(sums, options, run), sums, options, 1).certificate_file, "");
  EXPECT_THROW(check_certifiable({"", "", "proof.json"}, loaded.similarity), InputError);

  // What has only sums cannot be made into another similarity, nor this one into sums.
  const std::string snapshot = folder.path("sums.sim");
  write_snapshot(sums.similarity, snapshot);
  EXPECT_THROW(load_by(&signs, {snapshot}, {}, run), InputError);
  EXPECT_THROW(load_by(&adds4, {snapshot}, {}, run), InputError);
  EXPECT_EQ(load_by(&adds3, {snapshot}, {}, run).similarity, sums.similarity);
  EXPECT_THROW(write_snapshot(loaded.similarity, snapshot), InputError);
}

// ---- the table

TEST(RuleTable, HasNamedRulesThatCanBeFound) {
  std::set<std::string_view> names;
  for (const SimilarityRule& rule : similarity_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_FALSE(rule.title.empty()) << rule.name;
    EXPECT_FALSE(rule.description.empty()) << rule.name;
    EXPECT_NE(rule.build, nullptr) << rule.name;
    EXPECT_EQ(&find_rule(rule.name), &rule);
    EXPECT_THAT(similarity_names(), testing::Contains(rule.name));
  }
  for (const bool quadruplets : {false, true}) {
    EXPECT_EQ(default_rule(quadruplets).takes_quadruplets, quadruplets);
  }
  try {
    find_rule("signs");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("signs"));
    for (const SimilarityRule& rule : similarity_rules()) {
      EXPECT_THAT(error.parts().expected, HasSubstr(std::string(rule.name)));
    }
  }
}

TEST(RuleTable, EveryRuleBuildsItsSimilarity) {
  for (const SimilarityRule& rule : similarity_rules()) {
    const WeightedAnswers weighted(
        rule.takes_quadruplets ? QuestionKind::quadruplet : QuestionKind::triplet, 10, 120, 5);
    tertium::Run run;
    const std::vector<AnswerFactor> once(weighted.answers.size(), 1);
    const IntegerTriangle all = rule.build(weighted.list, {}, run);
    EXPECT_EQ(to_dense(SparseMap(all)), to_dense(SparseMap(rule.build(weighted.list, once, run))))
        << rule.name;
    if (!rule.additive) continue;
    EXPECT_EQ(to_dense(SparseMap(all)), weighted.sums(once)) << rule.name;
    EXPECT_EQ(to_dense(SparseMap(rule.build(weighted.list, weighted.factor, run))),
              weighted.sums(weighted.factor))
        << rule.name;
  }
}

}  // namespace
}  // namespace tertium::internal
