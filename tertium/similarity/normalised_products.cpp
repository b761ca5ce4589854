#include "tertium/similarity/normalised_products.hpp"

#include <cmath>

#include "tertium/similarity/binary_units.hpp"

namespace tertium::internal {

IntegerTriangle normalised_products(const FeatureTable& table, Run& run) {
  return with_products(table, run, [](auto products) {
    std::vector<double> size;
    for (const auto evidence : products.evidence) {
      size.push_back(std::sqrt(static_cast<double>(evidence)));
    }
    std::vector<double> value;
    value.reserve(products.value.size());
    for (std::size_t i = 0; i + 1 < products.row_start.size(); ++i) {
      for (std::size_t at = products.row_start[i]; at < products.row_start[i + 1]; ++at) {
        value.push_back(static_cast<double>(products.value[at]) /
                        (size[i] * size[products.column[at]]));
      }
    }
    return in_binary_units(std::move(products.row_start), std::move(products.column), value);
  });
}

}  // namespace tertium::internal
