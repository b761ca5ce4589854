#include "tertium/certificate/certificate_file.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace tertium::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr int format_version = 1;
constexpr int version_two = 2;

/// CRC-32 of bytes that come in pieces.
class Checksum {
 public:
  void add(const void* data, std::size_t bytes) {
    crc_ = ::crc32_z(crc_, static_cast<const Bytef*>(data), bytes);
  }
  [[nodiscard]] std::uint64_t value() const { return crc_; }

 private:
  uLong crc_ = ::crc32(0, nullptr, 0);
};

std::uint64_t checksum_of(const SimilarityMatrix& similarity) {
  constexpr std::size_t record_bytes = 16;
  Checksum checksum;
  std::vector<char> records;
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    records.clear();
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      const auto row = static_cast<std::uint32_t>(i);
      std::array<char, record_bytes> record{};
      std::memcpy(record.data(), &row, 4);
      std::memcpy(record.data() + 4, &similarity.column[at], 4);
      std::memcpy(record.data() + 8, &similarity.value[at], 8);
      records.insert(records.end(), record.begin(), record.end());
    }
    checksum.add(records.data(), records.size());
  }
  return checksum.value();
}

Json opening(std::string_view claim, const SimilarityMatrix& similarity, const Labels& labels,
             double objective, int version = format_version) {
  Json json;
  json["format"] = "tertium certificate";
  json["version"] = version;
  json["claim"] = claim;
  json["similarity"] = {{"kind", similarity.rule},
                        {"repeats", to_string(similarity.repeats)},
                        {"comparisons", similarity.comparisons},
                        {"denominator", similarity.denominator},
                        {"checksum", checksum_of(similarity)}};
  if (similarity.rule == from_points) json["similarity"]["exponent"] = similarity.exponent;
  json["items"] = similarity.items;
  Json numbers = Json::array();
  for (const auto label : labels) numbers.push_back(label + 1);
  json["labels"] = std::move(numbers);
  json["objective"] = objective;
  return json;
}

/// One field a line, long lists on one line: a person can read the claim and a diff stays small.
std::string closed(const Json& json) {
  std::string text = "{\n";
  for (const auto& [key, value] : json.items()) {
    text += fmt::format("  {}: {},\n", Json(key).dump(), value.dump());
  }
  text += "  ";
  Checksum checksum;
  checksum.add(text.data(), text.size());
  return text + fmt::format("\"checksum\": {}\n}}\n", checksum.value());
}

/// The bound with room for the rounding of any checker that allows, for each eigenvalue, a few
/// times n roundings of the norm of S + N, and as many for the sum of N.
double with_room(const SimilarityMatrix& similarity, const BoundClaim& bound) {
  double squared_s = 0;
  for (const std::int64_t value : similarity.value) {
    const double s = static_cast<double>(value) / static_cast<double>(similarity.denominator);
    squared_s += 2 * s * s;
  }
  const auto size = static_cast<double>(similarity.size());
  const double summed = bound.clusters ? *bound.clusters : size;
  const double scale = std::sqrt(squared_s) + bound.dual->norm();
  const double roundings = 64 * (size + 8) * std::sqrt(summed) * scale +
                           64 * size * (std::abs(bound.lambda.value_or(0)) + scale / size) +
                           8 * bound.dual->sum();
  return bound.upper_bound +
         std::numeric_limits<double>::epsilon() * (roundings + 64 * std::abs(bound.upper_bound));
}

}  // namespace

std::string certificate_text(const SimilarityMatrix& similarity, const Labels& labels,
                             double objective, const Certificate& certificate) {
  Json json = opening("optimal", similarity, labels, objective);
  json["lo"] = certificate.lo ? Json(*certificate.lo) : Json(nullptr);
  json["hi"] = certificate.hi ? Json(*certificate.hi) : Json(nullptr);
  json["level"] = to_string(certificate.level);
  json["failure_probability"] = certificate.failure_probability;
  return closed(json);
}

std::string certificate_text(const SimilarityMatrix& similarity, const Labels& labels,
                             double objective, const BoundClaim& bound) {
  Json json = opening("bound", similarity, labels, objective);
  if (bound.clusters) {
    json["program"] = {{"clusters", *bound.clusters}};
  } else {
    json["program"] = {{"lambda", bound.lambda.value()}};
  }
  json["upper_bound"] = with_room(similarity, bound);
  json["dual"] = bound.dual_file;
  Checksum checksum;  // symmetric: columns are rows
  checksum.add(bound.dual->data(), static_cast<std::size_t>(bound.dual->size()) * sizeof(double));
  json["dual_checksum"] = checksum.value();
  return closed(json);
}

std::string certificate_text(const SimilarityMatrix& similarity, const CancelledBound& bound) {
  Json json = opening("bound", similarity, bound.labels, bound.value, version_two);
  json["upper_bound"] = bound.upper_bound;
  json["lambda"] = bound.lambda;
  json["share"] = bound.share;
  return closed(json);
}

std::string certificate_text(const SimilarityMatrix& similarity, const Labels& labels,
                             double objective, const TreeClaim& claim) {
  Json json = opening("bound", similarity, labels, objective, version_two);
  json["upper_bound"] = claim.upper_bound;
  json["only_best"] = claim.only_best;
  Json tree = Json::array();
  for (const auto& pair : claim.tree) {
    tree.push_back(pair ? Json{pair->first, pair->second} : Json(nullptr));
  }
  json["tree"] = std::move(tree);
  json["numbers"] = claim.numbers_file;
  Checksum checksum;
  checksum.add(claim.numbers.data(), claim.numbers.size());
  json["numbers_checksum"] = checksum.value();
  return closed(json);
}

}  // namespace tertium::internal
