#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/row.hpp"

namespace tertium::internal {

/// Whole rows of a delimited text, cut from the stream.
struct TextBlock {
  std::vector<char> bytes;  // buffer; the rows are in `text`
  std::string_view text;
  std::uint64_t number = 0;  // of the block in its stream
  std::uint64_t first_line = 1;
  bool last = false;  // the stream ends here; its last row may lack the line end
};

/// Which line ends end a row: those that are not inside a quoted cell, or all.
enum class RowEnds : std::uint8_t { outside_quotes, every_line };

/// Cuts a stream into blocks of whole rows.
/// `next` may be called from several threads: blocks come in order, each to one caller.
class TextBlocks {
 public:
  TextBlocks(ByteSource& source, std::size_t block_size, RowEnds ends = RowEnds::outside_quotes);

  /// False at the end of the stream. Throws InputError when a row has no end within 64 MB.
  bool next(TextBlock& block);

  /// How many blocks were cut so far.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  ByteSource& source_;
  std::size_t block_size_;
  RowEnds ends_;
  std::mutex mutex_;
  std::string carried_;  // the start of a row whose end is not read yet
  std::uint64_t next_line_ = 1;
  std::uint64_t count_ = 0;
  bool ended_ = false;
};

/// How the cells of a delimited text are told apart. `separator` ' ' stands for any run of blanks.
struct Dialect {
  char separator = ',';
};

/// The separator of a text, from its first rows: the one of tab, semicolon, comma, blanks (in this
/// order) that gives every row the same number of cells, at least two; otherwise the one that gives
/// most rows the same number.
Dialect detect_dialect(std::string_view first_rows, bool complete);

/// Walks over the rows of one block. Blank lines are passed over.
class RowSplitter {
 public:
  RowSplitter(std::string_view text, std::uint64_t first_line, Dialect dialect)
      : text_(text), line_(first_line), dialect_(dialect) {}

  /// Splits the next row into cells. False at the end of the block.
  bool next(Row& row);

  /// The rest of the text, and the line it starts at; `skip_to` moves on within the text.
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  [[nodiscard]] std::uint64_t line() const { return line_; }
  void skip_to(std::size_t bytes, std::uint64_t lines) {
    at_ += bytes;
    line_ += lines;
  }

  /// A quotation mark was opened and never closed in this text: the row at `line()` is damaged.
  [[nodiscard]] bool open_quote() const { return open_quote_; }

 private:
  std::string_view quoted_cell();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t line_;
  Dialect dialect_;
  std::deque<std::string> unescaped_;
  bool open_quote_ = false;
};

}  // namespace tertium::internal
