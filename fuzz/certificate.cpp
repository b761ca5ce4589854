#include <string>
#include <string_view>

#include "fuzz/certificate_problem.hpp"
#include "fuzz/targets.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/report.hpp"
#include "tertium/verify.hpp"
#include "tests/temporary_file.hpp"
#include "tests/verify/claims.hpp"

namespace tertium::fuzzing {
namespace {

/// Where the dual of a bound is, and the numbers of a tree that is one leaf: N = 0, which proves
/// the value of the two groups.
std::string folder_with_numbers() {
  static const internal::TemporaryFolder folder;
  static const std::string dual = folder.file(
      "dual.npy", internal::npy_header("<f8", 6, 6) + std::string(36 * sizeof(double), '\0'));
  static const std::string numbers =
      folder.file("numbers", "tertium numbers\n\x06" + std::string(7 + 21 * sizeof(float), '\0'));
  return folder.path("");
}

void verify(std::string_view text) {
  static const GivenSums given = internal::verifying::given_of(certified_integers());
  Run run({.threads = 1});
  const Verification found = verify_certificate(text, folder_with_numbers(), given, {}, run);
  verification_as_json(found);
  if (!found.verified) {
    promise(!found.reason.empty(), "a refusal has a reason");
    return;
  }
  verification_as_text(found);
  if (found.clusters != 2) return;
  if (found.claim == "optimal") {
    promise(found.partition_value == largest_value, "only the best partition is verified as such");
  } else if (!found.lambda) {
    promise(found.upper_bound >= largest_value, "no false bound is verified");
  }
}

}  // namespace

/// A certificate about six items as it is, and with the checksum that belongs to it.
void read_certificate(std::string_view bytes) {
  verify(bytes);
  const auto checksum = bytes.rfind("\"checksum\"");
  if (checksum == std::string_view::npos) return;
  const std::string_view before = bytes.substr(0, checksum);
  const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(before.data()), before.size());
  verify(std::string(before) + "\"checksum\":" + std::to_string(sum) + "}");
}

}  // namespace tertium::fuzzing
