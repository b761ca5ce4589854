#include "tertium/cluster/walk.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tertium/cluster/number_choice.hpp"
#include "tertium/cluster/proof_effort.hpp"
#include "tertium/cluster/result_view.hpp"
#include "tertium/core/clock.hpp"
#include "tertium/error.hpp"
#include "tertium/hierarchy/revenue.hpp"
#include "tertium/methods/method_table.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/planning/answer_need.hpp"
#include "tertium/similarity/linked.hpp"
#include "tertium/similarity/load.hpp"

namespace tertium::internal {
namespace {

/// The walk from a similarity to a clustering, stage by stage.
class Walk {
 public:
  Walk(const Method& method, const LoadedSimilarity& loaded, const ClusterOptions& options,
       Run& run)
      : method_(method), loaded_(loaded), options_(options), run_(run) {}

  Clustering go() {
    const Clock clock;
    keep_linked_items();
    check_count(options_, similarity(), result_.left_out.size(), has_answers());
    check_method();
    if (loaded_.answers && (!options_.quick || method_.needs_answers)) list_answers();
    Problem problem(
        similarity(), method_,
        {options_.tolerance, options_.rounding, exact_options(options_.proof), options_.dimensions},
        run_);
    if (method_.needs_answers) problem.set_answers({answers_, {}});
    const Refitting refitting{rule(), method_, problem.options()};
    test_for_structure();
    choose_number({problem, list_, refitting, options_}, result_);
    take_candidate(problem);
    describe_clusters(problem);
    measure_confidence(refitting);
    estimate_need();
    result_.seconds = clock.seconds();
    return std::move(result_);
  }

 private:
  void keep_linked_items() {
    const LinkedItems linked = linked_items(loaded_.similarity);
    if (linked.main.size() < 2) {
      throw InputError({{},
                        "no two items that answers link",
                        "answers about at least two items that do not cancel each other",
                        ""});
    }
    for (const auto& rest : linked.rest) {
      result_.left_out.push_back({rest.item, rest.group_size - 1});
    }
    result_.clustered = linked.main;
    if (linked.rest.empty()) return;
    similarity_ = restricted(loaded_.similarity, linked.main);
    const char* nothing = is_additive(loaded_.similarity.rule)
                              ? "no chain of answers that do not cancel links them"
                              : "no chain of pairs whose similarity is not 0 links them";
    result_.warnings.push_back(fmt::format("{} of {} items have no cluster: {} with the others",
                                           linked.rest.size(), loaded_.similarity.size(), nothing));
  }

  [[nodiscard]] const SimilarityMatrix& similarity() const {
    return similarity_ ? *similarity_ : loaded_.similarity;
  }
  [[nodiscard]] bool has_answers() const { return loaded_.answers && !options_.quick; }
  [[nodiscard]] const SimilarityRule& rule() const {
    return loaded_.answers ? *loaded_.answers->rule : default_rule(similarity().quadruplets);
  }

  void check_method() const {
    if (!method_.needs_answers || loaded_.answers) return;
    throw InputError(
        {{},
         fmt::format("--method {} for sums, which do not remember the answers", method_.name),
         "files of answers (in the library with keep_answers)",
         "Give the files of answers, or leave out --method"});
  }

  /// The answers about the linked items.
  void list_answers() {
    answers_ = &loaded_.answers->list;
    if (similarity_) keep_linked_answers();
    if (has_answers()) list_ = answers_;
  }

  void keep_linked_answers() {
    run_.say("sorting the answers");
    std::vector<std::uint32_t> row_of(loaded_.similarity.size(), no_row);
    for (std::uint32_t row = 0; row < result_.clustered.size(); ++row) {
      row_of[result_.clustered[row]] = row;
    }
    linked_list_ = with_rows(loaded_.answers->list, row_of, similarity().size(), run_);
    answers_ = &linked_list_;
  }

  void test_for_structure() {
    if (list_ == nullptr) return;
    result_.null_test = null_test(*list_, {}, run_);
    if (result_.null_test->p_value <= significance) return;
    result_.warnings.push_back(fmt::format(
        "the answers look like coin tosses (p = {:.3f}): there is no sign of any structure",
        result_.null_test->p_value));
  }

  void take_candidate(Problem& problem) {
    const Candidate& candidate = problem.candidate(result_.clusters);
    labels_ = candidate.labels;
    result_.objective = candidate.value;
    result_.certificate = candidate.certificate;
    result_.consensus = candidate.consensus;
    result_.proof = candidate.proof;
    take_tree(candidate);
    if (!candidate.upper_bound) {
      const std::string why =
          problem.has_room_for_program()
              ? fmt::format("the method {} has none", method_.name)
              : fmt::format("the program of {} items does not fit into the memory of this machine",
                            labels_.size());
      result_.warnings.push_back("no bound on what a better grouping could gain: " + why);
      return;
    }
    result_.upper_bound = std::max(*candidate.upper_bound, result_.objective);
    const double open = *result_.upper_bound - result_.objective;
    result_.gap = open == 0 ? 0 : open / std::abs(result_.objective);
  }

  void take_tree(const Candidate& candidate) {
    if (!candidate.tree) return;
    result_.tree = candidate.tree;
    if (is_additive(similarity().rule)) {
      result_.revenue = revenue(*result_.tree, similarity());
    } else if (answers_ != nullptr) {
      result_.revenue = revenue(*result_.tree, answers_->pattern);
    }
  }

  /// Labels of all items, and the members of every cluster in order of their mean similarity to it.
  void describe_clusters(const Problem& problem) {
    result_.labels.assign(loaded_.similarity.size(), -1);
    const ClusterSums sums(problem.map(), labels_, result_.clusters, run_);
    result_.members.resize(static_cast<std::size_t>(result_.clusters));
    for (std::uint32_t row = 0; row < labels_.size(); ++row) {
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

  void measure_confidence(const Refitting& refitting) {
    if (list_ == nullptr || result_.clusters < 2) return;
    result_.bootstrap = bootstrap(*list_, labels_, refitting, {options_.resamples}, run_);
  }

  void estimate_need() {
    // What is known about enough answers is about sums of them.
    if (list_ == nullptr || result_.clusters < 2 || !is_additive(similarity().rule)) return;
    result_.need = answer_need(similarity(), *list_, labels_, result_.certificate);
    if (result_.proof && result_.proof->closed) result_.need->for_proof.reset();
  }

  const Method& method_;
  const LoadedSimilarity& loaded_;
  const ClusterOptions& options_;
  Run& run_;
  Clustering result_;
  std::optional<SimilarityMatrix> similarity_;  // of the linked items, if some are left out
  const ComparisonList* answers_ = nullptr;     // about the linked items, if there are any
  const ComparisonList* list_ = nullptr;        // the same to go over again; null: not wanted
  ComparisonList linked_list_;                  // if some items are left out
  Labels labels_;                               // of the linked items
};

}  // namespace

const HeldoutPoint* Clustering::heldout_point() const {
  if (!heldout) return nullptr;
  const auto found = std::find_if(heldout->points.begin(), heldout->points.end(),
                                  [&](const auto& point) { return point.clusters == clusters; });
  return found == heldout->points.end() ? nullptr : &*found;
}

Clustering walk(const LoadedSimilarity& loaded, const ClusterOptions& options, Run& run) {
  validate(options);
  return walk_with(find_method(options.method), loaded, options, run);
}

Clustering walk_with(const Method& method, const LoadedSimilarity& loaded,
                     const ClusterOptions& options, Run& run) {
  return Walk(method, loaded, options, run).go();
}

namespace {

[[noreturn]] void refuse(const std::string& flag, const std::string& expected) {
  throw InputError({{}, flag, expected, ""});
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

void validate(const ClusterOptions& options) {
  if (options.resamples < 0) {
    refuse(fmt::format("--resamples {}", options.resamples), "a number, or 0 for enough of them");
  }
  if (options.dimensions < 1) {
    refuse(fmt::format("--dimensions {}", options.dimensions), "a number from 1");
  }
  if (!(options.tolerance > 0)) {
    refuse(fmt::format("--tolerance {}", options.tolerance), "a number above 0");
  }
  find_method(options.method);
}

ResultView cluster(const LoadedSimilarity& loaded, const ClusterOptions& options, Run& run) {
  validate(loaded.similarity);
  return view_of(walk(loaded, options, run), loaded, options, run.seed());
}

}  // namespace tertium
