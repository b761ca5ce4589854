#include "tertium/planning/answer_need.hpp"

#include <algorithm>
#include <vector>

#include "tertium/planning/theory.hpp"

namespace tertium::internal {
namespace {

/// In the model, the option inside the anchor's cluster is chosen with probability
/// (1 + epsilon delta) / 2 over one outside; for quadruplets, the pair inside a cluster.
std::optional<double> estimated_signal(const ComparisonList& comparisons, const Labels& labels) {
  double inside = 0;
  double outside = 0;
  comparisons.for_each_comparison([&](std::size_t answer, const Comparison& c) {
    const bool first = labels[c.i] == labels[c.j];
    const bool second = labels[c.r] == labels[c.s];
    if (first == second) return;
    (first ? inside : outside) += static_cast<double>(comparisons.weight_of(answer));
  });
  if (inside + outside == 0) return std::nullopt;
  return (inside - outside) / (inside + outside);
}

std::uint64_t smallest_cluster(const Labels& labels) {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(count_clusters(labels)), 0);
  for (const auto label : labels) ++sizes[static_cast<std::size_t>(label)];
  return *std::min_element(sizes.begin(), sizes.end());
}

}  // namespace

std::optional<AnswerNeed> answer_need(const SimilarityMatrix& similarity,
                                      const ComparisonList& comparisons, const Labels& labels,
                                      const std::optional<Certificate>& certificate) {
  const std::optional<double> signal = estimated_signal(comparisons, labels);
  if (!signal || *signal <= 0) return std::nullopt;
  AnswerNeed need;
  need.answers = static_cast<double>(similarity.comparisons);
  need.signal = *signal;
  need.theorem =
      theorem_conditions(similarity.size(), smallest_cluster(labels), need.answers, *signal, 1)
          .least_answers;
  if (!certificate || certificate->verdict == Verdict::optimal) return need;
  // What lambda must stay below grows like the number of answers, what it must exceed (the noise)
  // like its root.
  if (certificate->lo && certificate->hi && *certificate->hi > 0) {
    const double ratio = *certificate->lo / *certificate->hi;
    need.for_proof = need.answers * std::max(1.0, ratio * ratio);
  }
  return need;
}

}  // namespace tertium::internal
