#include "cli/written_files.hpp"

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"
#include "tertium/points.hpp"
#include "tertium/reading/read_options.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

std::string shell_word(const std::string& text) {
  const bool plain = text.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-./,:=+@%") == std::string::npos;
  if (plain && !text.empty()) return text;
  if (escaped(text) != text) {  // bytes that must not reach a terminal, as bash writes them
    std::string word = "$'";
    for (const char c : text) word += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return word + "'";
  }
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string point_flags_in_words(const PointOptions& options) {
  std::string words = " --points";
  const auto add = [&](const char* flag, const std::string& value) {
    words += fmt::format(" {} {}", flag, shell_word(value));
  };
  if (!options.columns.empty())
    add("--columns", fmt::format("{}", fmt::join(options.columns, ",")));
  if (!options.exclude_columns.empty()) {
    add("--exclude-columns", fmt::format("{}", fmt::join(options.exclude_columns, ",")));
  }
  if (options.name_column) add("--name-column", *options.name_column);
  if (options.header) add("--header", *options.header ? "yes" : "no");
  if (options.separator) add("--separator", std::string(1, *options.separator));
  return words;
}

std::string verify_command(const std::string& certificate, const LoadedSimilarity& loaded) {
  std::string command = "tertium verify " + shell_word(certificate);
  for (const InputFile& input : loaded.inputs) command += " " + shell_word(input.path);
  const LoadOptions& options = loaded.options;
  if (loaded.points) return command + point_flags_in_words(loaded.points->table.options);
  if (options.matrix) command += " --kind matrix";
  if (options.repeats != Repeats::sum) {
    command += fmt::format(" --repeats {}", to_string(options.repeats));
  }
  for (const auto& [flag, value] : flags_set(options.read)) {
    command += " " + flag + (value.empty() ? "" : " " + shell_word(value));
  }
  return command;
}

}  // namespace

void print_written(const std::vector<std::string>& paths, const std::string& certificate,
                   const LoadedSimilarity& loaded) {
  std::string list;
  for (const std::string& path : paths) {
    if (path != "-") list += (list.empty() ? "" : ", ") + escaped(path);
  }
  if (!list.empty()) fmt::print("{:<18}{}\n", "written", list);
  if (certificate.empty() || certificate == "-") return;
  fmt::print("{:<18}{}\n", "check the proof", verify_command(certificate, loaded));
}

}  // namespace tertium::cli
