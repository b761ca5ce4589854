#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "tertium/certificate/certify.hpp"

/// What the reports share to build JSON. Not part of the interface: users of the library get text.
namespace tertium::internal {

using Json = nlohmann::ordered_json;

/// Indented, and safe to show on a terminal: what would act on it stands as an escape of JSON. File
/// names need not be UTF-8; what is not is replaced.
std::string json_text(const Json& json);

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json certificate_json(const std::optional<Certificate>& certificate);

}  // namespace tertium::internal
