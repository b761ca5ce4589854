#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tertium/answers/data_check.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/report/cluster_report.hpp"
#include "tertium/report/sdp_report.hpp"

namespace tertium {
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
  Summary(const ClusterReport& report, bool colour)
      : report_(report), clustering_(report.clustering), colour_(colour) {}

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
    for (const std::string& warning : clustering_.warnings) {
      text_ += fmt::format("\n{} {}\n", marked("warning:"), warning);
    }
    return text_;
  }

 private:
  [[nodiscard]] std::string marked(const std::string& words) const {
    return colour_ ? fmt::format("\033[1m{}\033[0m", words) : words;
  }

  void line(const std::string& title, const std::string& words) {
    text_ +=
        title.empty()
            ? fmt::format("{:<18}{}\n", "", words)
            : fmt::format("{}{}{}\n", marked(title),
                          std::string(18 - std::min<std::size_t>(17, title.size()), ' '), words);
  }

  [[nodiscard]] const std::string& name(std::uint32_t item) const {
    return report_.loaded.similarity.items[item];
  }

  void describe_input() {
    const SimilarityMatrix& similarity = report_.loaded.similarity;
    const char* kind = similarity.kind == SimilarityKind::adds4 ? "quadruplet" : "triplet";
    line("read", similarity.kind == SimilarityKind::precomputed
                     ? fmt::format("a similarity of {} items", similarity.size())
                     : fmt::format("{} {}{} about {} items", similarity.comparisons, kind,
                                   similarity.comparisons == 1 ? "" : "s", similarity.size()));
  }

  void describe_structure() {
    if (!clustering_.null_test) return;
    const NullTestResult& test = *clustering_.null_test;
    const std::string found = test.p_value <= significance ? "yes" : "no sign of any";
    line("structure", fmt::format("{}: leading eigenvalue {:.4g}, with coin tosses for answers "
                                  "{:.4g} on average (p {} {:.3g})",
                                  found, test.observed, test.null_mean,
                                  test.null_largest < test.observed ? "<=" : "=", test.p_value));
  }

  [[nodiscard]] std::string reason() const {
    if (std::holds_alternative<Clusters>(report_.options.count)) return "as asked for";
    if (std::holds_alternative<ChooseBy>(report_.options.count)) {
      const auto by = std::get<ChooseBy>(report_.options.count);
      if (by == ChooseBy::heldout || clustering_.heldout_instead) {
        return "chosen by held-out answers";
      }
      if (!clustering_.spur) return "since the answers show no structure";
      if (by == ChooseBy::lambda_grid) return "chosen by SPUR over lambda (largest theta)";
    }
    const auto& steps = clustering_.spur->steps;
    if (std::any_of(steps.begin(), steps.end(), [](const SpurStep& step) { return !step.theta; })) {
      return clustering_.spur->chosen()->certified
                 ? "chosen by SPUR: certified, so nothing had to be solved"
                 : "chosen by SPUR: theta is 1, and others cannot have more";
    }
    return "chosen by SPUR (largest theta)";
  }

  void describe_choice() {
    line("clusters", fmt::format("{}, {}", clustering_.clusters, reason()));
    const bool has_spur = clustering_.spur && !clustering_.spur->steps.front().lambda;
    const bool has_curve = clustering_.heldout && clustering_.heldout->points.size() > 1;
    if (!has_spur && !has_curve) return;
    line("",
         fmt::format("{:>5}  {}{}", "k",
                     has_spur ? fmt::format("{:>8}{:>14}{:>14}", "theta", "<S,X>", "at most") : "",
                     has_curve ? fmt::format("{:>12}", "held-out") : ""));
    int first = clustering_.clusters;
    int last = clustering_.clusters;
    if (has_spur) {
      first = std::min(first, clustering_.spur->steps.front().clusters);
      last = std::max(last, clustering_.spur->steps.back().clusters);
    }
    if (has_curve) {
      first = std::min(first, clustering_.heldout->points.front().clusters);
      last = std::max(last, std::min(clustering_.heldout->points.back().clusters,
                                     clustering_.heldout->clusters + rows_beyond));
    }
    for (int k = first; k <= last; ++k) {
      line("", fmt::format("{:>4}{} {}{}", k, k == clustering_.clusters ? "*" : " ",
                           has_spur ? spur_cells(k) : "", has_curve ? heldout_cell(k) : ""));
    }
    if (has_curve) {
      line("", "held-out: mean log-likelihood of answers kept aside; ln(1/2) = -0.6931 is chance");
    }
  }

  [[nodiscard]] std::string spur_cells(int k) const {
    const auto& steps = clustering_.spur->steps;
    const auto step = std::find_if(steps.begin(), steps.end(),
                                   [&](const SpurStep& s) { return s.clusters == k; });
    if (step == steps.end()) return fmt::format("{:>8}{:>14}{:>14}", "", "", "");
    std::string theta = "-";
    if (step->theta) {
      theta =
          step->rough ? fmt::format("~{:.2f}", *step->theta) : fmt::format("{:.4f}", *step->theta);
    }
    return fmt::format("{:>8}{:>14.6g}{:>14}", theta, step->objective,
                       step->upper_bound ? fmt::format("{:.6g}", *step->upper_bound) : "-");
  }

  [[nodiscard]] std::string heldout_cell(int k) const {
    for (const HeldoutPoint& point : clustering_.heldout->points) {
      if (point.clusters != k) continue;
      return fmt::format("{:>12.4f}{}", point.log_likelihood,
                         k == clustering_.heldout->clusters ? "*" : "");
    }
    return "";
  }

  void describe_value() {
    if (clustering_.certificate && clustering_.certificate->verdict == Verdict::optimal) {
      line("value", fmt::format("{:.6g}, the largest possible", clustering_.objective));
    } else if (clustering_.upper_bound) {
      line("value", fmt::format("{:.6g}; no partition into {} clusters has more than {:.6g} "
                                "(gap {:.2g} %)",
                                clustering_.objective, clustering_.clusters,
                                *clustering_.upper_bound, 100 * *clustering_.gap));
    } else {
      line("value", fmt::format("{:.6g}", clustering_.objective));
    }
    if (const auto& consensus = clustering_.consensus) {
      line("",
           fmt::format("{} item{} moved from the best partition found ({:.6g}) to where most of "
                       "those nearly as good have {}",
                       consensus->moved, consensus->moved == 1 ? "" : "s",
                       consensus->best_objective, consensus->moved == 1 ? "it" : "them"));
    }
    if (clustering_.certificate) line("certificate", verdict_in_words());
  }

  [[nodiscard]] std::string verdict_in_words() const {
    const Certificate& certificate = *clustering_.certificate;
    if (certificate.verdict == Verdict::optimal) {
      return certificate_in_words(certificate, clustering_.clusters);
    }
    if (!clustering_.gap) return "none: nothing is proved about other partitions";
    return fmt::format("none: another partition may be better, but by no more than the gap{}",
                       certificate.verdict == Verdict::not_optimal
                           ? " (the relaxed problem has a better solution)"
                           : "");
  }

  void describe_confidence() {
    if (const HeldoutPoint* point = clustering_.heldout_point();
        point != nullptr && point->predictable > 0) {
      const double right =
          static_cast<double>(point->right) / static_cast<double>(point->predictable);
      line("prediction", fmt::format("{} of {} held-out answers that clusters can predict",
                                     percent(right), point->predictable));
      if (const auto ceiling = ceiling_of(report_)) {
        line("", fmt::format("(of all answers nothing can predict more than {}, as far as people "
                             "agree on repeated questions)",
                             percent(*ceiling)));
      }
    }
    if (!clustering_.bootstrap) return;
    const BootstrapResult& result = *clustering_.bootstrap;
    double sum = 0;
    std::size_t doubtful = 0;
    for (const double c : result.confidence) {
      sum += c;
      doubtful += c < 0.8 ? 1 : 0;
    }
    line("confidence",
         fmt::format("{} on average over {} resamples of {}; {} item{} below 80 %",
                     percent(sum / static_cast<double>(result.confidence.size())), result.resamples,
                     result.over_participants ? "participants" : "answers", doubtful,
                     doubtful == 1 ? "" : "s"));
  }

  void describe_need() {
    if (!clustering_.need) return;
    const AnswerNeed& need = *clustering_.need;
    const bool proved =
        clustering_.certificate && clustering_.certificate->verdict == Verdict::optimal;
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
    if (!report_.truth) return;
    line("truth", fmt::format("adjusted Rand index {:.4f} with {} known classes of {} items",
                              report_.truth->adjusted_rand, report_.truth->clusters_b,
                              report_.truth->items));
  }

  void describe_clusters() {
    std::vector<double> confidence(report_.loaded.similarity.size(), 0);
    if (clustering_.bootstrap) {
      for (std::size_t row = 0; row < clustering_.clustered.size(); ++row) {
        confidence[clustering_.clustered[row]] = clustering_.bootstrap->confidence[row];
      }
    }
    const std::size_t shown = std::min(clusters_shown, clustering_.members.size());
    for (std::size_t c = 0; c < shown; ++c) {
      const auto& members = clustering_.members[c];
      std::string words =
          fmt::format("{:>6} item{}", members.size(), members.size() == 1 ? " " : "s");
      if (clustering_.bootstrap) {
        double sum = 0;
        for (const auto item : members) sum += confidence[item];
        words += fmt::format("  {:>5} sure", percent(sum / static_cast<double>(members.size())));
      }
      words += "  " + typical_names(members);
      line(fmt::format("cluster {}", c + 1), words);
    }
    if (shown < clustering_.members.size()) {
      line("", fmt::format("and {} clusters more", clustering_.members.size() - shown));
    }
  }

  /// The first members by name, as many as fit a line, without the folder that all names share.
  [[nodiscard]] std::string typical_names(const std::vector<std::uint32_t>& members) const {
    const std::size_t folder = shared_folder();
    std::vector<std::string> typical;
    std::size_t width = 0;
    for (const auto item : members) {
      std::string shown = printable(std::string_view(name(item)).substr(folder));
      width += shown.size() + 2;
      if (!typical.empty() && (width > widest_list || typical.size() == typical_shown)) break;
      typical.push_back(std::move(shown));
    }
    return fmt::format("{}{}", fmt::join(typical, ", "),
                       typical.size() < members.size() ? ", ..." : "");
  }

  /// Length of the common start of all names, up to the last '/' in it.
  [[nodiscard]] std::size_t shared_folder() const {
    const auto& items = report_.loaded.similarity.items;
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
    if (clustering_.left_out.empty()) return;
    std::vector<std::string> shown;
    for (const LeftOutItem& item : clustering_.left_out) {
      if (shown.size() == left_out_shown) break;
      shown.push_back(fmt::format("{} ({})", printable(name(item.item)), reason_in_words(item)));
    }
    line("no cluster",
         fmt::format("{:>6} item{}  {}{}", clustering_.left_out.size(),
                     clustering_.left_out.size() == 1 ? " " : "s", fmt::join(shown, ", "),
                     clustering_.left_out.size() > left_out_shown ? ", ..." : ""));
  }

  const ClusterReport& report_;
  const Clustering& clustering_;
  bool colour_;
  std::string text_;
};

}  // namespace

std::string clustering_as_text(const ClusterReport& report, bool colour) {
  return Summary(report, colour).text();
}

}  // namespace tertium
