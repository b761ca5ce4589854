#include "tertium/cluster/number_choice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tertium/error.hpp"
#include "tertium/selection/choice_doubts.hpp"
#include "tertium/selection/spur.hpp"

namespace tertium::internal {
namespace {

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

bool finds_structure(const Clustering& result) {
  return !result.null_test || result.null_test->p_value <= significance;
}

HeldoutCurve heldout_between(const NumberChoice& choice, int least, int most) {
  HeldoutOptions heldout;
  heldout.least = least;
  heldout.most = most;
  return heldout_curve(*choice.list, choice.refitting, heldout, choice.problem.run());
}

void hold_out(const NumberChoice& choice, Clustering& result, int least, int most) {
  if (choice.list != nullptr) result.heldout = heldout_between(choice, least, most);
}

/// With a method that takes long, held-out answers are asked only about numbers of clusters that
/// SPUR has looked at.
void hold_out_around(const NumberChoice& choice, Clustering& result) {
  if (choice.list == nullptr || result.heldout) return;
  int least = result.clusters;
  int most = result.clusters;
  if (result.spur) {
    for (const SpurStep& step : result.spur->steps) {
      least = std::min(least, step.clusters);
      most = std::max(most, step.clusters);
    }
  }
  hold_out(choice, result, least, most);
}

void run_spur(const NumberChoice& choice, Clustering& result, std::optional<ClusterRange> range,
              ChooseBy by) {
  const ClusterOptions& options = choice.options;
  SpurOptions spur;
  spur.choice_only = options.quick;
  spur.range = range;
  const auto items = static_cast<std::size_t>(choice.problem.items());
  if (by == ChooseBy::automatic && choice.problem.method().certificates &&
      items > options.most_items_for_spur) {
    result.spur = choose_by_certificate(choice.problem, spur);
  } else {
    result.spur = by == ChooseBy::lambda_grid ? choose_by_lambda_grid(choice.problem, spur)
                                              : choose_by_spur(choice.problem, spur);
  }
  if (result.spur) result.clusters = result.spur->clusters;
}

void choose_by_heldout_instead(const NumberChoice& choice, Clustering& result) {
  const int items = choice.problem.items();
  if (!result.heldout) {
    refuse(fmt::format("{} items and no certificate", items),
           fmt::format("up to {} items for SPUR, or answers to hold some out",
                       choice.options.most_items_for_spur),
           "Give the files of answers, and leave out --quick; or --clusters K; or --clusters "
           "spur, which may take hours");
  }
  result.heldout_instead = true;
  result.clusters = result.heldout->clusters;
  result.warnings.push_back(
      fmt::format("held-out answers chose the number of clusters: SPUR's programs of {} items "
                  "would take hours (--clusters spur solves them)",
                  items));
}

void choose_automatically(const NumberChoice& choice, ChooseBy by, Clustering& result) {
  const bool slow = choice.problem.method().slow;
  if (!slow || by == ChooseBy::heldout) hold_out(choice, result, 1, 0);
  if (by == ChooseBy::heldout) {
    result.clusters = result.heldout->clusters;
  } else if (!finds_structure(result)) {
    result.clusters = 1;
  } else {
    run_spur(choice, result, std::nullopt, by);
    if (!result.spur) choose_by_heldout_instead(choice, result);
  }
}

/// The curve may have ended before the number that was chosen.
void predict_with_choice(const NumberChoice& choice, Clustering& result) {
  hold_out_around(choice, result);
  if (!result.heldout || result.heldout_point() != nullptr) return;
  const HeldoutCurve further = heldout_between(choice, result.clusters, result.clusters);
  result.heldout->points.push_back(further.points.front());
}

}  // namespace

void check_count(const ClusterOptions& options, const SimilarityMatrix& similarity,
                 std::size_t left_out, bool has_answers) {
  const std::size_t items = similarity.size();
  if (const auto* clusters = std::get_if<Clusters>(&options.count)) {
    check_number(clusters->count, items, left_out);
  } else if (const auto* range = std::get_if<ClusterRange>(&options.count)) {
    check_number(range->fewest, items, left_out);
    check_number(range->most, items, left_out);
    if (range->fewest < 2 || range->fewest > range->most) {
      refuse(fmt::format("{} to {} clusters", range->fewest, range->most),
             "a range of at least 2 clusters, the smaller number first");
    }
  } else if (similarity.rule == from_points) {
    refuse(fmt::format("--clusters {} for points", to_string(options.count)),
           "a number, or a range of them: what else chooses one needs answers",
           "Give --clusters K or a range such as --clusters 2-6");
  } else if (similarity.comparisons == 0) {
    refuse("a similarity that does not say how many comparisons it comes from",
           "answers, to find the number of clusters from",
           "Give --clusters K or a range such as --clusters 2-6");
  } else if (std::get<ChooseBy>(options.count) == ChooseBy::heldout && !has_answers) {
    refuse("sums, which do not remember the answers", "answers, to hold some out",
           "Give the files of answers (in the library with keep_answers), and leave out --quick; "
           "or --clusters K");
  }
}

void choose_number(const NumberChoice& choice, Clustering& result) {
  const ClusterOptions& options = choice.options;
  if (const auto* given = std::get_if<Clusters>(&options.count)) {
    result.clusters = given->count;
  } else if (const auto* range = std::get_if<ClusterRange>(&options.count)) {
    if (!choice.problem.method().slow) hold_out(choice, result, range->fewest, range->most);
    run_spur(choice, result, *range, ChooseBy::spur);
  } else {
    choose_automatically(choice, std::get<ChooseBy>(options.count), result);
  }
  predict_with_choice(choice, result);
  if (!result.spur) return;
  const HeldoutCurve* heldout = result.heldout ? &*result.heldout : nullptr;
  for (std::string& doubt : doubts_about_choice(*result.spur, heldout)) {
    result.warnings.push_back(std::move(doubt));
  }
}

}  // namespace tertium::internal
