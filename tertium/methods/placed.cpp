#include "tertium/methods/placed.hpp"

#include "tertium/embedding/embed.hpp"
#include "tertium/partition/kmeans.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/problem/problem.hpp"

namespace tertium::internal {
namespace {

/// Of k-means on the points, which takes next to no time beside finding them.
constexpr int restarts = 20;
/// A refit begins with the eigenvectors of its own answers only: random starts find the same points
/// or worse ones in most cases, and each takes as long.
constexpr int starts_of_refit = 1;

Labels group(const VectorBlock& points, int clusters, Random random) {
  KmeansResult best = kmeans(points, clusters, random);
  for (int restart = 1; restart < restarts; ++restart) {
    KmeansResult next = kmeans(points, clusters, random);
    if (next.squares < best.squares) best = std::move(next);
  }
  return best.labels;
}

const VectorBlock& points_of(Problem& problem, LossKind kind, std::optional<int> starts) {
  return problem.points([&] {
    EmbedOptions options;
    options.dimensions = problem.options().dimensions;
    if (starts) options.starts = *starts;
    const auto& [list, factor] = problem.answers();
    return embed(*list, factor, loss_of(kind), options, problem.run()).points;
  });
}

}  // namespace

template <LossKind kind>
Candidate cluster_placed(Problem& problem, int clusters) {
  problem.run().say("placing the items");
  const VectorBlock& points = points_of(problem, kind, std::nullopt);
  Candidate candidate;
  candidate.clusters = clusters;
  candidate.labels =
      group(points, clusters,
            problem.run().stream("k-means on points", static_cast<std::uint64_t>(clusters)));
  candidate.value = partition_value(problem.map(), candidate.labels, problem.run());
  return candidate;
}

template <LossKind kind>
Labels refit_placed(Problem& problem, int clusters, const RefitStart& start) {
  return group(points_of(problem, kind, starts_of_refit), clusters, start.random);
}

template Candidate cluster_placed<LossKind::tste>(Problem& problem, int clusters);
template Candidate cluster_placed<LossKind::ste>(Problem& problem, int clusters);
template Candidate cluster_placed<LossKind::ckl>(Problem& problem, int clusters);
template Candidate cluster_placed<LossKind::gnmds>(Problem& problem, int clusters);
template Candidate cluster_placed<LossKind::soe>(Problem& problem, int clusters);
template Labels refit_placed<LossKind::tste>(Problem& problem, int clusters, const RefitStart&);
template Labels refit_placed<LossKind::ste>(Problem& problem, int clusters, const RefitStart&);
template Labels refit_placed<LossKind::ckl>(Problem& problem, int clusters, const RefitStart&);
template Labels refit_placed<LossKind::gnmds>(Problem& problem, int clusters, const RefitStart&);
template Labels refit_placed<LossKind::soe>(Problem& problem, int clusters, const RefitStart&);

}  // namespace tertium::internal
