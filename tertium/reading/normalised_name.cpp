#include "tertium/reading/normalised_name.hpp"

#include <cctype>

namespace tertium::internal {

std::string normalised_name(std::string_view name) {
  std::string kept;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80) kept += static_cast<char>(std::tolower(byte));
  }
  return kept;
}

std::size_t position_in(std::string_view accepted, std::string_view normalised) {
  if (normalised.empty()) return 0;
  std::size_t position = 1;
  while (!accepted.empty()) {
    const auto end = accepted.find(' ');
    if (accepted.substr(0, end) == normalised) return position;
    if (end == std::string_view::npos) break;
    accepted.remove_prefix(end + 1);
    ++position;
  }
  return 0;
}

}  // namespace tertium::internal
