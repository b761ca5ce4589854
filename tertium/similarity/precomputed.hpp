#pragma once

#include "tertium/reading/byte_source.hpp"
#include "tertium/run.hpp"
#include "tertium/similarity.hpp"

namespace tertium::internal {

/// True if the file can only be a similarity matrix: MatrixMarket, a square .npy with more than 4
/// columns, or a square table with more than 4 columns, with or without item names. Never standard
/// input.
bool is_similarity_matrix(const InputFile& file);

/// Reads a symmetric matrix that was made elsewhere (.mtx, .npy, delimited text). The diagonal is
/// left out. Values are exact if 64 bits can hold their sums over a common denominator; else they
/// are rounded to the finest multiple that does, and `rounded` says so. Throws InputError for a
/// matrix that is not square, not symmetric or not finite, for names that are not valid UTF-8 or
/// there twice, and for values too large or too small for 64 bits.
SimilarityMatrix read_similarity_matrix(const InputFile& file, Run& run);

}  // namespace tertium::internal
