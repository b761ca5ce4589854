#pragma once

#include "tertium/core/output_file.hpp"
#include "tertium/planted/simulated_answers.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

/// Writes the answers as CSV: `anchor,near,far`, `i,j,k,l`, `a,b,odd` or `central,other1,other2`,
/// and `participant` (p1, p2, ...) if there are any. Items are 0 .. n-1. Memory does not grow with
/// the number of answers; the bytes do not depend on the number of threads. Throws
/// Cancelled.
void write_answers(const SimulatedAnswers& answers, OutputFile& file, Run& run);

/// Writes `item,cluster`; clusters are numbered from 1.
void write_truth(const SimulatedAnswers& answers, OutputFile& file);

}  // namespace tertium::internal
