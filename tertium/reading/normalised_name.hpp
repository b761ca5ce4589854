#pragma once

#include <string>
#include <string_view>

namespace tertium::internal {

/// A column name as it is compared: lower case, letters and digits only, so that "Participant.ID",
/// "participant_id" and "ParticipantID" are the same.
std::string normalised_name(std::string_view name);

/// True if `name`, normalised, is one of the words of `accepted` (separated by single spaces).
/// The result is the position of the word, counted from 1; 0 if it is not there.
std::size_t position_in(std::string_view accepted, std::string_view normalised);

}  // namespace tertium::internal
