#pragma once

#include <span>
#include <string>
#include <vector>

#include "tertium/answers/answer_sink.hpp"
#include "tertium/core/run.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/read_options.hpp"
#include "tertium/reading/read_report.hpp"

namespace tertium {

/// Reads files of answers or standard input ("-"), and hands every answer to
/// one of the sinks: one pass, and no more than a few blocks of the file in memory (JSON documents
/// are read whole). With several sinks, blocks of one file are read at the same time, a thread per
/// sink; which part goes to which sink is not fixed, the sum over all sinks is, and the numbers of
/// the parts give the order of the input back (AnswerSink::begin_part).
///
/// Throws InputError (the first bad place in the input), or Cancelled.
ReadReport read_answers(const std::vector<InputFile>& files, const ReadOptions& options,
                        std::span<AnswerSink* const> sinks, Run& run);

/// The files behind `inputs`: a directory stands for the files of answers in it, by name.
std::vector<InputFile> expand_inputs(const std::vector<InputFile>& inputs);

}  // namespace tertium
