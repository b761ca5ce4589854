#include "tertium/agreement.hpp"

#include <memory>

#include <fmt/format.h>

#include "cli/checked_flags.hpp"
#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/output_flags.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/report.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

struct AgreementFlags {
  std::string file_a;
  std::string file_b;
  LabelColumns columns_a{{}, {}, "--item-a", "--label-a"};
  LabelColumns columns_b{{}, {}, "--item-b", "--label-b"};
  double read_limit = default_read_limit_in_mb;
  OutputFlags output;
};

void print_missing(const std::vector<std::string>& items, const std::string& file) {
  if (items.empty()) return;
  fmt::print(stderr, "note: {} of the items are only in {}, for example {}; they were left out\n",
             items.size(), printable(file), in_quotes(items[0]));
}

void run(const AgreementFlags& flags) {
  check_standard_input({flags.file_a, flags.file_b});
  const std::uint64_t limit = read_limit_in_bytes(flags.read_limit);
  const Labeling a = read_labeling({flags.file_a, limit}, flags.columns_a);
  const Labeling b = read_labeling({flags.file_b, limit}, flags.columns_b);
  const Agreement agreement = compare_labelings(a, b);
  if (flags.output.quiet) return;
  if (flags.output.json) {
    fmt::print("{}\n", agreement_as_json(agreement));
    return;
  }
  fmt::print("{}", agreement_as_text(agreement));
  print_missing(agreement.only_in_a, flags.file_a);
  print_missing(agreement.only_in_b, flags.file_b);
}

}  // namespace

void add_agreement(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "agreement", "Compare two labelings by item name: adjusted Rand index, mutual information");
  const auto flags = std::make_shared<AgreementFlags>();
  add_file(*command, "A", flags->file_a, "File with columns such as item, cluster")->required();
  add_file(*command, "B", flags->file_b, "The other file")->required();
  command->add_option("--item-a", flags->columns_a.item, "Column of items in A")
      ->type_name("COLUMN")
      ->group("Columns (name or number from 1)");
  command->add_option("--item-b", flags->columns_b.item, "Column of items in B")
      ->type_name("COLUMN")
      ->group("Columns (name or number from 1)");
  command->add_option("--label-a", flags->columns_a.label, "Column of labels in A")
      ->type_name("COLUMN")
      ->group("Columns (name or number from 1)");
  command->add_option("--label-b", flags->columns_b.label, "Column of labels in B")
      ->type_name("COLUMN")
      ->group("Columns (name or number from 1)");
  add_report_flags(*command, flags->output);
  add_read_limit(*command, flags->read_limit);
  command->footer(
      "Examples:\n"
      "  tertium agreement results/labels.csv truth.csv\n"
      "  tertium agreement a.csv b.csv --label-b species --json");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
