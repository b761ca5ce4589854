#include "tertium/similarity/snapshot.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <zlib.h>

#include "tertium/core/output_file.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/record_table.hpp"
#include "tertium/similarity/additive.hpp"
#include "tertium/similarity/sound_input.hpp"

namespace tertium::internal {
namespace {

/// What the field `kind` stands for.
constexpr std::array kinds = {adds3.name, adds4.name, precomputed};

std::uint64_t kind_of(std::string_view rule) {
  const auto found = std::find(kinds.begin(), kinds.end(), rule);
  if (found != kinds.end()) return static_cast<std::uint64_t>(found - kinds.begin());
  throw InputError({{},
                    fmt::format("a snapshot of {}", similarity_title(rule)),
                    "a similarity that adds up, as snapshots do",
                    "Write .npy, .csv or .mtx instead"});
}

constexpr std::string_view end_mark = "TERT-END";
constexpr std::size_t write_step = 1 << 16;
constexpr std::size_t longest_number = 10;

std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}

std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
}

std::uint32_t checksum(std::string_view bytes, std::uint32_t so_far = 0) {
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, 1U << 30U);
    so_far = static_cast<std::uint32_t>(
        crc32(so_far, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size())));
    bytes.remove_prefix(part.size());
  }
  return so_far;
}

class Writer {
 public:
  explicit Writer(OutputFile& file) : file_(file), buffer_(write_step + longest_number, '\0') {}

  void bytes(std::string_view text) {
    flush();
    checksum_ = checksum(text, checksum_);
    file_.write(text);
  }
  void fixed32(std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) put((value >> shift) & 0xFFU);
  }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) put((value & 0x7FU) | 0x80U);
    put(value);
    if (filled_ >= write_step) flush();
  }
  void finish() {
    bytes(end_mark);
    fixed32(checksum_);
    flush();
  }

 private:
  void put(std::uint64_t byte) { buffer_[filled_++] = static_cast<char>(byte); }
  void flush() {
    const std::string_view text = std::string_view(buffer_).substr(0, filled_);
    checksum_ = checksum(text, checksum_);
    file_.write(text);
    filled_ = 0;
  }

  OutputFile& file_;
  std::string buffer_;
  std::size_t filled_ = 0;
  std::uint32_t checksum_ = 0;
};

/// Takes numbers from the bytes of a snapshot whose checksum is right; what does not fit then was
/// written wrongly and is refused all the same.
class Parser {
 public:
  Parser(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  std::uint64_t number(std::uint64_t largest = ~std::uint64_t{0}) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) refuse();
      const auto byte = static_cast<unsigned char>(bytes_[0]);
      bytes_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) {
        if (value > largest) refuse();
        return value;
      }
    }
    refuse();
  }

  /// A count of things that take at least one byte each.
  std::uint64_t count() { return number(bytes_.size()); }

  std::string text() {
    const std::uint64_t length = count();
    std::string result(bytes_.substr(0, length));
    bytes_.remove_prefix(length);
    return result;
  }

  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

  [[noreturn]] void refuse() const {
    throw InputError({{file_}, "a damaged snapshot", "a similarity snapshot", "Make it again"});
  }

 private:
  std::string_view bytes_;
  const std::string& file_;
};

/// Every comparison adds its weight to one pair and takes it from another, and shows an item as
/// anchor or option twice at most.
bool could_be_counted(const SimilarityMatrix& similarity) {
  __extension__ using Wide = __int128;
  Wide positive = 0;
  Wide negative = 0;
  for (const std::int64_t value : similarity.value) (value > 0 ? positive : negative) += value;
  if (std::max(positive, -negative) > similarity.weight) return false;
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    if (similarity.anchors[i] > similarity.mentions[i]) return false;
    if (similarity.mentions[i] / 2 > similarity.comparisons) return false;
  }
  return true;
}

}  // namespace

void check_snapshot_rule(std::string_view rule) { kind_of(rule); }

bool is_snapshot(const InputFile& file) {
  return file.open()->peek(snapshot_magic.size()) == snapshot_magic;
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

void write_snapshot(const SimilarityMatrix& similarity, const std::string& path) {
  const std::uint64_t kind = kind_of(similarity.rule);
  OutputFile file(path);
  Writer writer(file);
  writer.bytes(snapshot_magic);
  writer.fixed32(snapshot_version);
  writer.number(kind);
  writer.number(static_cast<std::uint64_t>(similarity.repeats));
  writer.number(static_cast<std::uint64_t>(similarity.denominator));
  writer.number(similarity.comparisons);
  writer.number(static_cast<std::uint64_t>(similarity.weight));
  writer.number(similarity.size());
  for (const std::string& name : similarity.items) {
    writer.number(name.size());
    writer.bytes(name);
  }
  for (const std::uint64_t mentions : similarity.mentions) writer.number(mentions);
  for (const std::uint64_t anchors : similarity.anchors) writer.number(anchors);
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    writer.number(similarity.row_start[i + 1] - similarity.row_start[i]);
    std::uint64_t next = 0;
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      writer.number(similarity.column[at] - next);
      writer.number(zigzag(similarity.value[at]));
      next = std::uint64_t{similarity.column[at]} + 1;
    }
  }
  writer.finish();
  file.commit();
}

SimilarityMatrix read_snapshot(const InputFile& file) {
  const std::shared_ptr<ByteSource> source = file.open();
  const std::string& path = source->name();
  const std::string bytes = read_all(*source);
  const std::string_view all = bytes;
  constexpr std::size_t start_size = 12;
  constexpr std::size_t end_size = 12;
  const auto fixed32 = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      value |= std::uint32_t{static_cast<unsigned char>(all[at + i])} << (8 * i);
    }
    return value;
  };
  if (!all.starts_with(snapshot_magic)) {
    throw InputError({{path}, "something else", "a similarity snapshot", ""});
  }
  if (all.size() >= start_size && fixed32(8) > snapshot_version) {
    throw InputError({{path},
                      fmt::format("a snapshot of version {}", fixed32(8)),
                      fmt::format("version {} or older", snapshot_version),
                      "It was written by a newer tertium: update this one"});
  }
  if (all.size() < start_size + end_size ||
      all.substr(all.size() - end_size, end_mark.size()) != end_mark) {
    throw InputError({{path}, "a snapshot that is cut off", "a whole snapshot", "Make it again"});
  }
  if (checksum(all.substr(0, all.size() - 4)) != fixed32(all.size() - 4)) {
    throw InputError(
        {{path}, "a snapshot whose checksum is wrong", "an undamaged snapshot", "Make it again"});
  }
  Parser parser(all.substr(start_size, all.size() - start_size - end_size), path);
  SimilarityMatrix similarity;
  const std::uint64_t kind = parser.number(kinds.size() - 1);
  similarity.rule = kinds[kind];
  similarity.quadruplets = similarity.rule == adds4.name;
  similarity.repeats = static_cast<Repeats>(parser.number(2));
  constexpr std::uint64_t largest_signed = ~std::uint64_t{0} >> 1U;
  similarity.denominator = static_cast<std::int64_t>(parser.number(largest_signed));
  if (similarity.denominator == 0) parser.refuse();
  similarity.comparisons = parser.number();
  similarity.weight = static_cast<std::int64_t>(parser.number(largest_signed));
  const std::uint64_t count = parser.count();
  for (std::uint64_t i = 0; i < count; ++i) similarity.items.push_back(parser.text());
  for (std::uint64_t i = 0; i < count; ++i) similarity.mentions.push_back(parser.number());
  for (std::uint64_t i = 0; i < count; ++i) similarity.anchors.push_back(parser.number());
  similarity.row_start.push_back(0);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t entries = parser.count();
    std::uint64_t next = 0;
    for (std::uint64_t entry = 0; entry < entries; ++entry) {
      const std::uint64_t column = next + parser.number(count);
      if (column >= i) parser.refuse();
      similarity.column.push_back(static_cast<std::uint32_t>(column));
      similarity.value.push_back(unzigzag(parser.number()));
      if (similarity.value.back() == 0) parser.refuse();
      next = column + 1;
    }
    similarity.row_start.push_back(similarity.value.size());
  }
  if (!parser.at_end()) parser.refuse();
  check_names(similarity.items, path);
  check_sums(similarity, path);
  if (!similarity.is_given() && !could_be_counted(similarity)) parser.refuse();
  return similarity;
}

}  // namespace tertium
