#pragma once

#include <string>
#include <variant>

namespace tertium {

/// Which of the paper's two programs is meant:
///   Clusters k:   max <S,X>                  s.t.  X >= 0,  X PSD,  X1 = 1,  tr X = k
///   Lambda l:     max <S,X> - l tr X         s.t.  X >= 0,  X PSD,  X1 = 1
struct Clusters {
  int count = 2;  // 1 .. n
};
struct Lambda {
  double value = 0;  // >= 0
};
using SdpProgram = std::variant<Clusters, Lambda>;

/// What one unit of the trace costs: lambda, or nothing.
inline double price_of(const SdpProgram& program) {
  const auto* lambda = std::get_if<Lambda>(&program);
  return lambda == nullptr ? 0 : lambda->value;
}

/// "3 clusters" or "lambda 12.5".
std::string in_words(const SdpProgram& program);

}  // namespace tertium
