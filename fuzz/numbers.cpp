#include <string>
#include <string_view>

#include "fuzz/certificate_problem.hpp"
#include "fuzz/targets.hpp"
#include "tertium/verify.hpp"
#include "tests/temporary_file.hpp"
#include "tests/verify/claims.hpp"

namespace tertium::fuzzing {
namespace {

using Json = nlohmann::ordered_json;

/// A tree from the first bytes: 36 and more is a leaf, less a branch on two of the six items. Takes
/// them off; where they end, leaves close the tree.
Json take_tree(std::string_view& bytes) {
  constexpr unsigned items = 6;
  constexpr std::size_t most_nodes = 40;
  Json tree = Json::array();
  for (std::size_t open = 1; open > 0; open -= 1) {
    const unsigned byte = bytes.empty() ? 255U : static_cast<unsigned char>(bytes[0]);
    if (!bytes.empty()) bytes.remove_prefix(1);
    if (byte < items * items && tree.size() < most_nodes) {
      tree.push_back({byte / items, byte % items});
      open += 2;
    } else {
      tree.push_back(nullptr);
    }
  }
  return tree;
}

}  // namespace

/// The tree of a bound by branches, and the file with the numbers of its leaves, of which the first
/// line is right. However they are made: no bound below the best value is verified, and no other
/// partition as the only best one.
void read_numbers(std::string_view bytes) {
  static const internal::TemporaryFolder folder;
  static const GivenSums given = internal::verifying::given_of(certified_integers());
  const Json tree = take_tree(bytes);
  const std::string numbers = "tertium numbers\n" + std::string(bytes);
  static_cast<void>(folder.file("numbers", numbers));
  const auto is_verified = [&](const internal::verifying::Labels& labels, double bound,
                               bool only_best) {
    Json fields = internal::verifying::optimal_claim(certified_integers(), labels, 1, 2);
    for (const char* field : {"lo", "hi", "level", "failure_probability"}) fields.erase(field);
    fields["version"] = 2;
    fields["claim"] = "bound";
    fields["upper_bound"] = bound;
    fields["only_best"] = only_best;
    fields["tree"] = tree;
    fields["numbers"] = "numbers";
    fields["numbers_checksum"] =
        crc32_z(0, reinterpret_cast<const Bytef*>(numbers.data()), numbers.size());
    Run run({.threads = 1});
    const std::string text = internal::verifying::sealed(fields);
    return verify_certificate(text, folder.path(""), given, {}, run).verified;
  };
  const internal::verifying::Labels others = {0, 0, 0, 1, 1, 1};
  for (const bool only_best : {false, true}) {
    is_verified(certified_labels(), largest_value * 1.5, only_best);
    promise(!is_verified(certified_labels(), largest_value * 0.999, only_best),
            "no false bound is verified");
  }
  promise(!is_verified(others, largest_value * 1.5, true),
          "no other partition is verified as the only best one");
}

}  // namespace tertium::fuzzing
