#include "tertium/report/json.hpp"

#include "tertium/core/utf8.hpp"

namespace tertium::internal {

std::string json_text(const Json& json) {
  return escaped_json(json.dump(2, ' ', false, Json::error_handler_t::replace));
}

Json certificate_json(const std::optional<Certificate>& certificate) {
  if (!certificate) return nullptr;
  return {{"verdict", to_string(certificate->verdict)},
          {"lo", or_null(certificate->lo)},
          {"hi", or_null(certificate->hi)},
          {"level", to_string(certificate->level)},
          {"failure_probability", certificate->failure_probability}};
}

}  // namespace tertium::internal
