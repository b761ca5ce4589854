#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tertium::cli {

/// JSON as every command prints it. File names need not be UTF-8; what is not is replaced.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace tertium::cli
