// What a project that uses the installed package does: similarity from a file of answers.
#include <cstdio>

#include <tertium/similarity/load.hpp>
#include <tertium/version.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  tertium::Run run;
  const tertium::LoadedSimilarity loaded = tertium::load_similarity({argv[1]}, {}, run);
  std::printf("tertium %.*s: %zu items, %llu comparisons\n",
              static_cast<int>(tertium::version.size()), tertium::version.data(),
              loaded.similarity.size(),
              static_cast<unsigned long long>(loaded.similarity.comparisons));
  return loaded.similarity.size() == 3 && loaded.similarity.comparisons == 2 ? 0 : 1;
}
