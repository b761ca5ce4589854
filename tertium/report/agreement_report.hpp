#pragma once

#include <string>

#include "tertium/partition/agreement.hpp"

namespace tertium {

std::string agreement_as_text(const Agreement& agreement);
std::string agreement_as_json(const Agreement& agreement);

}  // namespace tertium
