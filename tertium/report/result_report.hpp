#pragma once

#include <string>
#include <string_view>

#include "tertium/cluster/result_view.hpp"

namespace tertium {

/// A short summary for a terminal; `colour` marks titles with escape codes.
std::string result_as_text(const ResultView& view, bool colour);

/// All of it; docs/result.schema.json describes it.
std::string result_as_json(const ResultView& view);

/// The inverse of result_as_json. `file` is named in messages. Throws InputError if the text is no
/// result, or one of a newer version.
ResultView result_from_json(std::string_view text, const std::string& file);

/// item,cluster,confidence for every item; empty cells for items without a cluster.
std::string labels_as_csv(const ResultView& view);

}  // namespace tertium
