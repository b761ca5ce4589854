#include "tertium/partition/agreement.hpp"

#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/report/agreement_report.hpp"

namespace tertium::cli {
namespace {

struct AgreementFlags {
  std::string file_a;
  std::string file_b;
  LabelColumns columns_a{{}, {}, "--item-a", "--label-a"};
  LabelColumns columns_b{{}, {}, "--item-b", "--label-b"};
  bool json = false;
};

void print_missing(const std::vector<std::string>& items, const std::string& file) {
  if (items.empty()) return;
  fmt::print(stderr, "note: {} of the items are only in {}, for example {}; they were left out\n",
             items.size(), printable(file), in_quotes(items[0]));
}

void run(const AgreementFlags& flags) {
  const Agreement agreement = compare_labelings(read_labeling(flags.file_a, flags.columns_a),
                                                read_labeling(flags.file_b, flags.columns_b));
  if (flags.json) {
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
  command->add_option("A", flags->file_a, "File with columns such as item, cluster")->required();
  command->add_option("B", flags->file_b, "The other file")->required();
  command->add_option("--item-a", flags->columns_a.item, "Column of items in A")
      ->type_name("COLUMN");
  command->add_option("--item-b", flags->columns_b.item, "Column of items in B")
      ->type_name("COLUMN");
  command->add_option("--label-a", flags->columns_a.label, "Column of labels in A")
      ->type_name("COLUMN");
  command->add_option("--label-b", flags->columns_b.label, "Column of labels in B")
      ->type_name("COLUMN");
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
