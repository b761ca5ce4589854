#include "tertium/similarity.hpp"

namespace tertium {

std::string_view to_string(SimilarityKind kind) {
  switch (kind) {
    case SimilarityKind::adds3:
      return "AddS-3";
    case SimilarityKind::adds4:
      return "AddS-4";
    case SimilarityKind::precomputed:
      return "precomputed";
  }
  return "";
}

std::string_view similarity_name(SimilarityKind kind) {
  switch (kind) {
    case SimilarityKind::adds3:
      return "adds3";
    case SimilarityKind::adds4:
      return "adds4";
    case SimilarityKind::precomputed:
      return "precomputed";
  }
  return "";
}

}  // namespace tertium
