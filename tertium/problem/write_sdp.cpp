#include <deque>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "tertium/certificate/certificate_file.hpp"
#include "tertium/core/output_file.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/sdp.hpp"
#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::internal {
namespace {

void write_matrix(const Eigen::MatrixXd& matrix, OutputFile& file) {
  const auto size = static_cast<std::uint64_t>(matrix.rows());
  file.write(npy_header("<f8", size, size));
  // Symmetric: columns are rows.
  file.write({reinterpret_cast<const char*>(matrix.data()), size * size * sizeof(double)});
}

std::string certificate_of(const SdpFiles& files, const SimilarityMatrix& similarity,
                           const SdpResult& result, const SdpProgram& program,
                           const Eigen::MatrixXd& dual) {
  const FoundPartition& partition = *result.partition;
  if (result.status == SdpStatus::certified) {
    return certificate_text(similarity, partition.labels, partition.value, *result.certificate);
  }
  BoundClaim bound;
  if (const auto* clusters = std::get_if<Clusters>(&program)) bound.clusters = clusters->count;
  if (const auto* lambda = std::get_if<Lambda>(&program)) bound.lambda = lambda->value;
  bound.upper_bound = result.upper_bound;
  bound.dual_file = std::filesystem::path(dual_file(files)).filename().string();
  bound.dual = &dual;
  return certificate_text(similarity, partition.labels, partition.value, bound);
}

}  // namespace
}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string dual_file(const SdpFiles& files) {
  if (!files.dual.empty() || files.certificate.empty()) return files.dual;
  return files.certificate + ".npy";
}

void validate(const SdpFiles& files) {
  if (files.certificate.empty() || files.dual.empty()) return;
  const auto folder = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal().parent_path();
  };
  if (folder(files.certificate) == folder(files.dual)) return;
  throw InputError({{files.dual},
                    "a dual in another folder than the certificate",
                    "both files in one folder",
                    "leave out --save-dual to write it beside the certificate"});
}

void check_certifiable(const SdpFiles& files, const SimilarityMatrix& similarity) {
  if (files.certificate.empty()) return;
  if (similarity.rounded) {
    throw InputError({{files.certificate},
                      "a certificate for a matrix that had to be rounded",
                      "values that 64 bits hold exactly: a proof is about S itself",
                      "Write it with tertium similarity -o matrix.sim, and solve that"});
  }
  if (similarity.is_given() || is_additive(similarity.rule)) return;
  throw InputError({{files.certificate},
                    fmt::format("a certificate for {}", similarity_title(similarity.rule)),
                    "a similarity that the checker can make again: adds3, adds4 or a matrix",
                    "Write it with tertium similarity -o matrix.csv, and solve that"});
}

std::vector<std::string> write_sdp(const SdpFiles& files, const SimilarityMatrix& similarity,
                                   const SdpResult& result, const SdpProgram& program, Run& run) {
  validate(files);
  check_certifiable(files, similarity);
  // All or none: the certificate, which knows the checksum of its dual, last.
  std::deque<OutputFile> written;
  if (!files.x.empty()) write_matrix(result.point.matrix(), written.emplace_back(files.x));
  const bool claims_bound = !files.certificate.empty() && result.status != SdpStatus::certified;
  Eigen::MatrixXd dual;
  if (claims_bound || !files.dual.empty()) {
    dual = dual_matrix(similarity, result, program, run);
    write_matrix(dual, written.emplace_back(dual_file(files)));
  }
  if (!files.certificate.empty()) {
    written.emplace_back(files.certificate)
        .write(certificate_of(files, similarity, result, program, dual));
  }
  std::vector<OutputFile*> together;
  std::vector<std::string> paths;
  for (OutputFile& file : written) {
    together.push_back(&file);
    paths.push_back(file.path());
  }
  commit_together(together);
  return paths;
}

}  // namespace tertium
