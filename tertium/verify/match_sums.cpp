#include "tertium/verify/match_sums.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"
#include "tertium/verify/pair_sums.hpp"

namespace tertium::internal::verifying {
namespace {

/// For each row of the sums its row in the claim.
std::vector<std::uint32_t> rows_in_claim(const Claim& claim,
                                         const std::vector<std::string>& items) {
  std::unordered_map<std::string, std::uint32_t> position;
  for (const std::string& item : claim.items) {
    position.emplace(item, static_cast<std::uint32_t>(position.size()));
  }
  std::vector<std::uint32_t> rows;
  for (const std::string& item : items) {
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

IntegerTriangle reordered(const IntegerTriangle& triangle, const std::vector<std::uint32_t>& rows) {
  PairSums pairs;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t at = triangle.row_start[i]; at < triangle.row_start[i + 1]; ++at) {
      pairs.add(rows[i], rows[triangle.column[at]], triangle.value[at]);
    }
  }
  return triangle_of(pairs, rows.size(), triangle.denominator);
}

void put_little_endian(std::string& bytes, std::uint64_t value, unsigned size) {
  for (unsigned shift = 0; shift < 8 * size; shift += 8) {
    bytes += static_cast<char>((value >> shift) & 0xFFU);
  }
}

/// CRC-32 of the records (i, j, S_ij * denominator) of the pairs that are not zero.
std::uint32_t checksum_of_integers(const IntegerTriangle& triangle, std::int64_t denominator) {
  std::uint32_t checksum = 0;
  std::string row;
  for (std::size_t i = 0; i < triangle.size(); ++i) {
    row.clear();
    for (std::size_t at = triangle.row_start[i]; at < triangle.row_start[i + 1]; ++at) {
      std::int64_t integer = triangle.value[at];
      if (integer == 0) continue;
      // The same S may be written over another denominator, as long as the integers are whole.
      if (denominator != triangle.denominator) {
        __extension__ using Wide = __int128;
        const Wide scaled = Wide{integer} * denominator;
        integer = static_cast<std::int64_t>(scaled / triangle.denominator);  // or nonsense: refused
        if (Wide{integer} * triangle.denominator != scaled) {
          refuse("similarity.denominator", std::to_string(denominator),
                 fmt::format("{}, that of the answers", triangle.denominator));
        }
      }
      put_little_endian(row, i, 4);
      put_little_endian(row, triangle.column[at], 4);
      put_little_endian(row, static_cast<std::uint64_t>(integer), 8);
    }
    checksum = crc32_of(row, checksum);
  }
  return checksum;
}

}  // namespace

std::optional<IntegerTriangle> match_sums(const Claim& claim, const GivenSums& given) {
  // How the answers are read is for the reader to say: a file that could choose would prove one
  // thing to one reader and another to the next.
  if (claim.kind != given.kind) {
    refuse("similarity.kind", claim.kind,
           fmt::format("{}, as the answers were read{}", given.kind,
                       claim.kind == "precomputed" ? " (a matrix is read with --kind matrix)"
                       : claim.kind == "points"    ? " (points are read with --points)"
                                                   : ""));
  }
  if (claim.repeats != given.repeats) {
    refuse("similarity.repeats", to_string(claim.repeats),
           fmt::format("{}, as the answers were read (--repeats {} reads them the other way)",
                       to_string(given.repeats), to_string(claim.repeats)));
  }
  if (claim.exponent != given.exponent) {
    refuse("similarity.exponent", std::to_string(claim.exponent),
           fmt::format("{}, which suits these points", given.exponent));
  }
  const std::vector<std::uint32_t> rows = rows_in_claim(claim, given.items);
  if (claim.comparisons != given.comparisons) {
    refuse("similarity.comparisons", std::to_string(claim.comparisons),
           fmt::format("{}, as in the answers", given.comparisons));
  }
  std::optional<IntegerTriangle> matched;
  if (!std::is_sorted(rows.begin(), rows.end())) matched = reordered(given.triangle, rows);
  const std::uint32_t checksum =
      checksum_of_integers(matched ? *matched : given.triangle, claim.denominator);
  if (checksum != claim.similarity_checksum) {
    refuse("similarity.checksum", std::to_string(claim.similarity_checksum),
           fmt::format("{}, that of the answers: these are other answers", checksum));
  }
  return matched;
}

}  // namespace tertium::internal::verifying
