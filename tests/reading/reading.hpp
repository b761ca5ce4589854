#pragma once

#include <array>
#include <string>
#include <vector>

#include "tertium/answers/stored_answers.hpp"
#include "tertium/read.hpp"
#include "tests/temporary_file.hpp"

namespace tertium::internal {

/// Answers of one file with items by name, for comparison with what a person reads in it.
struct NamedAnswers {
  std::vector<std::vector<std::string>> answers;  // kind, then the items in the order of Answer
  std::vector<double> weights;
  std::vector<std::string> participants;
  std::vector<int> positions;
  std::vector<std::uint32_t> screens;
  std::vector<std::string> items;
  ReadReport report;
};

inline NamedAnswers read_named(const std::vector<std::string>& files, const ReadOptions& options) {
  StoredAnswers stored;
  AnswerSink* sink = &stored;
  NamedAnswers result;
  std::vector<InputFile> inputs = expand_inputs({files.begin(), files.end()});
  Run run;
  result.report = read_answers(inputs, options, {&sink, 1}, run);
  for (const Answer& answer : stored.answers()) {
    std::vector<std::string> named{std::string(to_string(answer.kind))};
    for (std::size_t i = 0; i < items_in(answer.kind); ++i) {
      named.push_back(stored.items.name(answer.items[i]));
    }
    result.answers.push_back(named);
    result.weights.push_back(static_cast<double>(answer.weight) / 1e6);
    result.participants.push_back(
        answer.participant == 0 ? "" : stored.participants.name(answer.participant - 1));
    result.positions.push_back(answer.position);
    result.screens.push_back(answer.screen);
  }
  result.items = stored.items.names();
  return result;
}

/// Reads a file with this content.
inline NamedAnswers read_text(const std::string& content, const ReadOptions& options = {},
                              const std::string& name = "answers.csv") {
  const TemporaryFolder folder;
  return read_named({folder.file(name, content)}, options);
}

/// The message of the InputError that reading gives; "" if there is none.
inline std::string refusal(const std::string& content, const ReadOptions& options = {},
                           const std::string& name = "answers.csv") {
  try {
    read_text(content, options, name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

using Named = std::vector<std::vector<std::string>>;

}  // namespace tertium::internal
