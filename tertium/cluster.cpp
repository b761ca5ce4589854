#include "tertium/cluster.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "tertium/core/clock.hpp"
#include "tertium/core/error.hpp"
#include "tertium/partition/consensus.hpp"
#include "tertium/partition/local_search.hpp"
#include "tertium/planning/answer_need.hpp"
#include "tertium/selection/choice_doubts.hpp"
#include "tertium/similarity/linked.hpp"

namespace tertium {
namespace {

/// Of k-means, when no certificate says that the first partition found is the best.
constexpr int patient_restarts = 20;
/// Iterations of the dense program: with many items each takes minutes, and the bound of the start
/// must do.
constexpr std::size_t most_items_solved = 1500;
constexpr std::size_t most_items_improved = 3000;
constexpr int few_iterations = 60;

[[noreturn]] void refuse(std::string found, std::string expected, std::string remedy = "") {
  throw InputError({{}, std::move(found), std::move(expected), std::move(remedy)});
}

void check_number(int clusters, std::size_t items, std::size_t left_out) {
  if (clusters >= 1 && static_cast<std::size_t>(clusters) <= items) return;
  const std::string others =
      left_out == 0 ? "" : fmt::format(" (the {} that answers link with each other)", items);
  refuse(fmt::format("{} clusters", clusters), fmt::format("1 to {} clusters{}", items, others),
         "Give another number with --clusters");
}

class Walk {
 public:
  Walk(const LoadedSimilarity& loaded, const ClusterOptions& options)
      : loaded_(loaded), options_(options) {}

  Clustering run() {
    const Clock clock;
    keep_linked_items();
    check_count();
    if (loaded_.answers && !options_.quick) list_answers();
    test_for_structure();
    choose_number();
    predict_with_choice();
    find_partition();
    describe_clusters();
    measure_confidence();
    estimate_need();
    result_.seconds = clock.seconds();
    return std::move(result_);
  }

 private:
  void keep_linked_items() {
    const LinkedItems linked = linked_items(loaded_.similarity);
    if (linked.main.size() < 2) {
      refuse("no two items that answers link",
             "answers about at least two items that do not "
             "cancel each other");
    }
    for (const auto& rest : linked.rest) {
      result_.left_out.push_back({rest.item, rest.group_size - 1});
    }
    result_.clustered = linked.main;
    if (!linked.rest.empty()) {
      similarity_ = restricted(loaded_.similarity, linked.main);
      result_.warnings.push_back(fmt::format(
          "{} of {} items have no cluster: no chain of answers links them with the others",
          linked.rest.size(), loaded_.similarity.size()));
    }
    rows_.emplace(similarity(), options_.threads);
  }

  [[nodiscard]] const SimilarityMatrix& similarity() const {
    return similarity_ ? *similarity_ : loaded_.similarity;
  }

  void check_count() const {
    const std::size_t items = similarity().size();
    const std::size_t left_out = result_.left_out.size();
    if (const auto* clusters = std::get_if<Clusters>(&options_.count)) {
      check_number(clusters->count, items, left_out);
    } else if (const auto* range = std::get_if<ClusterRange>(&options_.count)) {
      check_number(range->fewest, items, left_out);
      check_number(range->most, items, left_out);
      if (range->fewest < 2 || range->fewest > range->most) {
        refuse(fmt::format("{} to {} clusters", range->fewest, range->most),
               "a range of at least 2 clusters, the smaller number first");
      }
    } else if (similarity().comparisons == 0) {
      refuse("a similarity that does not say how many comparisons it comes from",
             "answers, to find the number of clusters from",
             "Give --clusters K or a range such as --clusters 2-6");
    } else if (std::get<ChooseBy>(options_.count) == ChooseBy::heldout &&
               (!loaded_.answers || options_.quick)) {
      refuse("sums, which do not remember the answers", "answers, to hold some out",
             "Give the files of answers, and leave out --quick; or --clusters K");
    }
  }

  void list_answers() {
    say("sorting the answers");
    std::vector<std::uint32_t> row_of = loaded_.answers->row_of;
    if (similarity_) {
      std::vector<std::uint32_t> kept(loaded_.similarity.size(), no_row);
      for (std::uint32_t row = 0; row < result_.clustered.size(); ++row) {
        kept[result_.clustered[row]] = row;
      }
      for (auto& row : row_of) row = row == no_row ? no_row : kept[row];
    }
    list_ = list_comparisons(loaded_.answers->answers, row_of, similarity().size());
  }

  void test_for_structure() {
    if (!list_) return;
    NullTestOptions test;
    test.seed = options_.seed;
    test.threads = options_.threads;
    test.progress = stage("testing for structure");
    result_.null_test = null_test(*list_, test);
    if (finds_structure()) return;
    result_.warnings.push_back(fmt::format(
        "the answers look like coin tosses (p = {:.3f}): there is no sign of any structure",
        result_.null_test->p_value));
  }

  [[nodiscard]] bool finds_structure() const {
    return !result_.null_test || result_.null_test->p_value <= significance;
  }

  void choose_number() {
    if (const auto* given = std::get_if<Clusters>(&options_.count)) {
      result_.clusters = given->count;
      hold_out(given->count, given->count);
      return;
    }
    if (const auto* range = std::get_if<ClusterRange>(&options_.count)) {
      hold_out(range->fewest, range->most);
      run_spur(*range, ChooseBy::spur);
      return;
    }
    hold_out(1, 0);
    const auto by = std::get<ChooseBy>(options_.count);
    if (by == ChooseBy::heldout) {
      result_.clusters = result_.heldout->clusters;
    } else if (!finds_structure()) {
      result_.clusters = 1;
    } else {
      run_spur(std::nullopt, by);
    }
  }

  void hold_out(int least, int most) {
    if (list_) result_.heldout = heldout_between(least, most);
  }

  /// The curve may have ended before the number that was chosen.
  void predict_with_choice() {
    if (!result_.heldout || result_.heldout_point() != nullptr) return;
    const HeldoutCurve further = heldout_between(result_.clusters, result_.clusters);
    result_.heldout->points.push_back(further.points.front());
  }

  HeldoutCurve heldout_between(int least, int most) {
    HeldoutOptions heldout;
    heldout.least = least;
    heldout.most = most;
    heldout.seed = options_.seed;
    heldout.threads = options_.threads;
    heldout.progress = stage("predicting held-out answers");
    return heldout_curve(*list_, heldout);
  }

  void run_spur(std::optional<ClusterRange> range, ChooseBy by) {
    SpurOptions spur;
    spur.certificates = options_.method == ClusterMethod::automatic;
    spur.choice_only = options_.quick;
    spur.tolerance = options_.tolerance;
    spur.range = range;
    spur.seed = options_.seed;
    spur.threads = options_.threads;
    spur.progress = options_.progress;
    if (by == ChooseBy::automatic && spur.certificates &&
        similarity().size() > options_.most_items_for_spur) {
      result_.spur = choose_by_certificate(similarity(), spur);
      if (!result_.spur) return choose_by_heldout_instead();
    } else {
      result_.spur = by == ChooseBy::lambda_grid ? choose_by_lambda_grid(similarity(), spur)
                                                 : choose_by_spur(similarity(), spur);
    }
    result_.clusters = result_.spur->clusters;
    const HeldoutCurve* heldout = result_.heldout ? &*result_.heldout : nullptr;
    for (std::string& doubt : doubts_about_choice(*result_.spur, heldout)) {
      result_.warnings.push_back(std::move(doubt));
    }
  }

  void choose_by_heldout_instead() {
    const std::size_t items = similarity().size();
    if (!result_.heldout) {
      refuse(fmt::format("{} items and no certificate", items),
             fmt::format("up to {} items for SPUR, or answers to hold some out",
                         options_.most_items_for_spur),
             "Give the files of answers, and leave out --quick; or --clusters K; or --clusters "
             "spur, which may take hours");
    }
    result_.heldout_instead = true;
    result_.clusters = result_.heldout->clusters;
    result_.warnings.push_back(
        fmt::format("held-out answers chose the number of clusters: SPUR's programs of {} items "
                    "would take hours (--clusters spur solves them)",
                    items));
  }

  void find_partition() {
    say(fmt::format("{} clusters", result_.clusters));
    std::optional<SdpResult> solved = solve();
    const double bound = solved->upper_bound;
    if (options_.method == ClusterMethod::paper) {
      labels_ = result_.clusters == 1 ? Labels(similarity().size(), 0)
                                      : round_point(solved->point, result_.clusters, rounding());
    } else {
      labels_ = best_partition(*solved);
      certify_partition(*solved);
      if (result_.certificate->verdict != Verdict::optimal) take_consensus(*solved);
    }
    result_.objective = partition_value(*rows_, labels_);
    if (std::isfinite(bound)) {
      result_.upper_bound = std::max(bound, result_.objective);
      const double open = *result_.upper_bound - result_.objective;
      result_.gap = open == 0 ? 0 : open / std::abs(result_.objective);
    }
  }

  [[nodiscard]] RoundingOptions rounding() const {
    RoundingOptions rounding;
    rounding.rounding = options_.rounding;
    rounding.seed = options_.seed;
    return rounding;
  }

  /// SDP-k of the chosen number: that of SPUR if it solved the same program.
  SdpResult solve() {
    const bool same_program = result_.spur && result_.spur->best &&
                              !result_.spur->steps.front().lambda &&
                              result_.spur->best->distance <= options_.tolerance;
    if (same_program) return *result_.spur->best;
    const bool automatic = options_.method == ClusterMethod::automatic;
    SdpOptions sdp;
    sdp.goal = automatic ? SdpGoal::spectrum : SdpGoal::gap;
    sdp.tolerance = options_.tolerance;
    sdp.search_partition = automatic;
    if (similarity().size() > most_items_solved) sdp.most_iterations = few_iterations;
    if (similarity().size() > most_items_improved) sdp.most_iterations = 1;
    sdp.seed = options_.seed;
    sdp.threads = options_.threads;
    sdp.progress = [&](const SdpProgress& state) {
      say(fmt::format("{} clusters, {}", result_.clusters, in_words(state)),
          progress_to(sdp.tolerance, state));
      return true;
    };
    return solve_sdp(similarity(), Clusters{result_.clusters}, sdp);
  }

  /// The partition with the largest f: of the search, of a longer one, of X rounded and improved.
  Labels best_partition(const SdpResult& solved) {
    if (solved.status == SdpStatus::certified || result_.clusters == 1) {
      return solved.partition->labels;
    }
    SearchOptions search;
    search.seed = options_.seed;
    search.restarts = patient_restarts;
    search.keep_going = going("searching partitions");
    FoundPartition best = search_partition(*rows_, result_.clusters, search);
    const auto take_better = [&](const Labels& labels) {
      const double value = partition_value(*rows_, labels);
      if (value > best.value) best = {labels, result_.clusters, value};
    };
    take_better(solved.partition->labels);
    ClusterSums sums(*rows_, round_point(solved.point, result_.clusters, rounding()),
                     result_.clusters);
    improve(sums, *rows_, {std::nullopt, options_.seed});
    take_better(in_order_of_size(sums.labels()));
    return best.labels;
  }

  void certify_partition(const SdpResult& solved) {
    if (solved.status == SdpStatus::certified) {
      result_.certificate = solved.certificate;
      return;
    }
    CertifyOptions certifying;
    certifying.seed = options_.seed;
    certifying.keep_going = going("certifying the partition");
    result_.certificate = certify(*rows_, labels_, certifying);
    constexpr double clearly_better = 1e-9;
    const double value = partition_value(*rows_, labels_);
    if (solved.objective > value + clearly_better * std::abs(value)) {
      result_.certificate->verdict = Verdict::not_optimal;
      result_.certificate->level = Evidence::proved;
    }
  }

  /// Without a proof the best partition may owe its lead to noise. The consensus of those nearly as
  /// good takes its place unless it loses a cluster or falls behind the plain rounding of X.
  void take_consensus(const SdpResult& solved) {
    ConsensusOptions options;
    options.likelihood_of_value =
        likelihood_of_value(similarity(), ClusterSums(*rows_, labels_, result_.clusters));
    if (options.likelihood_of_value <= 0 || result_.clusters == 1) return;
    options.seed = options_.seed;
    options.progress = stage("comparing the best partitions");
    const Labels found = consensus_partition(*rows_, labels_, result_.clusters, options);
    const double best = partition_value(*rows_, labels_);
    ConsensusMoves consensus;
    for (std::size_t i = 0; i < found.size(); ++i) consensus.moved += found[i] != labels_[i];
    consensus.best_objective = best;
    Labels ordered = in_order_of_size(found);
    if (consensus.moved == 0 || count_clusters(ordered) < result_.clusters) return;
    const double value = partition_value(*rows_, ordered);
    const Labels rounded = round_point(solved.point, result_.clusters, rounding());
    if (value < partition_value(*rows_, rounded)) return;
    labels_ = std::move(ordered);
    if (value >= best) {
      certify_partition(solved);
      return;
    }
    result_.consensus = consensus;
    result_.certificate->verdict = Verdict::not_optimal;
    result_.certificate->level = Evidence::proved;
  }

  /// Labels of all items, and the members of every cluster in order of their mean similarity to it.
  void describe_clusters() {
    const std::size_t items = labels_.size();
    result_.labels.assign(loaded_.similarity.size(), -1);
    const ClusterSums sums(*rows_, labels_, result_.clusters);
    result_.members.resize(static_cast<std::size_t>(result_.clusters));
    for (std::uint32_t row = 0; row < items; ++row) {
      result_.labels[result_.clustered[row]] = labels_[row];
      result_.members[static_cast<std::size_t>(labels_[row])].push_back(row);
    }
    for (auto& members : result_.members) {
      std::stable_sort(members.begin(), members.end(), [&](std::uint32_t a, std::uint32_t b) {
        return sums.to_cluster(a, labels_[a]) > sums.to_cluster(b, labels_[b]);
      });
      for (auto& member : members) member = result_.clustered[member];
    }
  }

  void measure_confidence() {
    if (!list_ || result_.clusters < 2) return;
    BootstrapOptions bootstrap_options;
    bootstrap_options.resamples = options_.resamples;
    bootstrap_options.seed = options_.seed;
    bootstrap_options.threads = options_.threads;
    bootstrap_options.progress = stage("resampling the answers");
    result_.bootstrap = bootstrap(*list_, labels_, bootstrap_options);
  }

  void estimate_need() {
    if (!list_ || result_.clusters < 2) return;
    result_.need = answer_need(similarity(), *list_, labels_, result_.certificate);
  }

  void say(const std::string& what, const ProgressUpdate& update = {}) {
    if (!options_.progress) return;
    const std::lock_guard lock(mutex_);
    if (!options_.progress(what, update)) throw Cancelled();
  }

  Progress stage(std::string name) {
    return [this, name = std::move(name)](const ProgressUpdate& update) {
      say(name, update);
      return true;
    };
  }

  std::function<bool()> going(std::string what) {
    return [this, what = std::move(what)] {
      say(what);
      return true;
    };
  }

  const LoadedSimilarity& loaded_;
  const ClusterOptions& options_;
  Clustering result_;
  std::optional<SimilarityMatrix> similarity_;  // of the linked items, if some are left out
  std::optional<SymmetricRows> rows_;
  std::optional<ComparisonList> list_;
  Labels labels_;  // of the linked items
  std::mutex mutex_;
};

}  // namespace

const HeldoutPoint* Clustering::heldout_point() const {
  if (!heldout) return nullptr;
  const auto found = std::find_if(heldout->points.begin(), heldout->points.end(),
                                  [&](const auto& point) { return point.clusters == clusters; });
  return found == heldout->points.end() ? nullptr : &*found;
}

Clustering cluster(const LoadedSimilarity& loaded, const ClusterOptions& options) {
  return Walk(loaded, options).run();
}

}  // namespace tertium
