// What a project that uses the installed package does: cluster a file of answers, keep the result,
// read it back, check its proof, and handle an error. All public headers are included: each must do
// without what is not installed.
#include <cstdio>

#include <tertium/agreement.hpp>
#include <tertium/answers.hpp>
#include <tertium/check.hpp>
#include <tertium/cluster.hpp>
#include <tertium/dendrogram.hpp>
#include <tertium/embed.hpp>
#include <tertium/error.hpp>
#include <tertium/integer_triangle.hpp>
#include <tertium/partition.hpp>
#include <tertium/plan.hpp>
#include <tertium/read.hpp>
#include <tertium/report.hpp>
#include <tertium/run.hpp>
#include <tertium/sdp.hpp>
#include <tertium/similarity.hpp>
#include <tertium/simulate.hpp>
#include <tertium/verify.hpp>
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
  const tertium::ResultView found = tertium::cluster(loaded, options, run);
  tertium::write_result(argv[2], found);
  const tertium::ResultView again = tertium::read_result(argv[2]);
  std::printf("tertium %.*s: %zu items in %d clusters\n", static_cast<int>(tertium::version.size()),
              tertium::version.data(), again.items.size(), again.k);
  const bool right = again.k == 2 && again.items.size() == 3 && again.comparisons == 2;
  const bool solved =
      tertium::solve_sdp(loaded.similarity, tertium::Clusters{2}, {}, run).objective > 0;
  return right && solved && refuses_missing_file(run) ? 0 : 1;
}
