#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tertium {

/// Where in the user's input something was found. Line and column count from 1; 0 means "not
/// known". `unit` is what the line counts: "line" in text, "record" in JSON and npy.
struct Place {
  Place(std::string file_ = "", std::uint64_t line_ = 0, std::uint64_t column_ = 0,
        std::string column_name_ = "", std::string_view unit_ = "line");

  std::string file;
  std::uint64_t line;
  std::uint64_t column;
  std::string column_name;
  std::string_view unit;
};

/// "answers.csv, line 12, column 3 (far)".
std::string to_string(const Place& place);

/// The user's input cannot be used: where, what was found, what was expected, what to do about it.
/// Every part but `expected` may be empty. The parts are as they were given; `what()` is a line
/// that a terminal can show, whatever they repeat of the input.
class InputError : public std::runtime_error {
 public:
  struct Parts {
    Place place;
    std::string found;
    std::string expected;
    std::string remedy;
  };

  explicit InputError(Parts parts);

  [[nodiscard]] const Parts& parts() const { return parts_; }

 private:
  Parts parts_;
};

/// The user stopped the work. Nothing was written.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("stopped before the end; nothing was written") {}
};

}  // namespace tertium
