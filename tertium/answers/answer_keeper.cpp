#include "tertium/answers/answer_keeper.hpp"

#include <algorithm>
#include <atomic>

namespace tertium::internal {
namespace {

/// Some formats are read in one part. In pieces of this size (1.5 MB of triplets) little room is
/// left unused, and the memory of one is free again as soon as its answers have been sorted.
constexpr std::size_t answers_in_piece = 1 << 17;

}  // namespace

void AnswerKeeper::begin_part(std::uint64_t number, std::size_t participants_met) {
  close_piece();
  open_.number = number;
  open_.participants_met = participants_met;
}

void AnswerKeeper::add_screen(std::span<const Answer> answers) {
  close_large_piece();
  open_.answers.add_screen(answers);
}

void AnswerKeeper::add_plain(const PlainAnswers& plain) {
  close_large_piece();
  open_.answers.add_plain(plain);
}

void AnswerKeeper::close_large_piece() {
  if (open_.answers.size() >= answers_in_piece) close_piece();
}

void AnswerKeeper::close_piece() {
  parts_.push_back(open_);  // even if it is empty: it may have named somebody
  open_.answers.clear();
}

std::vector<AnswerPart> AnswerKeeper::take_parts() {
  close_piece();
  open_ = {};
  return std::move(parts_);
}

std::vector<AnswerColumns> put_together(std::vector<KeptBySink> sinks, Run& run) {
  struct Kept {
    std::size_t sink;
    std::size_t participants_end;  // met by the sink before its next part
    AnswerPart* part;
  };
  std::vector<Kept> kept;
  for (std::size_t s = 0; s < sinks.size(); ++s) {
    std::size_t end = sinks[s].participants.size();
    auto& parts = sinks[s].parts;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      kept.push_back({s, end, &*part});
      end = part->participants_met;
    }
  }
  std::ranges::reverse(kept);
  std::ranges::stable_sort(kept, {}, [](const Kept& k) { return k.part->number; });

  // Whoever the input names first in a part is new to the sink that read it, too.
  ItemTable everybody;
  std::vector<std::vector<ParticipantId>> participant_of(sinks.size());
  for (auto& numbers : participant_of) numbers.push_back(0);
  for (const auto& [sink, end, part] : kept) {
    for (std::size_t p = part->participants_met; p < end; ++p) {
      const std::string& name = sinks[sink].participants.name(static_cast<ItemId>(p));
      participant_of[sink].push_back(1 + everybody.add(name));
    }
  }

  std::vector<AnswerColumns> answers(kept.size());
  std::atomic<std::size_t> next = 0;
  run.workers(run.threads(), [&](int) {
    for (std::size_t k = next++; k < kept.size(); k = next++) {
      const auto& [sink, end, part] = kept[k];
      part->answers.renumber(sinks[sink].row_of, participant_of[sink]);
      answers[k] = std::move(part->answers);
    }
  });
  return answers;
}

}  // namespace tertium::internal
