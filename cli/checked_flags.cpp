#include "cli/checked_flags.hpp"

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"

namespace tertium::cli {

using namespace internal;

CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed) {
  const CLI::Validator whole_number(
      [](const std::string& text) {
        const auto number = parse_integer(text);
        if (number && *number >= 0) return std::string();
        return fmt::format("found {}; expected a whole number, 0 or more", in_quotes(text));
      },
      "");
  return command.add_option("--seed", seed, "Of all random numbers")
      ->check(whole_number)
      ->type_name("S")
      ->capture_default_str();
}

}  // namespace tertium::cli
