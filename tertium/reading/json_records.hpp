#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/error.hpp"
#include "tertium/reading/record_table.hpp"

namespace tertium::internal {

/// All tables in a JSON document. A table is
///   - an array of objects: a column for every key; fields of the objects around it are columns too
///   - an array of arrays: columns "1", "2", ..., without a header
///   - an object of arrays of the same length: a column for every key ("answers": [...], ...), and
///     columns key.1, key.2, ... where the elements are short arrays.
/// Lists inside a record stay lists, as JSON text in the cell; a list of {"label": x, "index": y}
/// becomes a column x with the value y; the keys of "participant_responses" become a column
/// "participant" (both as NEXT writes them). Tables are in document order.
/// `tick` is called now and then and may throw to give up. Time and memory are in proportion to the
/// text. Throws InputError with the line if the text is not JSON.
std::vector<RecordTable> parse_json_tables(std::string text, const std::string& file,
                                           const std::function<void()>& tick);

/// One record per line, or an array of records, in the columns of `table` if it has any. Lines that
/// are not JSON go to `unreadable`; without it the first one is thrown. The cells are views of
/// `text`.
RecordTable parse_json_lines(std::string_view text, std::uint64_t first_line, const Table& table,
                             std::vector<InputError>* unreadable = nullptr);

/// The elements of a list written in a cell, as JSON (["a","b"]) or as Python (['a', 'b']).
/// False if the text is not a complete list of plain values.
bool parse_list(std::string_view text, std::vector<std::string>& elements);

}  // namespace tertium::internal
