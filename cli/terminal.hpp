#pragma once

#include <string>
#include <string_view>

#include "tertium/core/progress.hpp"

namespace tertium::cli {

/// Shows a progress line on standard error while it lives, if that is a terminal and the work takes
/// longer than a moment, and turns Ctrl-C into a clean stop.
class ProgressLine {
 public:
  explicit ProgressLine(std::string title);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows a text now and then, with a bar if the total is known; false if the user asked to stop.
  bool show(const std::string& text, const ProgressUpdate& state = {});

  /// To hand to the library where it reads bytes.
  [[nodiscard]] Progress callback();

 private:
  bool update(const ProgressUpdate& update);

  std::string title_;
  bool terminal_;
  bool shown_ = false;
  double started_;
  double last_ = 0;
};

}  // namespace tertium::cli
