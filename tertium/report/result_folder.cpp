#include "tertium/report/result_folder.hpp"

#include <array>
#include <limits>

#include "tertium/confidence/bootstrap.hpp"
#include "tertium/core/output_file.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/reading/record_table.hpp"
#include "tertium/report.hpp"

namespace tertium::internal {
namespace {

constexpr const char* labels_file = "labels.csv";
constexpr const char* pairs_file = "pairs.npy";
constexpr const char* result_file = "result.json";

/// 2000 items make a file of 16 MB.
constexpr std::size_t most_items_in_pairs = 2000;

void write(const std::filesystem::path& path, const std::string& text) {
  OutputFile file(path.string());
  file.write(text);
  file.commit();
}

/// Of every pair of items, the share of resamples that put them together; NaN for items without a
/// cluster.
void write_pairs(const std::filesystem::path& path, const ResultView& view) {
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
  OutputFile file(path.string());
  file.write(npy_header("<f4", items, items));
  file.write({reinterpret_cast<const char*>(share.data()), share.size() * sizeof(float)});
  file.commit();
}

}  // namespace

void check_result_folder(const std::string& folder, OutputGuard& guard) {
  constexpr std::array<FolderFile, 4> files = {
      {{labels_file, FileKind::cluster_labels, true},
       {result_file, FileKind::cluster_result, true},
       {certificate_file_name, FileKind::certificate, false},
       {pairs_file, FileKind::npy, false}}};
  guard.check_folder("-o", folder, files);
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::vector<std::string> write_result(const std::filesystem::path& folder, const ResultView& view) {
  std::filesystem::create_directories(folder);
  std::vector<std::string> written;
  const auto place = [&](const char* name, bool wanted) {
    std::filesystem::path path = folder / name;
    if (wanted) {
      written.push_back(path.string());
    } else {
      std::filesystem::remove(path);  // of an earlier run: it would be wrong now
    }
    return path;
  };
  write(place(labels_file, true), labels_as_csv(view));
  const bool has_pairs = !view.resampled.empty() && view.items.size() <= most_items_in_pairs;
  const std::filesystem::path pairs = place(pairs_file, has_pairs);
  if (has_pairs) write_pairs(pairs, view);
  const bool has_proof = !view.certificate_file.empty();
  const std::filesystem::path proof = place(certificate_file_name, has_proof);
  if (has_proof) write(proof, view.certificate_file);
  write(place(result_file, true), result_as_json(view) + "\n");
  return written;
}

ResultView read_result(const std::filesystem::path& folder) {
  const std::string path = (folder / result_file).string();
  ByteSource source(path);
  ResultView view = result_from_json(read_all(source), path);
  if (const std::filesystem::path proof = folder / certificate_file_name;
      std::filesystem::exists(proof)) {
    ByteSource text(proof.string());
    view.certificate_file = read_all(text);
  }
  return view;
}

}  // namespace tertium
