// What a project that uses the installed package does: cluster a file of answers, keep the result,
// read it back, and handle an error.
#include <cstdio>

#include <tertium/cluster/cluster.hpp>
#include <tertium/core/error.hpp>
#include <tertium/report/result_folder.hpp>
#include <tertium/version.hpp>

namespace {

/// True if a file that is not there is refused with a reason.
bool refuses_missing_file(tertium::Run& run) {
  try {
    tertium::load_similarity({"no such file.csv"}, {}, run);
  } catch (const tertium::InputError& error) {
    std::printf("refused: %s\n", error.what());
    return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  tertium::Run run;
  tertium::LoadOptions load;
  load.keep_answers = true;
  const tertium::LoadedSimilarity loaded = tertium::load_similarity({argv[1]}, load, run);
  tertium::ClusterOptions options;
  options.count = tertium::Clusters{2};
  const tertium::Clustering found = tertium::cluster(loaded, options, run);
  const tertium::ResultView view =
      tertium::view_of(found, {loaded, options, {}, tertium::identify({argv[1]}), run.seed(), {}});
  tertium::write_result(argv[2], view, found, loaded.similarity);
  const tertium::ResultView again = tertium::read_result(argv[2]);
  std::printf("tertium %.*s: %zu items in %d clusters\n", static_cast<int>(tertium::version.size()),
              tertium::version.data(), again.items.size(), again.k);
  const bool right = again.k == 2 && again.items.size() == 3 && again.comparisons == 2;
  return right && refuses_missing_file(run) ? 0 : 1;
}
