#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tertium/partition/agreement.hpp"
#include "tertium/cluster/clustering.hpp"
#include "tertium/similarity/load.hpp"

namespace tertium {

/// What a report is made of.
struct ClusterReport {
  const LoadedSimilarity& loaded;
  const Clustering& clustering;
  const ClusterOptions& options;
  std::uint64_t seed;
  std::optional<Agreement> truth;  // with known classes, if they were given
};

/// A short summary for a terminal; `colour` marks titles with escape codes.
std::string clustering_as_text(const ClusterReport& report, bool colour);

/// All of it; the schema is in docs/cluster.md. Clusters are numbered from 1.
std::string clustering_as_json(const ClusterReport& report);

/// The share of all answers that nothing can exceed, by how far repeated answers agree; none if no
/// question was repeated.
std::optional<double> ceiling_of(const ClusterReport& report);

/// Why an item has no cluster.
std::string reason_in_words(const LeftOutItem& item);

/// item,cluster,confidence for every item; empty cells for items without a cluster.
std::string labels_as_csv(const ClusterReport& report);

}  // namespace tertium
