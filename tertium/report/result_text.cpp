#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tertium/core/utf8.hpp"
#include "tertium/report.hpp"
#include "tertium/report/sdp_report.hpp"
#include "tertium/selection/spur.hpp"
#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::internal {
namespace {

constexpr std::size_t typical_shown = 6;
constexpr std::size_t widest_list = 90;  // characters
constexpr std::size_t left_out_shown = 10;
constexpr std::size_t clusters_shown = 30;
constexpr int rows_beyond = 2;  // of the held-out curve, after its choice

/// A number with as many digits as a reader needs.
std::string count_in_words(double count) {
  if (count < 1e6) return fmt::format("{:.0f}", count);
  return fmt::format("{:.3g} million", count / 1e6);
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

/// A proof that needs so many times the answers is not a matter of noise.
constexpr double hopeless = 20;

class Summary {
 public:
  Summary(const ResultView& view, bool colour) : view_(view), colour_(colour) {}

  std::string text() {
    describe_input();
    describe_structure();
    describe_choice();
    describe_value();
    describe_confidence();
    describe_need();
    describe_truth();
    text_ += "\n";
    describe_clusters();
    describe_left_out();
    for (const std::string& warning : view_.warnings) {
      text_ += fmt::format("\n{} {}\n", marked("warning:"), escaped(warning));
    }
    return text_;
  }

 private:
  [[nodiscard]] std::string marked(const std::string& words) const {
    return colour_ ? fmt::format("\033[1m{}\033[0m", words) : words;
  }

  /// What is told of the input may hold anything; the only escape codes are our own.
  void line(const std::string& title, const std::string& told) {
    const std::string words = escaped(told);
    text_ +=
        title.empty()
            ? fmt::format("{:<18}{}\n", "", words)
            : fmt::format("{}{}{}\n", marked(title),
                          std::string(18 - std::min<std::size_t>(17, title.size()), ' '), words);
  }

  void describe_input() {
    const char* kind = view_.quadruplets ? "quadruplet" : "triplet";
    line("read", view_.similarity == precomputed
                     ? fmt::format("a similarity of {} items", view_.items.size())
                     : fmt::format("{} {}{} about {} items", view_.comparisons, kind,
                                   view_.comparisons == 1 ? "" : "s", view_.items.size()));
  }

  void describe_structure() {
    if (!view_.null_test) return;
    const ResultView::NullTest& test = *view_.null_test;
    const std::string found = test.p_value <= significance ? "yes" : "no sign of any";
    // The test looks at the sums of answers, whatever similarity is clustered.
    const char* of_sums = is_additive(view_.similarity) ? "" : " of the sums of answers";
    line("structure", fmt::format("{}: leading eigenvalue{} {:.4g}, with coin tosses for answers "
                                  "{:.4g} on average (p {} {:.3g})",
                                  found, of_sums, test.observed, test.null_mean,
                                  test.null_largest < test.observed ? "<=" : "=", test.p_value));
  }

  void describe_choice() {
    line("clusters", fmt::format("{}, {}", view_.k, view_.reason));
    const bool has_spur = !view_.spur.empty() && !view_.spur.front().lambda;
    const bool has_curve = view_.heldout && view_.heldout->curve.size() > 1;
    if (!has_spur && !has_curve) return;
    line("",
         fmt::format("{:>5}  {}{}", "k",
                     has_spur ? fmt::format("{:>8}{:>14}{:>14}", "theta", "<S,X>", "at most") : "",
                     has_curve ? fmt::format("{:>12}", "held-out") : ""));
    int first = view_.k;
    int last = view_.k;
    if (has_spur) {
      first = std::min(first, view_.spur.front().clusters);
      last = std::max(last, view_.spur.back().clusters);
    }
    if (has_curve) {
      const auto& curve = view_.heldout->curve;
      first = std::min(first, curve.front().clusters);
      last = std::max(last, std::min(curve.back().clusters, view_.heldout->k + rows_beyond));
    }
    for (int k = first; k <= last; ++k) {
      line("", fmt::format("{:>4}{} {}{}", k, k == view_.k ? "*" : " ",
                           has_spur ? spur_cells(k) : "", has_curve ? heldout_cell(k) : ""));
    }
    if (has_curve) {
      line("", "held-out: mean log-likelihood of answers kept aside; ln(1/2) = -0.6931 is chance");
    }
  }

  [[nodiscard]] std::string spur_cells(int k) const {
    const auto step = std::find_if(view_.spur.begin(), view_.spur.end(),
                                   [&](const ResultView::SpurStep& s) { return s.clusters == k; });
    if (step == view_.spur.end()) return fmt::format("{:>8}{:>14}{:>14}", "", "", "");
    std::string theta = "-";
    if (step->theta) {
      theta =
          step->rough ? fmt::format("~{:.2f}", *step->theta) : fmt::format("{:.4f}", *step->theta);
    }
    return fmt::format("{:>8}{:>14.6g}{:>14}", theta, step->objective,
                       step->upper_bound ? fmt::format("{:.6g}", *step->upper_bound) : "-");
  }

  [[nodiscard]] std::string heldout_cell(int k) const {
    for (const ResultView::HeldoutPoint& point : view_.heldout->curve) {
      if (point.clusters != k) continue;
      return fmt::format("{:>12.4f}{}", point.log_likelihood, k == view_.heldout->k ? "*" : "");
    }
    return "";
  }

  void describe_value() {
    if (view_.is_proved()) {
      line("value", fmt::format("{:.6g}, the largest possible", view_.objective));
    } else if (view_.upper_bound) {
      line("value", fmt::format("{:.6g}; no partition into {} clusters has more than {:.6g}",
                                view_.objective, view_.k, *view_.upper_bound));
    } else {
      line("value", fmt::format("{:.6g}", view_.objective));
    }
    if (view_.consensus) line("", consensus_in_words(*view_.consensus));
    if (view_.certificate) line("proof", proof_in_words());
    if (view_.proof && view_.proof->apart_within_tenth_percent > 0) {
      line("", fmt::format("{} of {} pairs in different groups are apart in every grouping that is "
                           "at most 0.1 % worse",
                           view_.proof->apart_within_tenth_percent, view_.proof->pairs_across));
    }
    describe_tree();
  }

  void describe_tree() {
    if (!view_.tree) return;
    const std::size_t merges = view_.tree->merges.merges.size();
    const std::string size = fmt::format("{} merge{}", merges, merges == 1 ? "" : "s");
    if (!view_.tree->revenue) {
      line("tree", size);
      return;
    }
    line("tree", fmt::format("{}, revenue {:.6g}: for each answer, how many more items lie under "
                             "the join of the pair that is less alike",
                             size, *view_.tree->revenue));
  }

  static std::string consensus_in_words(const ResultView::Consensus& consensus) {
    const char* plural = consensus.moved == 1 ? "" : "s";
    const char* them = consensus.moved == 1 ? "it" : "them";
    if (consensus.taken) {
      return fmt::format(
          "{} item{} moved from the best partition found ({:.6g}) to where most of "
          "those nearly as good have {}",
          consensus.moved, plural, consensus.best_objective, them);
    }
    return fmt::format("most of the partitions that are nearly as good have {} item{} elsewhere",
                       consensus.moved, plural);
  }

  /// "these 60 items into 5 groups", with the clusters as they are named elsewhere.
  [[nodiscard]] std::string groupings() const {
    const std::size_t items = view_.items.size() - view_.left_out.size();
    return fmt::format("these {} items into {} group{}", items, view_.k, view_.k == 1 ? "" : "s");
  }

  /// The value of a grouping counts answers that agree with it, or is one of another similarity.
  [[nodiscard]] bool is_about_answers() const { return is_additive(view_.similarity); }

  [[nodiscard]] std::string proof_in_words() const {
    const std::string none =
        fmt::format("no other grouping of {} {}", groupings(),
                    is_about_answers() ? "agrees better with the answers" : "has a larger value");
    if (view_.is_certified()) {
      return view_.certificate->level == Evidence::probabilistic
                 ? fmt::format("{}, but for a chance of {:g}", none,
                               view_.certificate->failure_probability)
                 : fmt::format("proved: {}", none);
    }
    if (view_.is_proved() && view_.proof->only_best) {
      return fmt::format(
          "proved: every other grouping of {} {}", groupings(),
          is_about_answers() ? "agrees less with the answers" : "has a smaller value");
    }
    if (view_.is_proved()) {
      return fmt::format("proved: {} (by more than {:g} %)", none, 100 * view_.proof->tolerance);
    }
    if (!view_.gap) return fmt::format("none: nothing is known about other groupings");
    return fmt::format("none: another grouping of {} may {}, by at most {:.2g} %{}", groupings(),
                       is_about_answers() ? "agree better with the answers" : "have a larger value",
                       100 * *view_.gap, view_.proof ? " (--proof 60 tries longer)" : "");
  }

  void describe_confidence() {
    if (view_.heldout && view_.heldout->accuracy) {
      line("prediction",
           fmt::format("{} of {} held-out answers that clusters can predict",
                       percent(*view_.heldout->accuracy), view_.heldout->predictable));
      if (view_.ceiling) {
        line("", fmt::format("(of all answers nothing can predict more than {}, as far as people "
                             "agree on repeated questions)",
                             percent(*view_.ceiling)));
      }
    }
    if (!view_.bootstrap) return;
    const ResultView::Confidence& confidence = *view_.bootstrap;
    line("confidence", fmt::format("{} on average over {} resamples of {}; {} item{} below 80 %",
                                   percent(confidence.mean), confidence.resamples,
                                   confidence.over_participants ? "participants" : "answers",
                                   confidence.below_80, confidence.below_80 == 1 ? "" : "s"));
  }

  void describe_need() {
    if (!view_.need) return;
    const ResultView::AnswerNeed& need = *view_.need;
    const bool proved = view_.is_proved();
    if (proved) {
      line("enough answers", "yes, for a proof");
    } else if (need.for_proof && *need.for_proof > hopeless * need.answers) {
      line("enough answers",
           "more answers alone will hardly bring a proof: the groups are not that clear-cut");
    } else if (need.for_proof) {
      line("enough answers",
           fmt::format("not for a proof: at this noise about {} comparisons would do, {} more",
                       count_in_words(*need.for_proof),
                       count_in_words(*need.for_proof - need.answers)));
    }
    const double missing = need.theorem - need.answers;
    line(proved || need.for_proof ? "" : "enough answers",
         fmt::format("signal {:.2f} (1: no noise, 0: all noise), for which Theorem 1 asks for "
                     "about {} comparisons, {}",
                     need.signal, count_in_words(need.theorem),
                     missing > 0 ? count_in_words(missing) + " more" : "fewer than there are"));
  }

  void describe_truth() {
    if (!view_.truth) return;
    line("truth",
         fmt::format("adjusted Rand index {:.4f} with {} known classes of {} items",
                     view_.truth->adjusted_rand, view_.truth->classes, view_.truth->items));
  }

  void describe_clusters() {
    const std::size_t shown = std::min(clusters_shown, view_.clusters.size());
    for (std::size_t c = 0; c < shown; ++c) {
      const ResultView::Cluster& cluster = view_.clusters[c];
      const std::size_t size = cluster.members.size();
      std::string words = fmt::format("{:>6} item{}", size, size == 1 ? " " : "s");
      if (cluster.confidence) words += fmt::format("  {:>5} sure", percent(*cluster.confidence));
      words += "  " + typical_names(cluster.members);
      line(fmt::format("cluster {}", c + 1), words);
    }
    if (shown < view_.clusters.size()) {
      line("", fmt::format("and {} clusters more", view_.clusters.size() - shown));
    }
  }

  /// The first members by name, as many as fit a line, without the folder that all names share.
  [[nodiscard]] std::string typical_names(const std::vector<std::string>& members) const {
    const std::size_t folder = shared_folder();
    std::vector<std::string> typical;
    std::size_t width = 0;
    for (const std::string& name : members) {
      std::string shown = printable(std::string_view(name).substr(folder));
      width += shown.size() + 2;
      if (!typical.empty() && (width > widest_list || typical.size() == typical_shown)) break;
      typical.push_back(std::move(shown));
    }
    return fmt::format("{}{}", fmt::join(typical, ", "),
                       typical.size() < members.size() ? ", ..." : "");
  }

  /// Length of the common start of all names, up to the last '/' in it.
  [[nodiscard]] std::size_t shared_folder() const {
    const auto& items = view_.items;
    std::size_t length = items.front().size();
    for (const std::string& other : items) {
      const auto ends =
          std::mismatch(other.begin(), other.end(), items.front().begin(), items.front().end());
      length = std::min(length, static_cast<std::size_t>(ends.first - other.begin()));
    }
    const auto slash = items.front().rfind('/', length);
    return slash == std::string::npos || slash >= length ? 0 : slash + 1;
  }

  void describe_left_out() {
    if (view_.left_out.empty()) return;
    std::vector<std::string> shown;
    for (const auto& [item, reason] : view_.left_out) {
      if (shown.size() == left_out_shown) break;
      shown.push_back(fmt::format("{} ({})", printable(item), reason));
    }
    line("no cluster", fmt::format("{:>6} item{}  {}{}", view_.left_out.size(),
                                   view_.left_out.size() == 1 ? " " : "s", fmt::join(shown, ", "),
                                   view_.left_out.size() > left_out_shown ? ", ..." : ""));
  }

  const ResultView& view_;
  bool colour_;
  std::string text_;
};

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string result_as_text(const ResultView& view, bool colour) {
  return Summary(view, colour).text();
}

}  // namespace tertium
