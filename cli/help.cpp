#include "cli/help.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/call_errors.hpp"
#include "tertium/core/number.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

constexpr std::size_t narrowest = 40;
constexpr std::size_t widest = 100;
constexpr std::size_t usual = 80;

/// The words of a text in lines that fit, `indent` blanks before each but the first, which begins
/// there already. `broken` ends each line that goes on.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                    std::string_view broken = "") {
  std::istringstream words(text);
  std::string lines;
  std::size_t column = indent;
  for (std::string word; words >> word;) {
    const bool first = column == indent;
    const std::size_t mark = words.eof() ? 0 : broken.size();  // the last line does not go on
    if (!first && column + 1 + word.size() + mark > width) {
      lines += fmt::format("{}\n{}", broken, std::string(indent, ' '));
      column = indent;
    } else if (!first) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::size_t width) : width_(width) {
    constexpr std::size_t enough_for_two_columns = 70;
    column_width(width >= enough_for_two_columns ? 28 : 8);
    label("SUBCOMMAND", "COMMAND");
    label("Positionals", "Arguments");
  }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return wrapped(app->get_description(), width_, 0) + "\n\n" + make_usage(app, std::move(name)) +
           make_positionals(app) + flag_groups(app) + make_subcommands(app, mode) + "\n" +
           make_footer(app);
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, std::move(name));
    usage.pop_back();
    return wrapped(usage, width_, 7) + "\n";
  }

  std::string make_group(std::string group, bool positional,
                         std::vector<const CLI::Option*> options) const override {
    std::string text = "\n" + wrapped(group + ":", width_, 0) + "\n";
    for (const CLI::Option* option : options) text += make_option(option, positional);
    return text;
  }

  std::string make_option(const CLI::Option* option, bool positional) const override {
    return two_columns(positional ? option->get_name(true, false) : names_of(option),
                       description_of(option, positional));
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return two_columns(command->get_name(), command->get_description());
  }

  std::string make_footer(const CLI::App* app) const override {
    std::string text;
    std::istringstream lines(app->get_footer());
    for (std::string line; std::getline(lines, line);) {
      text +=
          line.starts_with(' ') ? "  " + wrapped(line, width_, 6, " \\") : wrapped(line, width_, 0);
      text += '\n';
    }
    return text;
  }

 private:
  static constexpr const char* unnamed_group = "Options";

  /// The group without a name of its own, which has --help, stands last.
  std::string flag_groups(const CLI::App* app) const {
    std::vector<std::string> groups = app->get_groups();
    std::stable_partition(groups.begin(), groups.end(),
                          [](const std::string& group) { return group != unnamed_group; });
    std::string text;
    for (const std::string& group : groups) {
      const auto options = app->get_options([&](const CLI::Option* option) {
        return option->get_group() == group && option->nonpositional();
      });
      if (!group.empty() && !options.empty()) text += make_group(group, false, options);
    }
    return text;
  }

  /// "-k, --clusters K"; without a short name the long ones stand below each other.
  static std::string names_of(const CLI::Option* option) {
    std::string names = option->get_snames().empty() ? "    " : "";
    for (const std::string& name : option->get_snames()) names += "-" + name + ", ";
    for (const std::string& name : option->get_lnames()) names += "--" + name + ", ";
    names.erase(names.size() - 2);
    const std::string type = option->get_type_name();
    return type.empty() ? names : names + " " + type;
  }

  static std::string description_of(const CLI::Option* option, bool positional) {
    std::string text = option->get_description();
    std::string value = option->get_default_str();
    if (value.starts_with('[') && value.ends_with(']')) value = value.substr(1, value.size() - 2);
    if (!value.empty()) text += fmt::format(" (default: {})", value);
    if (option->get_required() && !positional) text += " (required)";
    return text;
  }

  std::string two_columns(const std::string& name, const std::string& text) const {
    std::string line = "  " + name;
    if (line.size() + 2 > column_width_) {
      line += '\n';
      line.append(column_width_, ' ');
    } else {
      line.append(column_width_ - line.size(), ' ');
    }
    return line + wrapped(text, width_, column_width_) + "\n";
  }

  std::size_t width_;
};

void print_help(const CLI::App& app, const std::string& name) {
  if (name.empty()) {
    // Not app.help(), which would help with the command that was chosen: help.
    fmt::print("{}",
               app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
    return;
  }
  const std::vector<std::string> names = command_names(app);
  if (std::find(names.begin(), names.end(), name) == names.end()) throw unknown_command(app, name);
  fmt::print("{}", app.get_subcommand(name)->help(app.get_name()));
}

}  // namespace

std::shared_ptr<CLI::Formatter> help_formatter(std::size_t width) {
  return std::make_shared<HelpFormatter>(width);
}

std::size_t help_width() {
  const char* columns = std::getenv("COLUMNS");
  const auto number = columns == nullptr ? std::nullopt : parse_integer(columns);
  std::size_t width = usual;
  winsize size{};
  if (number && *number > 0) {
    width = static_cast<std::size_t>(*number);
  } else if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width = size.ws_col;
  }
  return std::clamp(width, narrowest, widest);
}

void add_help(CLI::App& app) {
  CLI::App* command = app.add_subcommand("help", "Explain a command and its flags");
  const auto name = std::make_shared<std::string>();
  command->add_option("COMMAND", *name, "The command; without one, all of them are listed");
  command->callback([&app, name] { print_help(app, *name); });
}

}  // namespace tertium::cli
