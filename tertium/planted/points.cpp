#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/delimited.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/reading/read_whole.hpp"
#include "tertium/simulate.hpp"

namespace tertium::internal {
namespace {

void add_row(Points& points, const std::vector<double>& row, const Place& place) {
  if (points.count == 0) points.dimensions = row.size();
  if (row.size() != points.dimensions) {
    throw InputError({place, fmt::format("{} numbers", row.size()),
                      fmt::format("{} as in the rows before", points.dimensions), ""});
  }
  double length = 0;
  for (const double x : row) {
    if (!std::isfinite(x)) {
      throw InputError({place, fmt::format("{}", x), "finite coordinates", ""});
    }
    length += x * x;
  }
  double scale = 1;
  if (points.similarity == PointSimilarity::cosine) {
    if (length == 0) {
      throw InputError({place, "a point at the origin",
                        "points with a direction, which the cosine similarity needs",
                        "Leave it out, or use --similarity gaussian"});
    }
    scale = 1 / std::sqrt(length);
  }
  for (const double x : row) points.coordinates.push_back(scale * x);
  ++points.count;
}

void read_npy_rows(Points& points, ByteSource& source) {
  NpyReader reader(source);
  std::vector<double> row;
  while (reader.next(row)) add_row(points, row, {source.name(), points.count + 1, 0, "", "row"});
}

void read_text_rows(Points& points, ByteSource& source) {
  const std::string text = read_all(source);
  RowSplitter splitter(text, 1, detect_dialect(text, true));
  Row row;
  std::vector<double> numbers;
  for (bool first = true; splitter.next(row); first = false) {
    numbers.clear();
    std::size_t bad = 0;
    for (std::size_t column = 0; column < row.cells.size() && bad == 0; ++column) {
      const auto number = parse_number(trimmed(row.cells[column]));
      if (number) {
        numbers.push_back(*number);
      } else {
        bad = column + 1;
      }
    }
    if (bad == 0) {
      add_row(points, numbers, {source.name(), row.line});
    } else if (!first || bad > 1) {
      throw InputError({{source.name(), row.line, bad},
                        in_quotes(row.cells[bad - 1]),
                        "a number: every column is a coordinate",
                        ""});
    }
  }
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::optional<PointSimilarity> parse_point_similarity(std::string_view text) {
  if (text == "gaussian") return PointSimilarity::gaussian;
  if (text == "cosine") return PointSimilarity::cosine;
  return {};
}

double Points::likeness(std::uint64_t i, std::uint64_t j) const {
  const double* x = coordinates.data() + i * dimensions;
  const double* y = coordinates.data() + j * dimensions;
  double product = 0;
  double distance = 0;
  if (similarity == PointSimilarity::cosine) {
    for (std::size_t d = 0; d < dimensions; ++d) product += x[d] * y[d];
    return product;
  }
  for (std::size_t d = 0; d < dimensions; ++d) distance += (x[d] - y[d]) * (x[d] - y[d]);
  return -distance;
}

Points read_points(const InputFile& file, PointSimilarity similarity) {
  const std::shared_ptr<ByteSource> opened = file.open();
  ByteSource& source = *opened;
  Points points;
  points.similarity = similarity;
  if (source.peek(npy_magic.size()) == npy_magic) {
    read_npy_rows(points, source);
  } else {
    read_text_rows(points, source);
  }
  if (points.count == 0) {
    throw InputError({{source.name()}, "no points", "a row of coordinates for each item", ""});
  }
  return points;
}

}  // namespace tertium
