#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "tertium/core/name_list.hpp"
#include "tertium/core/number.hpp"
#include "tertium/core/similar_names.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/points.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/delimited.hpp"
#include "tertium/reading/header.hpp"
#include "tertium/reading/normalised_name.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/reading/read_whole.hpp"
#include "tertium/reading/row.hpp"

namespace tertium::internal {
namespace {

constexpr std::size_t no_column = static_cast<std::size_t>(-1);

/// What the cells of a column are.
struct ColumnContent {
  std::uint64_t numbers = 0;
  std::uint64_t others = 0;         // neither numbers nor missing
  std::uint64_t first_missing = 0;  // line; 0: none
  std::uint64_t first_other = 0;
  std::string other;  // the first of them

  void add(std::string_view cell, std::uint64_t line) {
    if (is_missing(cell)) {
      if (first_missing == 0) first_missing = line;
    } else if (parse_number(cell)) {
      ++numbers;
    } else if (others++ == 0) {
      first_other = line;
      other = cell;
    }
  }
};

/// Which columns are what: coordinates in the order of the file.
struct Roles {
  std::size_t names = no_column;
  std::vector<std::size_t> coordinates;
};

class TextPoints {
 public:
  TextPoints(ByteSource& source, const PointOptions& options)
      : file_(source.name()), text_(read_all(source)), options_(options) {
    if (text_.starts_with(byte_order_mark)) text_.erase(0, byte_order_mark.size());
    dialect_ = options.separator ? Dialect{*options.separator} : detect_dialect(text_, true);
  }

  PointTable read() {
    look_at_columns();
    const Roles roles = find_roles();
    PointTable points;
    for (const std::size_t column : roles.coordinates) points.columns.push_back(names_[column]);
    RowSplitter rows = data_rows();
    Row row;
    while (rows.next(row)) {
      for (const std::size_t column : roles.coordinates) {
        const double x = *parse_number(row.cells[column]);
        if (!std::isfinite(x)) refuse_cell(row.line, column, row.cells[column], "a finite number");
        points.coordinates.push_back(x);
      }
      points.items.push_back(roles.names == no_column ? std::to_string(points.items.size())
                                                      : std::string(row.cells[roles.names]));
    }
    if (roles.names != no_column) check_names_in(roles.names);
    return points;
  }

 private:
  [[nodiscard]] RowSplitter all_rows() const {
    RowSplitter rows(text_, 1, dialect_);
    skip_separator_line(rows);
    return rows;
  }
  [[nodiscard]] RowSplitter data_rows() const {
    RowSplitter rows = all_rows();
    Row header;
    if (has_header_) rows.next(header);
    return rows;
  }

  [[noreturn]] void refuse_cell(std::uint64_t line, std::size_t column, std::string_view cell,
                                std::string expected, std::string remedy = "") const {
    throw InputError({{file_, line, column + 1, has_header_ ? names_[column] : ""},
                      in_quotes(cell),
                      std::move(expected),
                      std::move(remedy)});
  }

  void look_at_columns() {
    RowSplitter rows = all_rows();
    Row row;
    if (!rows.next(row)) throw no_points();
    std::vector<std::string> first(row.cells.begin(), row.cells.end());
    const std::uint64_t first_line = row.line;
    content_.resize(first.size());
    while (rows.next(row)) {
      if (row.cells.size() != first.size()) {
        throw InputError({{file_, row.line},
                          fmt::format("{} cells", row.cells.size()),
                          fmt::format("{} as in the first row", first.size()),
                          ""});
      }
      for (std::size_t c = 0; c < first.size(); ++c) content_[c].add(row.cells[c], row.line);
      ++rows_;
    }
    if (rows.open_quote()) {
      throw InputError(
          {{file_, rows.line()}, "a quotation mark that nothing closes", "one that ends", ""});
    }
    has_header_ = options_.header.value_or(looks_like_header(first));
    if (!has_header_) {
      for (std::size_t c = 0; c < first.size(); ++c) {
        content_[c].add(first[c], first_line);
        // It comes before all others.
        if (is_missing(first[c])) content_[c].first_missing = first_line;
        if (!is_missing(first[c]) && !parse_number(first[c])) {
          content_[c].first_other = first_line;
          content_[c].other = first[c];
        }
        first[c] = std::to_string(c + 1);
      }
      ++rows_;
    }
    names_ = std::move(first);
    if (rows_ == 0) throw no_points();
  }

  [[nodiscard]] InputError no_points() const {
    return InputError({{file_}, "no points", "a row of coordinates for each point", ""});
  }

  /// A word over numbers is a name; so are words over nothing at all.
  [[nodiscard]] bool looks_like_header(const std::vector<std::string>& first) const {
    bool all_words = true;
    for (std::size_t c = 0; c < first.size(); ++c) {
      const bool is_word = !is_missing(first[c]) && !parse_number(first[c]);
      if (is_word && content_[c].numbers > 0) return true;
      all_words = all_words && is_word;
    }
    return rows_ == 0 && all_words;
  }

  /// The column that a flag names.
  [[nodiscard]] std::size_t column_of(const char* flag, const std::string& wanted) const {
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (names_[c] == wanted) return c;
    }
    const std::string normalised = normalised_name(wanted);
    for (std::size_t c = 0; c < names_.size() && has_header_; ++c) {
      if (!normalised.empty() && normalised_name(names_[c]) == normalised) return c;
    }
    const auto number = parse_integer(wanted);
    if (number && *number >= 1 && static_cast<std::size_t>(*number) <= names_.size()) {
      return static_cast<std::size_t>(*number) - 1;
    }
    throw InputError(
        {{file_},
         fmt::format("{} {} and the columns {}", flag, in_quotes(wanted), name_list(names_)),
         "the name or the number of a column",
         did_you_mean(similar_names(wanted, names_))});
  }

  [[nodiscard]] Roles find_roles() const {
    std::vector<bool> excluded(names_.size());
    std::vector<bool> wanted(names_.size(), options_.columns.empty());
    for (const std::string& name : options_.exclude_columns) {
      excluded[column_of("--exclude-columns", name)] = true;
    }
    for (const std::string& name : options_.columns) wanted[column_of("--columns", name)] = true;
    Roles roles;
    if (options_.name_column) {
      roles.names = column_of("--name-column", *options_.name_column);
    } else {
      roles.names = likely_names(excluded);
    }
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (!wanted[c] || excluded[c] || c == roles.names) continue;
      check_numbers(c);
      roles.coordinates.push_back(c);
    }
    if (roles.coordinates.empty()) {
      throw InputError({{file_},
                        fmt::format("no column of coordinates among {}", name_list(names_)),
                        "at least one column of numbers",
                        ""});
    }
    return roles;
  }

  [[nodiscard]] std::size_t likely_names(const std::vector<bool>& excluded) const {
    const auto is_free = [&](std::size_t c) {
      return !excluded[c] && std::none_of(options_.columns.begin(), options_.columns.end(),
                                          [&](const std::string& name) {
                                            return column_of("--columns", name) == c;
                                          });
    };
    // Data frames and spreadsheets put the names of rows under an empty cell.
    for (std::size_t c = 0; c < names_.size() && has_header_; ++c) {
      if (trimmed(names_[c]).empty() && is_free(c) && all_differ(c)) return c;
    }
    for (std::size_t c = 0; c < names_.size(); ++c) {
      const bool has_words = content_[c].numbers == 0 && content_[c].first_missing == 0;
      if (has_words && is_free(c)) return all_differ(c) ? c : no_column;
    }
    return no_column;
  }

  [[nodiscard]] bool all_differ(std::size_t column) const {
    if (content_[column].first_missing != 0) return false;
    std::unordered_set<std::string> seen;
    RowSplitter rows = data_rows();
    for (Row row; rows.next(row);) {
      if (!seen.emplace(row.cells[column]).second) return false;
    }
    return true;
  }

  void check_numbers(std::size_t column) const {
    const ColumnContent& content = content_[column];
    const std::string leave_out =
        fmt::format("--exclude-columns {}",
                    has_header_ ? printable(names_[column]) : std::to_string(column + 1));
    if (content.others > 0) {
      refuse_cell(
          content.first_other, column, content.other, "a number, as a coordinate",
          content.numbers == 0
              ? fmt::format("Leave the column out with {}", leave_out)
              : fmt::format("Put a number there, or leave the column out with {}", leave_out));
    }
    if (content.first_missing > 0) {
      refuse_cell(content.first_missing, column, "", "a number: no value may be missing",
                  fmt::format("Leave out the row, or the column with {}", leave_out));
    }
  }

  void check_names_in(std::size_t column) const {
    std::unordered_set<std::string> seen;
    RowSplitter rows = data_rows();
    for (Row row; rows.next(row);) {
      const std::string_view name = row.cells[column];
      if (name.empty() || find_invalid_utf8(name)) {
        refuse_cell(row.line, column, name, "a name in UTF-8");
      }
      if (!seen.emplace(name).second) {
        refuse_cell(row.line, column, name, "a name that no other point has",
                    "Name another column with --name-column");
      }
    }
  }

  std::string file_;
  std::string text_;
  const PointOptions& options_;
  Dialect dialect_;
  bool has_header_ = false;
  std::vector<std::string> names_;  // of the columns
  std::vector<ColumnContent> content_;
  std::uint64_t rows_ = 0;
};

/// The numbers of the columns that count, from 0.
std::vector<std::size_t> npy_columns(const PointOptions& options, std::size_t columns,
                                     const std::string& file) {
  const auto number = [&](const char* flag, const std::string& text) {
    const auto found = parse_integer(text);
    if (found && *found >= 1 && static_cast<std::size_t>(*found) <= columns) {
      return static_cast<std::size_t>(*found) - 1;
    }
    throw InputError({{file},
                      fmt::format("{} {}", flag, in_quotes(text)),
                      fmt::format("the number of a column, 1 to {}", columns),
                      ""});
  };
  if (options.name_column) {
    throw InputError({{file},
                      fmt::format("--name-column {}", in_quotes(*options.name_column)),
                      "text with names: an array has numbers only",
                      ""});
  }
  std::vector<bool> used(columns, options.columns.empty());
  for (const std::string& name : options.columns) used[number("--columns", name)] = true;
  for (const std::string& name : options.exclude_columns) {
    used[number("--exclude-columns", name)] = false;
  }
  std::vector<std::size_t> chosen;
  for (std::size_t c = 0; c < columns; ++c) {
    if (used[c]) chosen.push_back(c);
  }
  return chosen;
}

PointTable read_npy_points(ByteSource& source, const PointOptions& options) {
  NpyReader reader(source);
  const auto columns = npy_columns(options, reader.columns(), source.name());
  PointTable points;
  for (const std::size_t column : columns) points.columns.push_back(std::to_string(column + 1));
  std::vector<double> row;
  while (reader.next(row)) {
    for (const std::size_t column : columns) {
      if (!std::isfinite(row[column])) {
        throw InputError({{source.name(), points.items.size() + 1, column + 1, "", "row"},
                          fmt::format("{}", row[column]),
                          "a finite number",
                          "Leave out the row, or the column with --exclude-columns"});
      }
      points.coordinates.push_back(row[column]);
    }
    points.items.push_back(std::to_string(points.items.size()));
  }
  if (points.items.empty() || points.columns.empty()) {
    throw InputError({{source.name()}, "no points", "a row of coordinates for each point", ""});
  }
  return points;
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

void validate(const PointTable& points) {
  const auto refuse = [](std::string found, const char* expected) {
    throw InputError({{}, std::move(found), expected, ""});
  };
  if (points.items.empty() || points.columns.empty()) {
    refuse(fmt::format("{} points with {} coordinates", points.size(), points.dimensions()),
           "at least one point with a coordinate");
  }
  if (points.coordinates.size() != points.size() * points.dimensions()) {
    refuse(fmt::format("{} coordinates", points.coordinates.size()),
           "one for each point and column");
  }
  for (const double x : points.coordinates) {
    if (!std::isfinite(x)) refuse(fmt::format("the coordinate {}", x), "finite coordinates");
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : points.items) {
    if (name.empty() || find_invalid_utf8(name)) refuse(in_quotes(name), "names in UTF-8");
    if (!seen.insert(name).second) refuse(in_quotes(name) + " twice", "every name once");
  }
}

PointTable read_point_table(const InputFile& file, const PointOptions& options) {
  const std::shared_ptr<ByteSource> source = file.open();
  const bool is_array = source->peek(npy_magic.size()) == npy_magic;
  PointTable points =
      is_array ? read_npy_points(*source, options) : TextPoints(*source, options).read();
  points.inputs = {file};
  points.options = options;
  return points;
}

}  // namespace tertium
