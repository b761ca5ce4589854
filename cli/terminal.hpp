#pragma once

#include <string>

#include "tertium/run.hpp"

namespace tertium::cli {

/// Shows a progress line on standard error while it lives, if that is a terminal and the work takes
/// longer than a moment, and turns Ctrl-C into a clean stop, or the early end of what may end
/// early. If quiet, it only does the latter.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows a text now and then, with a bar if the total is known; false if the user asked to stop.
  bool show(const std::string& text, const ProgressUpdate& state);
  /// Removes what is shown, so that something else can be printed.
  void clear();

 private:
  bool quiet_;
  bool visible_;
  bool shown_ = false;
  bool ended_early_ = false;  // as the user wanted; what follows goes on
  double started_;
  double last_ = 0;
};

/// What a command is run with: its threads, its seed, and a line that tells how far it is.
RunOptions run_options(ProgressLine& line, int threads, std::uint64_t seed = 1);

}  // namespace tertium::cli
