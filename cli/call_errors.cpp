#include "cli/call_errors.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "tertium/core/name_list.hpp"
#include "tertium/core/number.hpp"
#include "tertium/core/similar_names.hpp"
#include "tertium/core/utf8.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

bool looks_like_flag(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

/// All flags of a command with their dashes.
std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
  }
  return flags;
}

InputError unknown_flag(const CLI::App& command, const std::string& call, const std::string& word) {
  const std::string flag = word.substr(0, word.find('='));
  return InputError({{},
                     in_quotes(word),
                     fmt::format("a flag of '{}'", call),
                     did_you_mean(similar_names(flag, flags_of(command)))});
}

bool is_word(std::string_view text) {
  return !text.empty() && text.find(' ') == std::string_view::npos;
}

/// What kind of number a flag takes whose value is not one.
std::string number_for(const std::string& value) {
  if (!value.empty() && value.find_first_not_of("0123456789") == std::string::npos) {
    return "a smaller number";
  }
  return parse_number(value) ? "a whole number" : "a number";
}

/// The usual complaints of CLI11 as sentences like all others; what else it says is cut, since it
/// may repeat a value of any length.
std::string in_our_words(const CLI::ParseError& error) {
  constexpr std::size_t longest = 300;
  const std::string text = error.what();
  const std::string_view required = " is required";
  if (const std::string flag = text.substr(0, text.size() - std::min(text.size(), required.size()));
      text.ends_with(required) && is_word(flag)) {
    return InputError({{}, fmt::format("no {}", flag), "one", ""}).what();
  }
  const auto colon = text.find(": 1 required ");
  if (const std::string flag = text.substr(0, colon);
      colon != std::string::npos && text.ends_with(" missing") && is_word(flag)) {
    return InputError({{}, fmt::format("{} at the end", flag), "its value after it", ""}).what();
  }
  const std::string_view no_number = "Could not convert: ";
  const auto equals = text.find(" = ");
  if (text.starts_with(no_number) && equals != std::string::npos) {
    const std::string flag = text.substr(no_number.size(), equals - no_number.size());
    const std::string value = text.substr(equals + 3);
    return InputError({{}, flag + " " + in_quotes(value), number_for(value), ""}).what();
  }
  const std::string_view too_often = ": At Most 1 required but received ";
  if (const auto end = text.find(too_often); end != std::string::npos) {
    const std::string times = text.substr(end + too_often.size());
    return InputError({{}, fmt::format("{} {} times", text.substr(0, end), times), "it once", ""})
        .what();
  }
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

/// What is wrong, without where to read more.
std::string reason(const CLI::App& app, const CLI::App& command, const std::string& call,
                   const CLI::ParseError& error) {
  const std::vector<std::string> unknown = command.remaining();
  const auto flag = std::find_if(unknown.begin(), unknown.end(), looks_like_flag);
  const bool no_command = &command == &app;
  if (no_command && !unknown.empty() && flag != unknown.begin()) {
    return unknown_command(app, unknown.front()).what();
  }
  if (flag != unknown.end()) return unknown_flag(command, call, *flag).what();
  if (no_command) {
    return InputError({{}, "no command", "one of " + name_list(command_names(app)), ""}).what();
  }
  if (!unknown.empty()) {
    return InputError(
               {{}, in_quotes(unknown.front()), "nothing more after the other arguments", ""})
        .what();
  }
  return in_our_words(error);
}

}  // namespace

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

InputError unknown_command(const CLI::App& app, const std::string& name) {
  const std::vector<std::string> names = command_names(app);
  return InputError({{},
                     in_quotes(name),
                     "a command: " + name_list(names),
                     did_you_mean(similar_names(name, names))});
}

std::string call_error_text(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string call =
      chosen.empty() ? app.get_name() : app.get_name() + " " + command.get_name();
  return fmt::format("{}\nTry '{} --help'.", escaped(reason(app, command, call, error)), call);
}

}  // namespace tertium::cli
