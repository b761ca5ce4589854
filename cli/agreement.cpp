#include "tertium/partition/agreement.hpp"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"

namespace tertium::cli {
namespace {

struct AgreementFlags {
  std::string file_a;
  std::string file_b;
  std::optional<std::string> item_a;
  std::optional<std::string> item_b;
  std::optional<std::string> label_a;
  std::optional<std::string> label_b;
  bool json = false;
};

void print_missing(const std::vector<std::string>& items, const std::string& file) {
  if (items.empty()) return;
  fmt::print(stderr, "note: {} of the items are only in {}, for example '{}'; they were left out\n",
             items.size(), file, items[0]);
}

void run(const AgreementFlags& flags) {
  const Agreement agreement =
      compare_labelings(read_labeling(flags.file_a, flags.item_a, flags.label_a),
                        read_labeling(flags.file_b, flags.item_b, flags.label_b));
  if (flags.json) {
    const nlohmann::ordered_json json = {
        {"adjusted_rand", agreement.adjusted_rand},
        {"normalised_mutual_information", agreement.mutual_information},
        {"items", agreement.items},
        {"clusters_a", agreement.clusters_a},
        {"clusters_b", agreement.clusters_b},
        {"only_in_a", agreement.only_in_a},
        {"only_in_b", agreement.only_in_b}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print("adjusted Rand index             {:.4f}\n", agreement.adjusted_rand);
  fmt::print("normalised mutual information   {:.4f}\n", agreement.mutual_information);
  fmt::print("items in both                   {}  ({} and {} clusters)\n", agreement.items,
             agreement.clusters_a, agreement.clusters_b);
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
  command->add_option("--item-a", flags->item_a, "Column of items in A")->type_name("COLUMN");
  command->add_option("--item-b", flags->item_b, "Column of items in B")->type_name("COLUMN");
  command->add_option("--label-a", flags->label_a, "Column of labels in A")->type_name("COLUMN");
  command->add_option("--label-b", flags->label_b, "Column of labels in B")->type_name("COLUMN");
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
