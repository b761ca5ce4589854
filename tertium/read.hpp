#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tertium/answers.hpp"
#include "tertium/error.hpp"
#include "tertium/run.hpp"

namespace tertium {

namespace internal {
class ByteSource;
}

/// So many bytes of a pipe, or of what a gzip file holds, are read where they have to be read
/// whole, unless another limit is given: a small file must not take all memory.
inline constexpr std::uint64_t default_read_limit = std::uint64_t{256} << 20U;

/// A file to read, perhaps looked into before: standard input and pipes can be opened only once, so
/// that copies share what was opened.
struct InputFile {
  InputFile(std::string path_, std::uint64_t read_limit_ = default_read_limit)
      : path(std::move(path_)), read_limit(read_limit_) {}
  InputFile(const char* path_) : path(path_) {}

  /// The bytes from the start. What is no regular file stays open, so that what was peeked at is
  /// not lost.
  std::shared_ptr<internal::ByteSource> open(std::function<void()> on_interrupt = {}) const;

  std::string path;
  std::uint64_t read_limit = default_read_limit;

 private:
  struct KeptOpen {
    std::shared_ptr<internal::ByteSource> source;
  };
  std::shared_ptr<KeptOpen> kept_open_ = std::make_shared<KeptOpen>();
};

/// Which file it was: enough to notice that another one is meant.
struct FileIdentity {
  std::string name;            // the path as it was given, or "standard input"
  std::uint64_t bytes = 0;     // as they lie in the file, not unpacked
  std::uint32_t checksum = 0;  // CRC-32 of them
};

/// Reads regular files once more; standard input and pipes must have been read to their end.
std::vector<FileIdentity> identify(const std::vector<InputFile>& files);

/// How an answer cell says which option was picked.
enum class AnswerCoding : std::uint8_t {
  item,        // the item itself
  from_zero,   // 0, 1, (2, ...)
  from_one,    // 1, 2, (3, ...)
  plus_minus,  // +1 the first option, -1 the second
  words,       // left/right, first/second/third
  column       // the name of the option's column
};
inline constexpr std::size_t answer_codings = 6;

std::string_view to_string(AnswerCoding coding);
std::optional<AnswerCoding> parse_answer_coding(std::string_view text);

/// How files of answers are to be understood. Everything is found from the file where it can be;
/// each field overrides what would be found. Columns are given by name (case and punctuation do not
/// matter) or by number, counted from 1.
struct ReadOptions {
  std::optional<std::string> anchor;       // column with the item that was compared
  std::optional<std::string> near;         // column with the item that is nearer
  std::optional<std::string> far;          // column with the item that is farther
  std::optional<std::string> option1;      // first option shown
  std::optional<std::string> option2;      // second option shown
  std::optional<std::string> option3;      // third option shown (odd-one-out, most-central)
  std::optional<std::string> answer;       // column that says which option was picked
  std::optional<std::string> odd;          // "first", "last" or the column that names the odd item
  std::optional<std::string> participant;  // column with the participant
  std::optional<std::string> weight;       // column with a weight or number of votes, >= 0
  std::optional<ScreenKind> kind;          // what was asked
  std::optional<AnswerCoding> answer_values;  // how the answer column names an option
  std::optional<bool> picks_different;        // the answer names the pair that differs more
  // Conditions on rows (docs/formats.md), such as "rt>=200": those used meet all of `where` and
  // none of `exclude`.
  std::vector<std::string> where;
  std::vector<std::string> exclude;
  std::vector<std::string> drop;  // participants who are left out
  std::string participants_file;  // list of those who are not; empty: all
  std::optional<int> ids_from;    // 0 or 1: items are numbers counted from here
  std::optional<bool> header;     // the first row names the columns
  std::optional<char> separator;  // between cells; ' ' stands for any blanks

  /// What a stimulus with several pictures shows, in order: "anchor,option1,option2".
  std::optional<std::string> shown;
  bool merge_names = false;      // items whose names are spelled alike are the same item
  bool keep_duplicates = false;  // files with the same content are different answers

  std::string items_file;                // list of items; empty: items are those mentioned
  std::optional<std::string> item_name;  // its column with the names
  bool add_unknown_items = false;        // items that are not on the list: add them, else refuse

  bool skip_bad_rows = false;                     // go on after a bad row and count it
  std::uint64_t read_limit = default_read_limit;  // of the list of items
};

/// Throws InputError if fields contradict each other, naming the flags.
void validate(const ReadOptions& options);

/// What became of the rows. rows = answered + not_questions + filtered + catch_trials + unanswered
/// + ties + bad, where answered rows include those that compare an item with itself.
struct RowCounts {
  std::uint64_t rows = 0;
  std::uint64_t answered = 0;       // rows with an answer
  std::uint64_t comparisons = 0;    // triplets or quadruplets that were used
  std::uint64_t not_questions = 0;  // instructions, breaks, ... in exports of whole sessions
  std::uint64_t filtered = 0;       // left out by --where, --exclude, --drop, --participants-file
  std::uint64_t catch_trials = 0;   // marked as checks of attention
  std::uint64_t unanswered = 0;
  std::uint64_t ties = 0;
  std::uint64_t bad = 0;  // skipped because of --skip-bad-rows

  RowCounts& operator+=(const RowCounts& other);
};

/// How one table of answers was understood.
struct TableReport {
  std::string file;
  std::string layout;
  ScreenKind kind = ScreenKind::triplets;
  bool has_header = true;
  std::string separator;  // "comma", "tab", "semicolon", "blanks", "JSON", "npy"
  std::vector<std::pair<std::string, std::string>> columns;  // role and column
  std::string answer_values;                                 // coding of the answer column, if any
  std::string first_sentence;  // "row 1: 'hog' is more like 'monkey' than like 'giraffe'"
  RowCounts counts;
};

/// What was read. Places are in the order of the input.
struct ReadReport {
  std::vector<TableReport> tables;
  RowCounts counts;
  std::size_t listed_items = 0;     // items of the items file: the first so many of every sink
  std::size_t listed_pictures = 0;  // how many of them have a picture
  std::vector<std::pair<std::string, std::size_t>> categories;  // known classes and their sizes
  std::uint64_t self_comparisons = 0;
  std::vector<Place> self_comparison_places;            // the first `places_kept` of them
  std::vector<std::pair<Place, std::string>> bad_rows;  // likewise, with the message
  std::vector<std::string> notes;  // what a user should know about how files were understood
};

/// So many places of bad rows and self-comparisons are kept; the rest is counted.
inline constexpr std::size_t places_kept = 1000;

/// Reads files of answers or standard input ("-"), and hands every answer to
/// one of the sinks: one pass, and no more than a few blocks of the file in memory (JSON documents
/// are read whole). With several sinks, blocks of one file are read at the same time, a thread per
/// sink; which part goes to which sink is not fixed, the sum over all sinks is, and the numbers of
/// the parts give the order of the input back (AnswerSink::begin_part).
///
/// Throws InputError (the first bad place in the input), or Cancelled.
ReadReport read_answers(const std::vector<InputFile>& files, const ReadOptions& options,
                        std::span<AnswerSink* const> sinks, Run& run);

/// The files behind `inputs`: a directory stands for the files of answers in it, by name.
std::vector<InputFile> expand_inputs(const std::vector<InputFile>& inputs);

}  // namespace tertium
