#include "tertium/error.hpp"

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"

namespace tertium::internal {
namespace {

/// What the parts repeat of files and flags may hold anything: here, where every message is made,
/// it becomes what a terminal can show.
std::string message(const InputError::Parts& parts) {
  std::string text = to_string(parts.place);
  if (!text.empty()) text += ": ";
  if (!parts.found.empty()) text += fmt::format("found {}; ", parts.found);
  text += fmt::format("expected {}", parts.expected);
  if (!parts.remedy.empty()) text += fmt::format(". {}", parts.remedy);
  return escaped(text);
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

Place::Place(std::string file_, std::uint64_t line_, std::uint64_t column_,
             std::string column_name_, std::string_view unit_)
    : file(std::move(file_)),
      line(line_),
      column(column_),
      column_name(std::move(column_name_)),
      unit(unit_) {}

std::string to_string(const Place& place) {
  std::string text = escaped(place.file);
  if (place.line > 0) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", place.unit, place.line);
  }
  if (place.column > 0) text += fmt::format(", column {}", place.column);
  if (!place.column_name.empty()) {
    text += place.column > 0 ? fmt::format(" ({})", printable(place.column_name))
                             : fmt::format(", {}", printable(place.column_name));
  }
  return text;
}

InputError::InputError(Parts parts)
    : std::runtime_error(message(parts)), parts_(std::move(parts)) {}

}  // namespace tertium
