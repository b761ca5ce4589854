#pragma once

#include <string>

#include "tertium/reading/delimited.hpp"
#include "tertium/reading/read_options.hpp"
#include "tertium/reading/row.hpp"

namespace tertium::internal {

/// The columns of a delimited text: named by its first row if that is a header, else by number.
/// `rest` are the rows behind the first. Throws InputError if the file does not tell.
Table find_columns(const Row& first, RowSplitter rest, const std::string& file,
                   const ReadOptions& options);

/// R writes row names under a header that has no cell for them: names that column "".
void add_unnamed_column(Table& table, RowSplitter rows);

/// Excel's first line "sep=;" is not a row.
void skip_separator_line(RowSplitter& rows);

}  // namespace tertium::internal
