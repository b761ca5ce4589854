#include <string_view>

#include "fuzz/memory_file.hpp"
#include "fuzz/targets.hpp"
#include "tertium/report.hpp"
#include "tertium/similarity.hpp"

namespace tertium::fuzzing {

/// A similarity made elsewhere: .mtx, .npy or a table.
void read_matrix(std::string_view bytes) {
  const MemoryFile file(bytes);
  Run run({.threads = 1});
  LoadOptions options;
  options.matrix = true;
  const SimilarityMatrix similarity = load_similarity({file.path()}, options, run).similarity;
  validate(similarity);
  promise(similarity.is_given(), "a matrix was not made from answers");
  similarity_as_text(similarity);
  strongest_pairs_as_text(similarity);
  similarity_as_json(similarity);
}

}  // namespace tertium::fuzzing
