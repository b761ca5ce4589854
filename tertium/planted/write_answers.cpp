#include "tertium/planted/write_answers.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string>

#include <fmt/format.h>

#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

constexpr std::uint64_t answers_at_once = 1U << 14U;
constexpr std::size_t longest_number = 20;

/// Writes numbers four digits at a time.
class NumberText {
 public:
  NumberText() {
    for (std::size_t number = 0; number < numbers; ++number) {
      std::size_t rest = number;
      for (std::size_t digit = digits; digit-- > 0; rest /= 10) {
        text_[number * digits + digit] = static_cast<char>('0' + rest % 10);
      }
    }
  }

  /// Writes at `to`, where there is room for `longest_number` and some more bytes; returns the end.
  char* put(char* to, std::uint64_t number) const {
    if (number >= numbers) {
      to = put(to, number / numbers);
      std::memcpy(to, text_.data() + number % numbers * digits, digits);
      return to + digits;
    }
    const std::size_t zeros =
        (number < 1000 ? 1U : 0U) + (number < 100 ? 1U : 0U) + (number < 10 ? 1U : 0U);
    std::memcpy(to, text_.data() + number * digits + zeros, digits);
    return to + (digits - zeros);
  }

 private:
  static constexpr std::size_t digits = 4;
  static constexpr std::size_t numbers = 10'000;
  // Copies may start at the last digit of an entry and run over its end.
  std::array<char, numbers * digits + digits> text_{};
};

std::string header_of(const Survey& survey) {
  const auto columns = [&] {
    switch (survey.kind) {
      case QuestionKind::triplet:
        return "anchor,near,far";
      case QuestionKind::quadruplet:
        return "i,j,k,l";
      case QuestionKind::odd_one_out:
        return "a,b,odd";
      case QuestionKind::most_central:
        return "central,other1,other2";
    }
    return "";
  };
  return std::string(columns()) + (survey.participants > 0 ? ",participant\n" : "\n");
}

/// Makes the rows of answers [first, first + count) and returns how many bytes they are. `items` is
/// room for the items.
std::size_t write_rows(const SimulatedAnswers& answers, const NumberText& numbers,
                       std::uint64_t first, std::uint64_t count, std::vector<ItemId>& items,
                       std::vector<char>& text) {
  const std::size_t width = items_in(answers.survey().kind);
  const bool participants = answers.survey().participants > 0;
  answers.fill(first, count, items.data());
  char* to = text.data();
  for (std::uint64_t row = 0; row < count; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      to = numbers.put(to, items[row * width + column]);
      *to++ = ',';
    }
    if (participants) {
      *to++ = 'p';
      to = numbers.put(to, answers.participant(first + row) + 1) + 1;
    }
    to[-1] = '\n';
  }
  return static_cast<std::size_t>(to - text.data());
}

/// Lets threads write one after the other, in the order of their turns.
class Turns {
 public:
  /// Waits for a turn and takes it; false if someone gave up.
  bool begin(std::uint64_t turn) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return given_up_ || next_ == turn; });
    return !given_up_;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ++next_;
    changed_.notify_all();
  }
  void give_up() {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t next_ = 0;
  bool given_up_ = false;
};

}  // namespace

void write_answers(const SimulatedAnswers& answers, OutputFile& file, Run& run) {
  const std::uint64_t total = answers.survey().answers;
  const std::uint64_t chunks = (total - 1) / answers_at_once + 1;
  const std::size_t width = items_in(answers.survey().kind);
  const NumberText numbers;
  file.write(header_of(answers.survey()));
  Turns turns;
  std::atomic<std::uint64_t> next_chunk = 0;
  const auto work = [&] {
    std::vector<ItemId> items(answers_at_once * width);
    std::vector<char> text(answers_at_once * (width + 1) * (longest_number + 1));
    while (true) {
      const std::uint64_t chunk = next_chunk.fetch_add(1);
      if (chunk >= chunks) return;
      const std::uint64_t first = chunk * answers_at_once;
      const std::uint64_t count = std::min(answers_at_once, total - first);
      const std::size_t used = write_rows(answers, numbers, first, count, items, text);
      if (!turns.begin(chunk)) return;
      file.write({text.data(), used});
      run.say(fmt::format("simulating, {:.1f} million answers",
                          static_cast<double>(first + count) / 1e6),
              {first + count, total});
      turns.end();
    }
  };
  run.workers(
      static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(run.threads()), chunks)),
      [&](int) {
        try {
          work();
        } catch (...) {
          turns.give_up();
          throw;
        }
      });
}

void write_truth(const SimulatedAnswers& answers, OutputFile& file) {
  std::string text = "item,cluster\n";
  for (std::size_t item = 0; item < answers.labels().size(); ++item) {
    text += fmt::format("{},{}\n", item, answers.labels()[item] + 1);
    if (text.size() > answers_at_once) {
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

Simulation::Simulation(const PlantedModel& model, const Survey& survey)
    : answers_(std::make_shared<const SimulatedAnswers>(model, survey)) {}

Simulation::Simulation(Points points, const Survey& survey)
    : answers_(std::make_shared<const SimulatedAnswers>(std::move(points), survey)) {}

const Survey& Simulation::survey() const { return answers_->survey(); }

std::uint64_t Simulation::items() const { return answers_->items(); }

const std::vector<std::int32_t>& Simulation::labels() const { return answers_->labels(); }

void Simulation::fill(std::uint64_t first, std::uint64_t count, ItemId* items) const {
  answers_->fill(first, count, items);
}

void write_simulation(const Simulation& simulation, const SimulationFiles& files, Run& run) {
  if (files.answers == "-" && files.truth == "-") {
    throw InputError({{}, "-o - with --truth -", "one of them on standard output", ""});
  }
  // Both appear, or neither if the other cannot be written.
  OutputFile answers(files.answers);
  std::optional<OutputFile> truth;
  if (!files.truth.empty()) truth.emplace(files.truth);
  write_answers(simulation.details(), answers, run);
  std::vector<OutputFile*> together;
  if (truth) {
    write_truth(simulation.details(), *truth);
    together.push_back(&*truth);
  }
  together.push_back(&answers);
  commit_together(together);
}

}  // namespace tertium
