#include <fmt/format.h>

#include "tertium/report.hpp"
#include "tertium/report/json.hpp"

namespace tertium {

using namespace internal;

std::string agreement_as_text(const Agreement& agreement) {
  return fmt::format(
      "adjusted Rand index             {:.4f}\n"
      "normalised mutual information   {:.4f}\n"
      "items in both                   {}  ({} and {} clusters)\n",
      agreement.adjusted_rand, agreement.mutual_information, agreement.items, agreement.clusters_a,
      agreement.clusters_b);
}

std::string agreement_as_json(const Agreement& agreement) {
  const Json json = {{"adjusted_rand", agreement.adjusted_rand},
                     {"normalised_mutual_information", agreement.mutual_information},
                     {"items", agreement.items},
                     {"clusters_a", agreement.clusters_a},
                     {"clusters_b", agreement.clusters_b},
                     {"only_in_a", agreement.only_in_a},
                     {"only_in_b", agreement.only_in_b}};
  return json_text(json);
}

}  // namespace tertium
