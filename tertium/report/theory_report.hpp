#pragma once

#include <string>

#include "tertium/planning/theory_study.hpp"

namespace tertium {

std::string theory_as_text(const TheoryStudy& study);
std::string theory_as_json(const TheoryStudy& study);

}  // namespace tertium
