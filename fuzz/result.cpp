#include <string>
#include <string_view>

#include "fuzz/targets.hpp"
#include "tertium/report.hpp"

namespace tertium::fuzzing {

/// A result that was kept, and what is shown of it.
void read_result_file(std::string_view bytes) {
  const ResultView view = result_from_json(bytes, "result.json");
  const std::string text = result_as_json(view);
  promise(result_as_json(result_from_json(text, "result.json")) == text,
          "what is written reads back the same");
  result_as_text(view, false);
  labels_as_csv(view);
}

}  // namespace tertium::fuzzing
