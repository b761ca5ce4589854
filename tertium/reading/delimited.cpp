#include "tertium/reading/delimited.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "tertium/core/number.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

/// A row longer than this is not a row of answers but damage (one quotation mark too many).
constexpr std::size_t longest_row = 64U << 20U;

/// Rows looked at to find the separator.
constexpr std::size_t rows_to_sniff = 100;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Line ends in a text. Counted in bytes that are added up before they overflow, a shape that
/// compilers turn into vector instructions; this runs while other threads wait for their block.
std::uint64_t count_line_ends(std::string_view text) {
  constexpr std::size_t lanes = 64;
  std::uint64_t total = 0;
  while (text.size() >= lanes) {
    std::array<std::uint8_t, lanes> counts{};
    const std::size_t steps = std::min<std::size_t>(text.size() / lanes, 255);
    for (std::size_t step = 0; step < steps; ++step) {
      const char* const at = text.data() + step * lanes;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        counts[lane] = static_cast<std::uint8_t>(counts[lane] + (at[lane] == '\n' ? 1 : 0));
      }
    }
    for (const std::uint8_t count : counts) total += count;
    text.remove_prefix(steps * lanes);
  }
  return total + static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Finds the last row end in a text that grows, and looks at every byte once. A quotation mark
/// opens a quoted cell only at the start of a cell.
class RowEndFinder {
 public:
  explicit RowEndFinder(RowEnds ends) : quotes_matter_(ends == RowEnds::outside_quotes) {}

  /// Offset just behind the last row end; 0 if there is none.
  std::size_t find(std::string_view text) {
    const std::string_view added = text.substr(seen_);
    if (in_quotes_ || (quotes_matter_ && added.find('"') != std::string_view::npos)) {
      for (std::size_t i = seen_; i < text.size(); ++i) step(text[i], i);
    } else if (!added.empty()) {
      const auto end = added.rfind('\n');
      if (end != std::string_view::npos) last_ = seen_ + end + 1;
      cell_start_ = starts_cell(added.back());
    }
    seen_ = text.size();
    return last_;
  }

 private:
  static bool starts_cell(char before) {
    return before == ',' || before == ';' || before == '\n' || is_blank(before);
  }

  void step(char c, std::size_t at) {
    if (in_quotes_) {
      if (c == '"') in_quotes_ = false;  // "" closes and opens again at once
      cell_start_ = c == '"';
      return;
    }
    if (c == '"') {
      in_quotes_ = cell_start_;
      return;
    }
    if (c == '\n') last_ = at + 1;
    cell_start_ = starts_cell(c);
  }

  bool quotes_matter_;
  bool in_quotes_ = false;
  bool cell_start_ = true;
  std::size_t seen_ = 0;
  std::size_t last_ = 0;
};

}  // namespace

TextBlocks::TextBlocks(ByteSource& source, std::size_t block_size, RowEnds ends)
    : source_(source), block_size_(block_size), ends_(ends) {}

bool TextBlocks::next(TextBlock& block) {
  const std::scoped_lock lock(mutex_);
  if (ended_) return false;
  std::size_t filled = carried_.size();
  std::size_t rows_end = 0;
  RowEndFinder row_ends(ends_);
  if (block.bytes.size() < filled + block_size_) block.bytes.resize(filled + block_size_);
  std::memcpy(block.bytes.data(), carried_.data(), filled);
  while (rows_end == 0) {
    if (block.bytes.size() < filled + block_size_) block.bytes.resize(filled + block_size_);
    const std::size_t got = source_.read(block.bytes.data() + filled, block_size_);
    filled += got;
    if (got < block_size_) {
      ended_ = true;
      rows_end = filled;
      break;
    }
    rows_end = row_ends.find({block.bytes.data(), filled});
    if (rows_end == 0 && filled > longest_row) {
      throw InputError({{source_.name(), next_line_},
                        "a row without an end",
                        "rows of answers",
                        "Is a quotation mark left open?"});
    }
  }
  carried_.assign(block.bytes.data() + rows_end, filled - rows_end);
  block.text = {block.bytes.data(), rows_end};
  block.number = count_++;
  block.first_line = next_line_;
  block.last = ended_;
  next_line_ += count_line_ends(block.text);
  return !block.text.empty();
}

std::string_view RowSplitter::quoted_cell() {
  const std::size_t start = ++at_;
  const std::uint64_t opened_at = line_;
  std::string* rewritten = nullptr;
  std::size_t copied = start;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') ++line_;
    if (c == '"') {
      if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
      if (rewritten == nullptr) rewritten = &unescaped_.emplace_back();
      rewritten->append(text_.substr(copied, at_ + 1 - copied));
      copied = at_ + 2;
      ++at_;
    }
    ++at_;
  }
  if (at_ >= text_.size()) {
    open_quote_ = true;
    line_ = opened_at;
  }
  const std::size_t end = at_;
  if (at_ < text_.size()) ++at_;
  if (rewritten == nullptr) return text_.substr(start, end - start);
  rewritten->append(text_.substr(copied, end - copied));
  return *rewritten;
}

bool RowSplitter::next(Row& row) {
  unescaped_.clear();
  row.cells.clear();
  const bool blanks_separate = dialect_.separator == ' ';
  while (at_ < text_.size() && row.cells.empty()) {
    row.line = line_;
    bool ended = false;
    while (!ended) {
      while (at_ < text_.size() && is_blank(text_[at_]) && text_[at_] != dialect_.separator) ++at_;
      if (blanks_separate) {
        while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
      }
      std::string_view cell;
      bool was_quoted = false;
      if (at_ < text_.size() && text_[at_] == '"') {
        cell = quoted_cell();
        was_quoted = true;
      }
      const std::size_t start = at_;
      while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != dialect_.separator &&
             !(blanks_separate && text_[at_] == '\t')) {
        ++at_;
      }
      const std::string_view plain = trimmed(text_.substr(start, at_ - start));
      if (!was_quoted) cell = plain;
      if (was_quoted && !plain.empty()) {  // "5"-tall is 5-tall
        cell = unescaped_.emplace_back(std::string(cell) + std::string(plain));
      }
      ended = at_ >= text_.size() || text_[at_] == '\n';
      const bool padding = blanks_separate && ended && !was_quoted && cell.empty();
      if (!padding && row.cells.size() <= most_columns) row.cells.push_back(cell);
      if (at_ < text_.size()) ++at_;
      if (ended && !open_quote_) ++line_;
    }
    if (row.cells.size() == 1 && row.cells[0].empty()) row.cells.clear();  // a blank line
  }
  return !row.cells.empty();
}

Dialect detect_dialect(std::string_view first_rows, bool complete) {
  Dialect best;
  std::size_t best_share = 0;
  for (const char separator : {'\t', ';', ',', ' '}) {
    RowSplitter splitter(first_rows, 1, {separator});
    std::map<std::size_t, std::size_t> rows_with_cells;
    Row row;
    std::size_t rows = 0;
    std::size_t last_cells = 0;
    while (rows < rows_to_sniff && splitter.next(row)) {
      if (row.cells[0].starts_with('#')) continue;
      ++rows;
      last_cells = row.cells.size();
      ++rows_with_cells[last_cells];
    }
    // The last row may be cut off: it does not speak against a separator.
    if (complete && rows > 2 && rows < rows_to_sniff && rows_with_cells.size() > 1) {
      --rows_with_cells[last_cells];
      --rows;
    }
    std::size_t share = 0;
    for (const auto& [cells, count] : rows_with_cells) {
      if (cells >= 2 && rows > 0) share = std::max(share, count * 1000 / rows);
    }
    if (share == 1000) return {separator};
    if (share > best_share) {
      best_share = share;
      best = {separator};
    }
  }
  return best;
}

}  // namespace tertium::internal
