#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tertium/answers/answer_columns.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

/// Answers from one part of the input, as the sink numbers items and participants.
struct AnswerPart {
  std::uint64_t number = 0;          // in the order of the input
  std::size_t participants_met = 0;  // by the sink before this part
  AnswerColumns answers;
};

/// Keeps the answers of one sink, part by part, so that those of several sinks, which read one
/// input at the same time, can be put together in its order.
class AnswerKeeper {
 public:
  void begin_part(std::uint64_t number, std::size_t participants_met);
  void add_screen(std::span<const Answer> answers);
  void add_plain(const PlainAnswers& plain);

  /// All parts so far, by their number. A large part may be in pieces, in order.
  std::vector<AnswerPart> take_parts();

 private:
  void close_piece();
  void close_large_piece();

  AnswerPart open_;                // keeps its room from piece to piece
  std::vector<AnswerPart> parts_;  // take no more room than they need
};

/// What a sink kept, and what its numbers mean.
struct KeptBySink {
  std::vector<AnswerPart> parts;
  std::vector<std::uint32_t> row_of;  // for every item of the sink
  const ItemTable& participants;      // of the sink
};

/// The answers of all sinks in the order of the input, with rows for items; participants are
/// numbered in the order in which the input names them, as if one sink had read all of it.
std::vector<AnswerColumns> put_together(std::vector<KeptBySink> sinks, Run& run);

}  // namespace tertium::internal
