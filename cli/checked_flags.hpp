#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

namespace tertium::cli {

/// Adds a flag or argument that takes the names of files or folders: none may be empty, as the
/// value of a variable that nobody has set.
template <typename Name>
CLI::Option* add_file(CLI::App& command, const std::string& flag, Name& name,
                      const std::string& description) {
  const CLI::Validator not_empty(
      [](const std::string& text) {
        return text.empty() ? std::string("found an empty name; expected the name of a file")
                            : std::string();
      },
      "");
  return command.add_option(flag, name, description)->type_name("FILE")->check(not_empty);
}

/// Adds --seed.
CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed);

}  // namespace tertium::cli
