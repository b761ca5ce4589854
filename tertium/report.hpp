#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/agreement.hpp"
#include "tertium/check.hpp"
#include "tertium/cluster.hpp"
#include "tertium/plan.hpp"
#include "tertium/read.hpp"
#include "tertium/similarity.hpp"
#include "tertium/simulate.hpp"
#include "tertium/verify.hpp"

namespace tertium {

struct SdpResult;  // of sdp.hpp

/// A short summary for a terminal; `colour` marks titles with escape codes.
std::string result_as_text(const ResultView& view, bool colour);

/// All of it; docs/result.schema.json describes it.
std::string result_as_json(const ResultView& view);

/// The inverse of result_as_json. `file` is named in messages. Throws InputError if the text is no
/// result, or one of a newer version.
ResultView result_from_json(std::string_view text, const std::string& file);

/// item,cluster,confidence for every item; empty cells for items without a cluster. Names are as
/// they were read: a spreadsheet may take one that begins with = or the like for a formula.
std::string labels_as_csv(const ResultView& view);

/// The same for people with a spreadsheet: names that it could take for formulas have an apostrophe
/// in front, and a byte order mark says that it is UTF-8.
std::string labels_for_spreadsheet(const ResultView& view);

/// How many names a spreadsheet could take for formulas: they begin with =, +, -, @, a tab or a
/// line break, and are no numbers.
std::size_t count_formulas(const std::vector<std::string>& items);

/// Writes labels.csv, pairs.npy (of up to 2000 items with a confidence), certificate.json (of a
/// proof about all items), spreadsheet.csv if asked for and, last, result.json, which has the
/// checksums of the others; makes the folder if needed. Files of these names from an earlier result
/// are replaced or removed, all of them or, if anything fails (InputError), none. Returns what was
/// written, result.json last, with names in the folder.
std::vector<FileIdentity> write_result(const std::filesystem::path& folder, const ResultView& view,
                                       bool with_spreadsheet = false);

/// The result that a folder holds, with its proof, without its resamples. Throws InputError if
/// there is none, or one of a newer version, or if its files are not those that were written with
/// it.
ResultView read_result(const std::filesystem::path& folder);

/// How the files were understood, in a few lines: layout, columns, the first row as a sentence.
std::string understood_as_text(const ReadReport& report);

/// That, what became of the rows, and whether anything says who answered.
std::string input_as_text(const ReadReport& report);

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

std::string agreement_as_text(const Agreement& agreement);
std::string agreement_as_json(const Agreement& agreement);

/// The result of a solve for people and for programs, without the matrices. `items` are the names
/// of the rows; clusters are numbered from 1.
std::string sdp_as_text(const SdpResult& result, double tolerance);
std::string sdp_as_json(const SdpResult& result, const std::vector<std::string>& items);

/// What was simulated and where it was written, for people and for programs.
std::string simulation_as_text(const Simulation& simulation, const SimulationFiles& files);
std::string simulation_as_json(const Simulation& simulation, const SimulationFiles& files);

std::string theory_as_text(const TheoryStudy& study);
std::string theory_as_json(const TheoryStudy& study);

/// What a certificate is checked against.
struct VerifySources {
  std::vector<InputFile> inputs;   // files of answers, snapshots, or a matrix
  ReadOptions read;                // how files of answers are understood
  Repeats repeats = Repeats::sum;  // of files of answers: the reader says so, not the certificate
  bool matrix = false;             // the input is a similarity matrix, even if it could be answers
  VerifyOptions options{};
};

/// Checks a certificate file against the answers, which the checker adds up for itself, or against
/// sums. Throws InputError if a file cannot be read, Cancelled.
Verification verify_file(const std::string& certificate, const VerifySources& sources, Run& run);

/// What was verified, in words. Only for a verified claim: a refusal is its reason.
std::string verification_as_text(const Verification& verification);

/// Both outcomes; fields that are not about the claim are left out.
std::string verification_as_json(const Verification& verification);

/// What a plan was asked and what it says.
struct PlanReport {
  RecoveryStudy study;
  Goal goal;
  double confidence = 0.95;
  Plan plan;  // with a given number of answers: only its curve, one point
};

/// "every item in its cluster", or the index that is asked for.
std::string goal_in_words(const Goal& goal);

/// The answer in a few lines, and the curve of success against answers.
std::string plan_as_text(const PlanReport& report);
std::string plan_as_json(const PlanReport& report);

/// What to expect from the number of answers of the only point of the curve.
std::string expectation_as_text(const PlanReport& report);

/// The curve as a picture: chance of success against answers (logarithmic), 95 % intervals as bars,
/// the answers needed with their band.
std::string plan_as_svg(const PlanReport& report);

}  // namespace tertium
