#include "tertium/embed.hpp"

#include <charconv>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/checked_flags.hpp"
#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/output_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/core/output_file.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/report.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

struct EmbedFlags {
  InputFlags input;
  OutputFlags output;
  PlaceOptions options;
  std::string dimensions = "2";
  std::uint64_t seed = 1;
  std::string path;
};

PlaceOptions options_of(const EmbedFlags& flags) {
  PlaceOptions options = flags.options;
  const std::string& text = flags.dimensions;
  options.dimensions = 0;
  if (text != "auto") {
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), options.dimensions);
    if (error != std::errc() || end != text.data() + text.size() || options.dimensions < 1) {
      throw InputError({{}, "--dimensions " + in_quotes(text), "a number from 1, or auto", ""});
    }
  }
  validate(options);
  return options;
}

void run(const EmbedFlags& flags) {
  LoadOptions load = finish(flags.input);
  load.keep_answers = true;
  const PlaceOptions options = options_of(flags);
  const std::vector<InputFile> files = expand_inputs(flags.input.files());
  OutputGuard guard(flags.output.force);
  protect_inputs(guard, files, flags.input);
  guard.check("-o", flags.path, FileKind::points);
  ProgressLine line(flags.output.quiet);
  Run progress(run_options(line, flags.input.threads, flags.seed));
  const LoadedSimilarity loaded = load_similarity(files, load, progress);
  const PlacedItems placed = place_items(loaded, options, progress);
  line.clear();
  OutputFile file(flags.path);
  file.write(points_as_csv(placed));
  file.commit();
  if (flags.output.quiet || flags.path == "-") return;
  if (flags.output.json) {
    fmt::print("{}\n", placed_as_json(placed));
    return;
  }
  fmt::print("{}\n{}", understood_as_text(loaded.report), placed_as_text(placed));
  fmt::print("{:<18}{}\n", "written", escaped(flags.path));
  fmt::print(stderr, "{}", warnings_as_text(loaded.report));
}

}  // namespace

void add_embed(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "embed", "Place items as points, so that pairs that were called more alike are nearer");
  const auto flags = std::make_shared<EmbedFlags>();
  const char* points = "Points";
  command
      ->add_option("--method", flags->options.method,
                   fmt::format("How: {}", fmt::join(placing_methods(), ", ")))
      ->type_name("METHOD")
      ->capture_default_str()
      ->group(points);
  command
      ->add_option("--dimensions", flags->dimensions,
                   "A number, or auto: the fewest, up to 5, that predict held-out answers as well "
                   "as any")
      ->type_name("D")
      ->capture_default_str()
      ->group(points);
  command
      ->add_option("--starts", flags->options.starts,
                   "Descents: the first from eigenvectors, the others at random; the best counts")
      ->type_name("N")
      ->capture_default_str()
      ->group(points);
  command
      ->add_option("--folds", flags->options.folds,
                   "Parts of the answers that are held out in turn; 0: none")
      ->type_name("N")
      ->capture_default_str()
      ->group(points);
  add_seed(*command, flags->seed)->group(points);
  add_file(*command, "-o,--output", flags->path, "Where to write the points: CSV, item,x1,x2,...")
      ->required()
      ->group("Output");
  add_report_flags(*command, flags->output);
  add_force_flag(*command, flags->output);
  add_input_flags(*command, flags->input, Sums::yes);
  command->footer(
      "Examples:\n"
      "  tertium embed answers.csv -o points.csv\n"
      "  tertium embed answers.csv --method soe --dimensions auto -o points.csv");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
