#pragma once

#include "tertium/partition/cluster_sums.hpp"
#include "tertium/similarity.hpp"

namespace tertium::internal {

/// The log-likelihood that one unit of f(Z) stands for, by the noise in the answers.
///
/// In the planted model, the option inside the anchor's cluster is chosen over one outside with
/// probability (1 + e)/2. An item that moves changes the log-likelihood by log((1 + e)/(1 - e)) / 2
/// times the change of its sums of S, which f divides by the size of the cluster and counts twice:
///
///   beta = n / (4 k) * log((1 + e)/(1 - e))
///
/// e is estimated from `sums`: the sum of S inside clusters over the questions with exactly one
/// option inside, of which a share follows from the sizes of the clusters. Nothing is known about
/// the noise of other similarities: 0. `similarity` is what `sums` are about.
double likelihood_of_value(const SimilarityMatrix& similarity, const ClusterSums& sums);

/// Every item in the cluster where it is most often among all partitions that are nearly as good as
/// `labels`, each counting with exp(beta f), beta = `likelihood_of_value` > 0: by Gibbs sampling
/// from `labels`, whose value should be the largest known. Where answers are few, the single best
/// partition owes its lead to noise, and this one is nearer to the truth; where the best is clear,
/// it is the result.
///
/// Clusters keep their numbers; one may end up empty if the data do not tell clusters apart. Cost:
/// 2000 sweeps over all items and clusters, down to 50 for more than 5000 of them (items times
/// clusters); each change of a label costs a row of S.
Labels consensus_partition(const SparseMap& similarity, const Labels& labels, int clusters,
                           double likelihood_of_value, Run& run);

}  // namespace tertium::internal
