#include "tertium/problem/reweighting.hpp"

#include "tertium/problem/method.hpp"

namespace tertium::internal {

const IntegerTriangle& Reweighting::all(Run& run) {
  if (rule_.additive) return list_.pattern;
  built_ = rule_.build(list_, {}, run);
  return built_;
}

void Reweighting::apply(std::span<const AnswerFactor> factor, Problem& problem) {
  if (problem.method().needs_answers) {
    factor_.assign(factor.begin(), factor.end());
    problem.set_answers({&list_, factor_});
  }
  if (rule_.additive) {
    add_up(list_, factor, sums_);
    problem.change([&](SparseMap& map) { map.set_values(sums_); });
  } else {
    problem.change(
        [&](SparseMap& map) { map = SparseMap(rule_.build(list_, factor, problem.run())); });
  }
}

}  // namespace tertium::internal
