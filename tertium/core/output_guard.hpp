#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tertium::internal {

/// Kinds of files that this program writes. How some begin tells an earlier output, which may be
/// replaced, from somebody's other file, which may not; the others look like anybody's.
enum class FileKind : std::uint8_t {
  snapshot,
  npy,    // that belongs to another file of ours: to a result or to a certificate
  array,  // any other .npy
  matrix_market,
  similarity_table,  // CSV, items in the first row and column
  item_names,        // CSV beside an .npy
  answers,           // CSV of simulated answers
  planted_clusters,  // CSV of items and clusters
  certificate,
  certificate_numbers,
  cluster_labels,  // labels.csv of a result
  cluster_result,  // result.json
  spreadsheet,     // spreadsheet.csv of a result
  tree,            // tree.nwk of a result
  points,          // CSV of items and coordinates
  svg
};

/// "a certificate", for messages.
std::string_view to_string(FileKind kind);

/// One of the files of a folder that is written as a whole.
struct FolderFile {
  std::string_view name;
  FileKind kind;
  bool tells_result;  // a folder with such a file of ours holds an earlier result
};

/// Decides before the work begins whether its outputs may be written where they are asked for:
/// - never onto an input, by whatever name, link or folder it is reached;
/// - not onto a file that this program did not surely write, unless forced;
/// - two outputs never into one file;
/// - into a folder that exists and can be written.
/// Standard output ("-") and devices are always allowed. Every check throws InputError.
class OutputGuard {
 public:
  explicit OutputGuard(bool force) : force_(force) {}

  /// A file that is read, and therefore never replaced. "-" and "" are none.
  void protect(const std::string& input);

  /// An output: the flag that asks for it, where, and what will be written.
  void check(std::string_view flag, const std::string& path, FileKind kind);

  /// A folder of outputs, made if it is not there: new, empty, with an earlier result or
  /// what is left of one, or forced.
  void check_folder(std::string_view flag, const std::string& folder,
                    std::span<const FolderFile> files);

 private:
  bool force_;
  std::vector<std::string> inputs_;
  std::vector<std::string> outputs_;  // absolute, links resolved
};

}  // namespace tertium::internal
