#pragma once

#include <span>
#include <string>
#include <vector>

#include "tertium/comparisons/answer_sink.hpp"
#include "tertium/comparisons/byte_source.hpp"
#include "tertium/comparisons/read_options.hpp"
#include "tertium/comparisons/read_report.hpp"
#include "tertium/core/progress.hpp"

namespace tertium {

/// Reads files of answers or standard input ("-"), and hands every answer to
/// one of the sinks: one pass, and no more than a few blocks of the file in memory (JSON documents
/// are read whole). With several sinks, blocks of one file are read at the same time, a thread per
/// sink; which answer goes to which sink is not fixed, the sum over all sinks is.
///
/// Throws InputError (the first bad place in the input), or Cancelled if `progress` says stop.
ReadReport read_answers(const std::vector<InputFile>& files, const ReadOptions& options,
                        std::span<AnswerSink* const> sinks, const Progress& progress = {});

/// The files behind `inputs`: a directory stands for the files of answers in it, by name.
std::vector<InputFile> expand_inputs(const std::vector<InputFile>& inputs);

}  // namespace tertium
