#include "cli/output_flags.hpp"

namespace tertium::cli {

void add_report_flags(CLI::App& command, OutputFlags& flags) {
  command.add_flag("--json", flags.json, "Print JSON");
  command.add_flag("-q,--quiet", flags.quiet, "Print nothing but errors");
}

void add_force_flag(CLI::App& command, OutputFlags& flags) {
  command.add_flag("--force", flags.force,
                   "Replace files that may be somebody's, too; inputs never");
}

}  // namespace tertium::cli
