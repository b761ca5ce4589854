#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

#include "fuzz/certificate_problem.hpp"
#include "fuzz/targets.hpp"
#include "tertium/verify.hpp"
#include "tests/temporary_file.hpp"
#include "tests/verify/claims.hpp"

namespace tertium::fuzzing {
namespace {

/// A certificate whose bound rests on a dual with these bytes at its end.
std::string claim_with_dual(double upper_bound, std::string_view bytes) {
  const Eigen::MatrixXi integers = certified_integers();
  nlohmann::ordered_json fields =
      internal::verifying::optimal_claim(integers, certified_labels(), 1, 2);
  for (const char* field : {"lo", "hi", "level", "failure_probability"}) fields.erase(field);
  fields["claim"] = "bound";
  fields["program"] = {{"clusters", 2}};
  fields["upper_bound"] = upper_bound;
  fields["dual"] = "dual.npy";
  const auto size = static_cast<std::size_t>(integers.size()) * sizeof(double);
  const std::string_view numbers = bytes.substr(bytes.size() - std::min(size, bytes.size()));
  fields["dual_checksum"] =
      crc32_z(0, reinterpret_cast<const Bytef*>(numbers.data()), numbers.size());
  return internal::verifying::sealed(fields);
}

}  // namespace

/// The array that a bound rests on. However it is made: no bound below the best value is verified.
void read_dual(std::string_view bytes) {
  static const internal::TemporaryFolder folder;
  static_cast<void>(folder.file("dual.npy", std::string(bytes)));
  static const GivenSums given = internal::verifying::given_of(certified_integers());
  Run run({.threads = 1});
  const std::filesystem::path place = folder.path("");
  for (const double bound : {largest_value * 1.5, largest_value * 0.999}) {
    const Verification found =
        verify_certificate(claim_with_dual(bound, bytes), place, given, {}, run);
    promise(!found.verified || bound >= largest_value, "no false bound is verified");
  }
}

}  // namespace tertium::fuzzing
