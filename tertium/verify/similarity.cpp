#include "tertium/verify/similarity.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "tertium/core/run.hpp"
#include "tertium/core/utf8.hpp"

namespace tertium::verifying {
namespace {

/// For each row of the similarity its row in the claim.
std::vector<std::uint32_t> rows_in_claim(const Claim& claim, const SimilarityMatrix& similarity) {
  std::unordered_map<std::string, std::uint32_t> position;
  for (const std::string& item : claim.items) {
    position.emplace(item, static_cast<std::uint32_t>(position.size()));
  }
  std::vector<std::uint32_t> rows;
  for (const std::string& item : similarity.items) {
    const auto found = position.find(item);
    if (found == position.end()) {
      refuse("items", fmt::format("no {}", in_quotes(item)), "every item of the answers");
    }
    rows.push_back(found->second);
    position.erase(found);
  }
  if (!position.empty()) {
    refuse("items",
           fmt::format("{}, which is not in the answers", in_quotes(position.begin()->first)),
           "only items of the answers");
  }
  return rows;
}

SimilarityMatrix reordered(const SimilarityMatrix& similarity,
                           const std::vector<std::uint32_t>& rows) {
  SimilarityMatrix result;
  result.items.resize(similarity.size());
  for (std::size_t i = 0; i < rows.size(); ++i) result.items[rows[i]] = similarity.items[i];
  result.denominator = similarity.denominator;
  const auto for_each_pair = [&](const auto& visit) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
        visit(rows[i], rows[similarity.column[at]], similarity.value[at]);
      }
    }
  };
  TriangleBuilder triangle(result, result.items.size());
  for_each_pair([&](std::uint32_t i, std::uint32_t j, std::int64_t) { triangle.count(i, j); });
  triangle.allocate();
  for_each_pair(
      [&](std::uint32_t i, std::uint32_t j, std::int64_t value) { triangle.put(i, j, value); });
  Run run({.threads = 1});
  triangle.finish(run);
  return result;
}

void put_little_endian(std::string& bytes, std::uint64_t value, unsigned size) {
  for (unsigned shift = 0; shift < 8 * size; shift += 8) {
    bytes += static_cast<char>((value >> shift) & 0xFFU);
  }
}

/// CRC-32 of the records (i, j, S_ij * denominator) of the pairs that are not zero.
std::uint32_t checksum_of_integers(const SimilarityMatrix& similarity, std::int64_t denominator) {
  std::uint32_t checksum = 0;
  std::string row;
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    row.clear();
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      std::int64_t integer = similarity.value[at];
      if (integer == 0) continue;
      // The same S may be written over another denominator, as long as the integers are whole.
      if (denominator != similarity.denominator) {
        __extension__ using Wide = __int128;
        const Wide scaled = Wide{integer} * denominator;
        integer = static_cast<std::int64_t>(scaled / similarity.denominator);
        if (Wide{integer} * similarity.denominator != scaled) {
          refuse("similarity.denominator", std::to_string(denominator),
                 fmt::format("{}, that of the answers", similarity.denominator));
        }
      }
      put_little_endian(row, i, 4);
      put_little_endian(row, similarity.column[at], 4);
      put_little_endian(row, static_cast<std::uint64_t>(integer), 8);
    }
    checksum = crc32_of(row, checksum);
  }
  return checksum;
}

}  // namespace

std::optional<SimilarityMatrix> match_similarity(const Claim& claim,
                                                 const SimilarityMatrix& similarity) {
  if (claim.kind != similarity.kind) {
    refuse("similarity.kind", to_string(claim.kind),
           fmt::format("{}, as in the answers", to_string(similarity.kind)));
  }
  if (claim.repeats != similarity.repeats) {
    refuse("similarity.repeats", to_string(claim.repeats),
           fmt::format("{}, as in the answers", to_string(similarity.repeats)));
  }
  const std::vector<std::uint32_t> rows = rows_in_claim(claim, similarity);
  if (claim.comparisons != similarity.comparisons) {
    refuse("similarity.comparisons", std::to_string(claim.comparisons),
           fmt::format("{}, as in the answers", similarity.comparisons));
  }
  std::optional<SimilarityMatrix> matched;
  if (!std::is_sorted(rows.begin(), rows.end())) matched = reordered(similarity, rows);
  const std::uint32_t checksum =
      checksum_of_integers(matched ? *matched : similarity, claim.denominator);
  if (checksum != claim.similarity_checksum) {
    refuse("similarity.checksum", std::to_string(claim.similarity_checksum),
           fmt::format("{}, that of the answers: these are other answers", checksum));
  }
  return matched;
}

}  // namespace tertium::verifying
