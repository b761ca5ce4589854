#include <string_view>

#include "fuzz/answers.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/targets.hpp"
#include "tertium/agreement.hpp"
#include "tertium/error.hpp"

namespace tertium::fuzzing {

/// A list of items beside answers that name some of them, and a table of known classes.
void read_items(std::string_view bytes) {
  const MemoryFile file(bytes);
  try {
    const Labeling labeling = read_labeling(file.path());
    promise(labeling.items.size() == labeling.labels.size(), "every item has its label");
    const Agreement same = compare_labelings(labeling, labeling);
    promise(same.adjusted_rand == 1, "a labeling agrees with itself");
  } catch (const InputError&) {
  }
  static const MemoryFile answers("anchor,near,far\n0,1,2\nzebra,yak,apple\n1,b.png,2\n");
  ReadOptions options;
  options.items_file = file.path();
  read_every_way(answers.path(), options);
  options.add_unknown_items = true;
  read_every_way(answers.path(), options);
}

}  // namespace tertium::fuzzing
