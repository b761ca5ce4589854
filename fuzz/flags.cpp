#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/call_errors.hpp"
#include "cli/checked_flags.hpp"
#include "cli/input_flags.hpp"
#include "fuzz/answers.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/targets.hpp"
#include "tertium/cluster.hpp"

namespace tertium::fuzzing {
namespace {

struct Call {
  CLI::App app{"fuzz", "tertium"};
  cli::InputFlags flags;
  std::uint64_t seed = 0;
  std::string clusters = "auto";

  /// False if the words are refused or ask for help.
  bool understand(std::vector<std::string> words) {
    CLI::App& command = *app.add_subcommand("check");
    cli::add_input_flags(command, flags, cli::Sums::yes);
    cli::add_similarity_flag(command, flags);
    cli::add_seed(command, seed);
    command.add_option("--clusters", clusters);
    words.insert(words.begin(), "check");
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
      app.parse(words);
      return true;
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return false;
      promise(!cli::call_error_text(app, error).empty(), "a wrong call is told why");
      return false;
    }
  }
};

}  // namespace

/// A line with the words of a command, and the file that it reads.
void read_by_flags(std::string_view bytes) {
  const std::string_view line = bytes.substr(0, bytes.find('\n'));
  std::istringstream text{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  Call call;
  if (!call.understand(words)) return;
  parse_cluster_count(call.clusters);
  ReadOptions options = cli::finish(call.flags).read;
  options.items_file.clear();  // never a file of this machine
  options.add_unknown_items = false;
  const MemoryFile file(bytes.substr(std::min(line.size() + 1, bytes.size())));
  read_every_way(file.path(), options);
}

}  // namespace tertium::fuzzing
