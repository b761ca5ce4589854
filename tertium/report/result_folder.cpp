#include "tertium/report/result_folder.hpp"

#include <array>
#include <deque>
#include <limits>

#include <fmt/format.h>

#include "tertium/certificate/certificate_file.hpp"
#include "tertium/confidence/bootstrap.hpp"
#include "tertium/core/output_file.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/reading/record_table.hpp"
#include "tertium/report.hpp"

namespace tertium::internal {
namespace {

constexpr const char* labels_file = "labels.csv";
constexpr const char* pairs_file = "pairs.npy";
constexpr const char* spreadsheet_file = "spreadsheet.csv";
constexpr const char* tree_file = "tree.nwk";
constexpr const char* result_file = "result.json";

/// 2000 items make a file of 16 MB.
constexpr std::size_t most_items_in_pairs = 2000;

/// Of every pair of items, the share of resamples that put them together; NaN for items without a
/// cluster.
void write_pairs(OutputFile& file, const ResultView& view) {
  const std::size_t items = view.items.size();
  const std::vector<std::uint16_t> counts = pairs_together(view.resampled);
  const auto resamples = static_cast<float>(view.resampled.size());
  std::vector<float> share(items * items, std::numeric_limits<float>::quiet_NaN());
  std::size_t pair = 0;
  for (std::size_t i = 0; i < items; ++i) {
    if (view.labels[i]) share[i * items + i] = 1;
    for (std::size_t j = 0; j < i; ++j, ++pair) {
      if (!view.labels[i] || !view.labels[j]) continue;
      share[i * items + j] = share[j * items + i] = static_cast<float>(counts[pair]) / resamples;
    }
  }
  file.write(npy_header("<f4", items, items));
  file.write({reinterpret_cast<const char*>(share.data()), share.size() * sizeof(float)});
}

FileIdentity identity_of(const OutputFile& file) {
  return {std::filesystem::path(file.path()).filename().string(), file.bytes(), file.checksum()};
}

/// Throws InputError unless a file in the folder is the one that was written with the result.
void check_same(const std::filesystem::path& folder, const FileIdentity& written) {
  const std::string path = (folder / written.name).string();
  const auto refuse = [&](const char* found) {
    throw InputError({{path},
                      found,
                      fmt::format("the file that was written together with {}", result_file),
                      "The folder is a mixture: make the result again"});
  };
  const bool is_plain = std::filesystem::path(written.name).filename() == written.name;
  if (!is_plain || !std::filesystem::is_regular_file(path)) refuse("no such file");
  const FileIdentity found = identify({InputFile(path)}).front();
  if (found.bytes != written.bytes || found.checksum != written.checksum) refuse("another file");
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed || std::filesystem::is_directory(folder)) return;
  throw InputError({{folder.string()},
                    fmt::format("that it is impossible to make this folder ({})", failed.message()),
                    "a folder for the results",
                    "Choose another place with -o"});
}

}  // namespace

void check_result_folder(const std::string& folder, OutputGuard& guard) {
  constexpr std::array<FolderFile, 7> files = {
      {{labels_file, FileKind::cluster_labels, true},
       {result_file, FileKind::cluster_result, true},
       {spreadsheet_file, FileKind::spreadsheet, false},
       {certificate_file_name, FileKind::certificate, false},
       {certificate_numbers_name, FileKind::certificate_numbers, false},
       {pairs_file, FileKind::npy, false},
       {tree_file, FileKind::tree, false}}};
  guard.check_folder("-o", folder, files);
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::vector<FileIdentity> write_result(const std::filesystem::path& folder, const ResultView& view,
                                       bool with_spreadsheet) {
  make_folder(folder);
  std::deque<OutputFile> files;  // files stay where they are made
  std::vector<std::string_view> obsolete;
  std::vector<FileIdentity> written;
  const auto part = [&](const char* name, bool wanted, const auto& write) {
    if (!wanted) {
      obsolete.emplace_back(name);  // of an earlier run: it would be wrong now
      return;
    }
    write(files.emplace_back((folder / name).string()));
    written.push_back(identity_of(files.back()));
  };
  part(labels_file, true, [&](OutputFile& file) { file.write(labels_as_csv(view)); });
  part(spreadsheet_file, with_spreadsheet,
       [&](OutputFile& file) { file.write(labels_for_spreadsheet(view)); });
  part(pairs_file, !view.resampled.empty() && view.items.size() <= most_items_in_pairs,
       [&](OutputFile& file) { write_pairs(file, view); });
  part(tree_file, view.tree.has_value(),
       [&](OutputFile& file) { file.write(newick(view.tree->merges, view.tree->leaves) + "\n"); });
  part(certificate_file_name, !view.certificate_file.empty(),
       [&](OutputFile& file) { file.write(view.certificate_file); });
  part(certificate_numbers_name, !view.certificate_numbers.empty(),
       [&](OutputFile& file) { file.write(view.certificate_numbers); });
  part(result_file, true,
       [&](OutputFile& file) { file.write(result_json_beside(written, view) + "\n"); });
  std::vector<OutputFile*> together;
  for (OutputFile& file : files) together.push_back(&file);
  commit_together(together, obsolete);
  return written;
}

ResultView read_result(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / result_file;
  if (!std::filesystem::exists(path) && std::filesystem::exists(folder / labels_file)) {
    throw InputError({{folder.string()},
                      fmt::format("{} without {}", labels_file, result_file),
                      "a whole result",
                      "A run was killed while it wrote: make the result again"});
  }
  ByteSource source(path.string());
  ResultView view = result_from_json(read_all(source), path.string());
  for (const FileIdentity& file : view.files) {
    check_same(folder, file);
    const bool is_certificate = file.name == certificate_file_name;
    if (!is_certificate && file.name != certificate_numbers_name) continue;
    ByteSource source_of_part((folder / file.name).string());
    (is_certificate ? view.certificate_file : view.certificate_numbers) = read_all(source_of_part);
  }
  return view;
}

}  // namespace tertium
