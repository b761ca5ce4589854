#pragma once

#include <optional>
#include <string>

#include "tertium/answers/data_check.hpp"
#include "tertium/reading/read_report.hpp"
#include "tertium/similarity/similarity_matrix.hpp"

namespace tertium {

/// How the files were understood, in a few lines: layout, columns, the first row as a sentence.
std::string understood_as_text(const ReadReport& report);

/// What was left out and what looks wrong, a line each; empty if nothing.
std::string warnings_as_text(const ReadReport& report);

/// Everything `tertium check` has to say, for people and for programs.
std::string check_as_text(const DataCheck& check, const ReadReport& report);
std::string check_as_json(const DataCheck& check, const ReadReport& report);

/// What can be said of a similarity whose answers are not at hand.
std::string similarity_as_text(const SimilarityMatrix& similarity);

/// The pairs with the largest and the smallest similarity, by name: does it make sense?
std::string strongest_pairs_as_text(const SimilarityMatrix& similarity);
/// With the file it was written to, if it was: the field "output".
std::string similarity_as_json(const SimilarityMatrix& similarity,
                               const std::optional<std::string>& written_to = {});

}  // namespace tertium
