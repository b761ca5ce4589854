#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <span>

#include <gtest/gtest.h>

#include "tertium/dendrogram.hpp"
#include "tertium/hierarchy/comparison_linkage.hpp"
#include "tertium/hierarchy/linkage.hpp"
#include "tertium/hierarchy/revenue.hpp"
#include "tests/selection/answers.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Cluster = std::set<int>;

/// The clusters of a tree, in the order in which they are made.
std::vector<Cluster> clusters_of(const Dendrogram& tree) {
  std::vector<Cluster> clusters;
  for (int i = 0; i < static_cast<int>(tree.items()); ++i) clusters.push_back({i});
  for (const Merge& merge : tree.merges) {
    Cluster both = clusters[merge.first];
    both.insert(clusters[merge.second].begin(), clusters[merge.second].end());
    EXPECT_EQ(both.size(), merge.size);
    EXPECT_LT(merge.first, merge.second);
    clusters.push_back(both);
  }
  clusters.erase(clusters.begin(), clusters.begin() + static_cast<std::ptrdiff_t>(tree.items()));
  return clusters;
}

/// Merges the two clusters with the largest likeness (equal ones: those with the smallest items,
/// which come first), looked for among all pairs each time.
template <class Likeness>
std::vector<Cluster> merged_by_definition(int items, const Likeness& likeness) {
  std::vector<Cluster> clusters;
  for (int i = 0; i < items; ++i) clusters.push_back({i});
  std::vector<Cluster> made;
  while (clusters.size() > 1) {
    double best = -1e300;
    std::pair<std::size_t, std::size_t> nearest;
    for (std::size_t p = 0; p < clusters.size(); ++p) {
      for (std::size_t q = p + 1; q < clusters.size(); ++q) {
        const double here = likeness(clusters, p, q);
        if (here <= best + 1e-9) continue;
        best = here;
        nearest = {p, q};
      }
    }
    const auto [p, q] = nearest;
    clusters[p].insert(clusters[q].begin(), clusters[q].end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(q));
    made.push_back(clusters[p]);
  }
  return made;
}

double linkage_by_definition(const MatrixXd& s, Linkage linkage, const Cluster& p,
                             const Cluster& q) {
  double sum = 0;
  double largest = -1e300;
  double smallest = 1e300;
  for (const int i : p) {
    for (const int j : q) {
      sum += s(i, j);
      largest = std::max(largest, s(i, j));
      smallest = std::min(smallest, s(i, j));
    }
  }
  if (linkage == Linkage::single) return largest;
  if (linkage == Linkage::complete) return smallest;
  return sum / static_cast<double>(p.size() * q.size());
}

TEST(Linkage, MergesTheMostAlikeEachTime) {
  for (const auto linkage : {Linkage::average, Linkage::single, Linkage::complete}) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const int items = 2 + static_cast<int>(seed) % 12;
      const MatrixXd s = random_symmetric(items, seed, 1'000'000);  // no ties to speak of
      tertium::Run run;
      const Dendrogram tree = link(SparseMap(to_similarity(s, 8)), linkage, run);
      std::vector<double> at;
      const auto made = merged_by_definition(items, [&](const auto& all, std::size_t p, auto q) {
        return linkage_by_definition(s, linkage, all[p], all[q]);
      });
      EXPECT_EQ(clusters_of(tree), made) << items;
    }
  }
}

TEST(Linkage, SaysHowMuchLessAlikeThanTheFirst) {
  const MatrixXd s = random_symmetric(9, 3, 50);
  tertium::Run run;
  const Dendrogram tree = link(SparseMap(to_similarity(s, 4)), Linkage::average, run);
  std::vector<Cluster> clusters;
  for (int i = 0; i < 9; ++i) clusters.push_back({i});
  for (const Cluster& made : clusters_of(tree)) clusters.push_back(made);
  double first = 0;
  double before = 0;
  for (std::size_t m = 0; m < tree.merges.size(); ++m) {
    const Merge& merge = tree.merges[m];
    const double alike =
        linkage_by_definition(s, Linkage::average, clusters[merge.first], clusters[merge.second]);
    if (m == 0) first = alike;
    EXPECT_NEAR(merge.distance, first - alike, 1e-12);
    EXPECT_GE(merge.distance, before);
    before = merge.distance;
  }
}

/// Where many pairs are equally alike, every merge is of two clusters that are most alike then.
TEST(Linkage, BreaksTiesSomehowButNeverMergesOthers) {
  for (const auto linkage : {Linkage::average, Linkage::single, Linkage::complete}) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const MatrixXd s = random_symmetric(10, seed, 1);
      tertium::Run run;
      const Dendrogram tree = link(SparseMap(to_similarity(s)), linkage, run);
      std::map<std::uint32_t, Cluster> left;
      for (int i = 0; i < 10; ++i) left[static_cast<std::uint32_t>(i)] = {i};
      for (std::uint32_t m = 0; m < 9; ++m) {
        const Merge& merge = tree.merges[m];
        const double chosen =
            linkage_by_definition(s, linkage, left[merge.first], left[merge.second]);
        for (const auto& [a, p] : left) {
          for (const auto& [b, q] : left) {
            if (a >= b) continue;
            EXPECT_LE(linkage_by_definition(s, linkage, p, q), chosen + 1e-12);
          }
        }
        left[10 + m] = left[merge.first];
        left[10 + m].insert(left[merge.second].begin(), left[merge.second].end());
        left.erase(merge.first);
        left.erase(merge.second);
      }
    }
  }
}

// ---- ComparisonHC

struct Said {
  int i, j, r, s;
  double weight;
};

std::vector<Said> said_by(const std::vector<Answer>& answers,
                          const std::vector<AnswerFactor>& factor) {
  std::vector<Said> said;
  for (std::size_t t = 0; t < answers.size(); ++t) {
    const double weight = factor[t] * static_cast<double>(answers[t].weight);
    std::array<int, 4> x{};
    std::copy(answers[t].items.begin(), answers[t].items.end(), x.begin());
    switch (answers[t].kind) {
      case QuestionKind::quadruplet:
        said.push_back({x[0], x[1], x[2], x[3], weight});
        break;
      case QuestionKind::triplet:
        said.push_back({x[0], x[1], x[0], x[2], weight});
        break;
      case QuestionKind::odd_one_out:
        said.push_back({x[0], x[1], x[0], x[2], weight});
        said.push_back({x[1], x[0], x[1], x[2], weight});
        break;
      case QuestionKind::most_central:
        said.push_back({x[1], x[0], x[1], x[2], weight});
        said.push_back({x[2], x[0], x[2], x[1], weight});
        break;
    }
  }
  return said;
}

/// W(p, q) by its four sums over items.
double mean_comparison(const std::vector<Said>& said, const std::vector<Cluster>& all,
                       std::size_t p, std::size_t q) {
  const auto between = [](const Cluster& a, const Cluster& b, int i, int j) {
    return (a.contains(i) && b.contains(j)) || (a.contains(j) && b.contains(i));
  };
  double mean = 0;
  for (std::size_t r = 0; r < all.size(); ++r) {
    for (std::size_t s = 0; s < all.size(); ++s) {
      if (r == s) continue;
      double sum = 0;
      for (const auto& [i, j, k, l, weight] : said) {
        if (between(all[p], all[q], i, j) && between(all[r], all[s], k, l)) sum += weight;
        if (between(all[p], all[q], k, l) && between(all[r], all[s], i, j)) sum -= weight;
      }
      mean +=
          sum / static_cast<double>(all[p].size() * all[q].size() * all[r].size() * all[s].size());
    }
  }
  return mean / 1e6;
}

TEST(ComparisonHc, MergesWhatItsDefinitionMerges) {
  for (const auto kind : {QuestionKind::triplet, QuestionKind::quadruplet,
                          QuestionKind::odd_one_out, QuestionKind::most_central}) {
    for (const int count : {12, 150}) {  // few answers: most of W is 0, and many are equal
      for (unsigned seed = 1; seed <= 3; ++seed) {
        auto answers = in_order_of_first_item(random_answers(kind, 8, count, seed), same_rows(8));
        std::mt19937 random(seed);
        std::vector<AnswerFactor> factor;
        for (Answer& answer : answers) {
          answer.weight = weight_one / 2 * static_cast<Weight>(1 + random() % 3);
          factor.push_back(static_cast<AnswerFactor>(static_cast<int>(random() % 4) - 1));
        }
        const ComparisonList list = list_comparisons(answers, same_rows(8), 8);
        const auto said = said_by(answers, factor);
        tertium::Run run;
        const auto made = merged_by_definition(8, [&](const auto& all, std::size_t p, auto q) {
          return mean_comparison(said, all, p, q);
        });
        const Dendrogram tree = link_by_comparisons(list, factor, run);
        EXPECT_EQ(clusters_of(tree), made) << to_string(kind) << " " << count << " " << seed;
        for (std::size_t m = 0; m < tree.merges.size(); ++m) {
          EXPECT_EQ(tree.merges[m].distance, static_cast<double>(m + 1));
        }
      }
    }
  }
}

TEST(ComparisonHc, FindsPlantedGroups) {
  for (const auto kind : {QuestionKind::triplet, QuestionKind::quadruplet}) {
    const auto answers = planted_answers(kind, 24, 3, 12000, 5, 0.9);
    tertium::Run run;
    const ComparisonList list = list_comparisons(answers, same_rows(24), 24);
    EXPECT_EQ(cut(link_by_comparisons(list, {}, run), 3), in_order_of_size(planted_labels(24, 3)));
  }
}

// ---- trees

/// The leaves under the join of i and j.
double join_size(const Dendrogram& tree, int i, int j) {
  for (const Cluster& made : clusters_of(tree)) {
    if (made.contains(i) && made.contains(j)) return static_cast<double>(made.size());
  }
  return 0;
}

TEST(Dendrogram, EarnsWhatItsAnswersEarn) {
  for (const auto kind : {QuestionKind::triplet, QuestionKind::quadruplet}) {
    auto answers = random_answers(kind, 11, 200, 7);
    for (std::size_t t = 0; t < answers.size(); ++t)
      answers[t].weight = weight_one / 4 * static_cast<Weight>(1 + t % 3);
    const ComparisonList list = list_comparisons(answers, same_rows(11), 11);
    tertium::Run run;
    for (const auto linkage : {Linkage::average, Linkage::single}) {
      const Dendrogram tree = link(SparseMap(list.pattern), linkage, run);
      double earned = 0;
      const std::vector<AnswerFactor> once(answers.size(), 1);
      for (const auto& [i, j, r, s, weight] : said_by(answers, once)) {
        earned += weight / 1e6 * (join_size(tree, r, s) - join_size(tree, i, j));
      }
      EXPECT_NEAR(revenue(tree, list.pattern), earned, 1e-9);
    }
  }
}

TEST(Dendrogram, IsCutIntoTheLastClusters) {
  const MatrixXd s = random_symmetric(12, 5, 1000);
  tertium::Run run;
  const Dendrogram tree = link(SparseMap(to_similarity(s)), Linkage::average, run);
  for (int k = 1; k <= 12; ++k) {
    // The largest sets that the first 12 - k merges have made.
    std::vector<Cluster> left;
    for (int i = 0; i < 12; ++i) left.push_back({i});
    const auto made = clusters_of(tree);
    for (const Cluster& now : std::span(made).first(static_cast<std::size_t>(12 - k))) {
      std::erase_if(left, [&](const Cluster& c) {
        return std::includes(now.begin(), now.end(), c.begin(), c.end());
      });
      left.push_back(now);
    }
    Labels expected(12);
    for (std::size_t c = 0; c < left.size(); ++c) {
      for (const int i : left[c])
        expected[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(c);
    }
    EXPECT_EQ(cut(tree, k), in_order_of_size(expected)) << k;
  }
}

TEST(Dendrogram, IsWrittenInNewicksFormat) {
  const Dendrogram tree = {{{0, 2, 0, 2}, {1, 4, 0.5, 3}, {3, 5, 2, 4}}};
  EXPECT_EQ(newick(tree, {"a", "b", "c", "d"}), "(d:2,(b:0.5,(a:0,c:0):0.5):1.5);");
  EXPECT_EQ(newick(tree, {"it's", "two words", "under_score", ""}),
            "('':2,('two words':0.5,('it''s':0,'under_score':0):0.5):1.5);");
  EXPECT_EQ(newick({}, {"alone"}), "alone;");
}

TEST(Dendrogram, MayBeAsDeepAsItIsLarge) {
  Dendrogram tree;
  constexpr std::uint32_t items = 50'000;
  std::vector<std::string> names(items, "x");
  tree.merges.push_back({0, 1, 1, 2});
  for (std::uint32_t i = 2; i < items; ++i) {
    tree.merges.push_back({i, items + i - 2, static_cast<double>(i), i + 1});
  }
  const std::string text = newick(tree, names);
  EXPECT_EQ(std::count(text.begin(), text.end(), '('), items - 1);
}

}  // namespace
}  // namespace tertium::internal
