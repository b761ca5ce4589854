#include "tertium/exact/best_partition.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "tertium/core/clock.hpp"
#include "tertium/exact/cut_splitting.hpp"
#include "tertium/exact/merged_items.hpp"
#include "tertium/exact/proved_cores.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/local_search.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Chosen on 56 programs of 26 to 100 items about people's answers, 2 to 8 clusters; not measured at
// half and double.

/// Steps between two bounds.
constexpr int steps_in_round = 25;
/// The root goes on beyond the work it may take if so many rounds in all would close it, should the
/// gap go on falling as it has since the first. Of ten planted sets of 700 and 1000 items, four are
/// closed so after 4 to 7 rounds, and one ends at 1.3e-6 of its value; the others stop where the
/// work ends.
constexpr double rounds_in_sight = 8;
constexpr int most_rounds_at_root = 80;
constexpr int most_rounds_below = 40;
/// Rounds that are looked back on to see whether the bound still falls, and the share of the gap
/// by which it must have fallen to go on.
constexpr std::size_t rounds_looked_back = 4;
constexpr double worthwhile_share = 0.15;
/// Nodes that are branched at once. Not the number of threads: the tree must not depend on it.
constexpr std::size_t nodes_at_once = 4;
/// A closed branch in which the bound is not below the best value goes on a little, where that is
/// quick: it may prove that no partition in it is as good, and that the best one is the only one.
constexpr int rounds_once_closed = 3;
constexpr Index most_groups_refined = 200;
/// Sums of integers below are exact as doubles.
constexpr double largest_exact_sum = 9007199254740992.0;

struct Node {
  int id = 0;  // in the tree of proofs
  Demands demands;
  CutSplitting::Start start;
  double bound = std::numeric_limits<double>::infinity();  // its own, or that of its parent
  std::pair<int, int> branch{-1, -1};                      // items; -1: nothing left to decide
  int depth = 0;
  // What solving it found and took.
  NodeProof proof;
  Labels rounded;
  double work = 0;
};

bool by_bound(const Node& a, const Node& b) { return a.bound < b.bound; }

/// The rows of W that are farthest from each other begin clusters, all others join the nearest.
Labels rounded(const MergedItems& items, const MatrixXd& w, int clusters) {
  const VectorXd inverse = items.root.cwiseInverse();
  const MatrixXd x = inverse.asDiagonal() * w * inverse.asDiagonal();
  VectorXd distance = VectorXd::Constant(items.size(), std::numeric_limits<double>::infinity());
  std::vector<std::int32_t> nearest(static_cast<std::size_t>(items.size()), 0);
  Index next = 0;
  x.diagonal().maxCoeff(&next);
  for (std::int32_t a = 0; a < clusters; ++a) {
    const VectorXd row = x.col(next);
    for (Index g = 0; g < items.size(); ++g) {
      const double here = (x.col(g) - row).squaredNorm();
      if (here < distance[g]) {
        distance[g] = here;
        nearest[static_cast<std::size_t>(g)] = a;
      }
    }
    distance.maxCoeff(&next);
  }
  Labels labels(items.group.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = nearest[static_cast<std::size_t>(items.group[i])];
  }
  return labels;
}

/// The pair of groups that W neither puts together nor apart: their first items.
std::pair<int, int> undecided_pair(const MergedItems& items, const MatrixXd& w) {
  const VectorXd inverse = items.root.cwiseInverse();
  const MatrixXd x = inverse.asDiagonal() * w * inverse.asDiagonal();
  const VectorXd sizes = items.root.array().square();
  std::pair<int, int> found{-1, -1};
  double best = 0;
  for (Index g = 0; g < items.size(); ++g) {
    for (Index h = 0; h < g; ++h) {
      if (items.must_part(h, g) != 0 || x(h, g) <= best) continue;
      const double apart = ((x.col(g) - x.col(h)).array().square() * sizes.array()).sum();
      if (const double score = std::min(x(h, g), apart); score > best) {
        best = score;
        found = {items.first[static_cast<std::size_t>(h)],
                 items.first[static_cast<std::size_t>(g)]};
      }
    }
  }
  return found;
}

/// The state of a node after two of its groups have become one.
CutSplitting::Start merged_start(const CutSplitting::Start& start, const MergedItems& before,
                                 const MergedItems& after) {
  MatrixXd turn = MatrixXd::Zero(after.size(), before.size());
  std::vector<std::int32_t> moved(static_cast<std::size_t>(before.size()));
  for (Index g = 0; g < before.size(); ++g) {
    const auto item = static_cast<std::size_t>(before.first[static_cast<std::size_t>(g)]);
    const Index to = after.group[item];
    moved[static_cast<std::size_t>(g)] = static_cast<std::int32_t>(to);
    turn(to, g) = before.root[g] / after.root[to];
  }
  CutSplitting::Start result;
  result.state = turn * start.state * turn.transpose();
  result.penalty = start.penalty;
  result.scale = start.scale;
  std::set<std::array<std::int32_t, 3>> seen;
  for (const TriangleCut& cut : start.cuts) {
    TriangleCut here = cut;
    here.apex = moved[static_cast<std::size_t>(cut.apex)];
    std::tie(here.left, here.right) = std::minmax(moved[static_cast<std::size_t>(cut.left)],
                                                  moved[static_cast<std::size_t>(cut.right)]);
    const bool is_cut =
        here.apex != here.left && here.apex != here.right && here.left != here.right;
    if (is_cut && seen.insert({here.apex, here.left, here.right}).second) {
      result.cuts.push_back(here);
    }
  }
  return result;
}

class Tree {
 public:
  Tree(const SparseMap& similarity, const FoundPartition& start, const ExactOptions& options,
       Run& run)
      : similarity_(similarity), options_(options), run_(run), best_(start) {}

  ExactResult grow() {
    Node root;
    const MergedItems items = merged_items(similarity_, {});
    if (items.sums.cwiseAbs().sum() >= largest_exact_sum) {
      return {best_, std::numeric_limits<double>::infinity(), false, false, 0, 0, 0, {}};
    }
    root.start = CutSplitting::at_partition(items, best_.labels);
    tree_.nodes.resize(1);
    solve(root);
    take(root);
    const std::size_t cuts = tree_.nodes.front().proof.cuts.size();
    const CutSplitting::Start end_of_root = root.start;
    open_or_close(std::move(root));
    while (!open_.empty() && may_go_on()) branch();
    ExactResult result{best_, bound_of(tree_),         false, false, nodes_, cuts,
                       work_, pruned(std::move(tree_))};
    result.closed = is_closed(result.upper_bound);
    result.stopped = end_.is_wanted() && !result.closed;
    if (result.closed) {
      result.tie = find_tie(similarity_, best_, run_);
      run_.say("proving which items stay together");
      result.cores = proved_cores(similarity_, best_, end_of_root,
                                  {.most_work = options_.core_share * options_.most_work,
                                   .should_end = [&] { return time_is_up(); }},
                                  run_);
    }
    return result;
  }

 private:
  [[nodiscard]] bool is_closed(double bound) const {
    return bound <= best_.value + options_.tolerance * std::abs(best_.value);
  }
  [[nodiscard]] bool may_go_on() const {
    return nodes_ < options_.most_nodes && work_ < options_.most_work && !time_is_up() &&
           std::any_of(open_.begin(), open_.end(),
                       [](const Node& node) { return node.branch.first >= 0; });
  }

  [[nodiscard]] bool time_is_up() const {
    return end_.is_wanted() || clock_.seconds() >= options_.most_seconds;
  }

  /// Solves the relaxation of a node until it is closed or the bound hardly falls any more.
  void solve(Node& node) const {
    if (node.depth > 0 && time_is_up()) return;  // the bound of its parent holds
    const MergedItems items = merged_items(similarity_, node.demands);
    if (!items.possible || items.size() < best_.clusters) {
      node.bound = node.proof.bound = -std::numeric_limits<double>::infinity();
      return;
    }
    CutSplitting splitting(items, best_.clusters, std::move(node.start), run_);
    const auto groups = static_cast<double>(items.size());
    // Below the root most branches hold nothing to aim at.
    bool aim = node.depth == 0;
    const MatrixXd target = aim ? point_of(items, best_.labels) : MatrixXd();
    std::vector<double> bounds;
    int rounds_more = 0;
    const int most_rounds = node.depth == 0 ? most_rounds_at_root : most_rounds_below;
    double first_bound = 0;
    for (int round = 0; round < most_rounds; ++round) {
      int steps = 0;
      for (; steps < steps_in_round && !time_is_up(); ++steps) splitting.iterate();
      node.work += steps * groups * groups;
      if (NodeProof proof = splitting.proof(); proof.bound < node.proof.bound) {
        node.proof = std::move(proof);
        node.bound = std::min(node.bound, node.proof.bound);
      }
      if (round == 0) first_bound = node.bound;
      if (time_is_up()) break;
      if (is_closed(node.bound) && (is_done(node, items) || ++rounds_more > rounds_once_closed)) {
        break;
      }
      if (work_ + node.work > options_.most_work &&
          (node.depth > 0 || !is_in_sight(first_bound, node.bound, round))) {
        break;
      }
      splitting.renew_cuts();
      bounds.push_back(node.bound);
      const bool stalls = hardly_falls(bounds) && !is_closed(node.bound);
      if (stalls && !aim) break;
      if (stalls) {
        aim = false;
        bounds.clear();
      } else if (aim && round % 2 == 1) {
        splitting.aim_at(target);
      } else if (!aim && round % 2 == 1) {
        splitting.balance();
      }
    }
    node.start = splitting.state();
    node.rounded = rounded(items, splitting.point(), best_.clusters);
    node.branch = undecided_pair(items, splitting.point());
  }

  /// Whether a gap that fell from that of `first` to that of `now` in so many rounds is soon
  /// closed.
  [[nodiscard]] bool is_in_sight(double first, double now, int rounds) const {
    if (!(now < first)) return false;
    const double open = std::max(options_.tolerance * std::abs(best_.value), 1e-300);
    const double gap = now - best_.value;
    const double falls_by = std::log((first - best_.value) / gap) / rounds;
    return 1 + rounds + std::log(gap / open) / falls_by <= rounds_in_sight;
  }

  /// A closed node for which more rounds are not worth their time.
  [[nodiscard]] bool is_done(const Node& node, const MergedItems& items) const {
    return node.bound < best_.value || items.size() > most_groups_refined;
  }

  [[nodiscard]] bool hardly_falls(const std::vector<double>& bounds) const {
    if (bounds.size() <= rounds_looked_back) return false;
    const double fallen = bounds[bounds.size() - 1 - rounds_looked_back] - bounds.back();
    return fallen < worthwhile_share * (bounds.back() - best_.value);
  }

  /// Counts a solved node, and takes the partition near it if it is better.
  void take(Node& node) {
    if (node.proof.bound == std::numeric_limits<double>::infinity()) return;  // out of time
    ++nodes_;
    work_ += node.work;
    tree_.nodes[static_cast<std::size_t>(node.id)].proof = std::move(node.proof);
    if (node.rounded.empty() || count_clusters(in_order_of_size(node.rounded)) < best_.clusters) {
      return;
    }
    ClusterSums sums(similarity_, node.rounded, best_.clusters, run_);
    move_items(sums);
    const Labels ordered = in_order_of_size(sums.labels());
    const double value =
        ClusterSums(similarity_, ordered, best_.clusters, run_).value() / similarity_.denominator();
    if (value > best_.value) best_ = {ordered, best_.clusters, value};
  }

  void open_or_close(Node node) {
    if (is_closed(node.bound)) return;
    open_.push_back(std::move(node));
    std::push_heap(open_.begin(), open_.end(), by_bound);
  }

  /// Branches the open nodes with the largest bounds.
  void branch() {
    std::vector<Node> children;
    while (children.size() < 2 * nodes_at_once && !open_.empty()) {
      std::pop_heap(open_.begin(), open_.end(), by_bound);
      Node parent = std::move(open_.back());
      open_.pop_back();
      if (is_closed(parent.bound)) continue;  // by a better partition, found since
      if (parent.branch.first < 0) {
        stuck_.push_back(std::move(parent));
        continue;
      }
      for (const bool together : {false, true}) children.push_back(child(parent, together));
    }
    std::atomic<std::size_t> next = 0;
    run_.workers(std::min(run_.threads(), static_cast<int>(children.size())), [&](int) {
      for (std::size_t c = next.fetch_add(1); c < children.size(); c = next.fetch_add(1)) {
        solve(children[c]);
      }
    });
    for (Node& node : children) take(node);
    for (Node& node : children) open_or_close(std::move(node));
    for (Node& node : stuck_) open_or_close(std::move(node));
    stuck_.clear();
    say();
  }

  [[nodiscard]] Node child(const Node& parent, bool together) {
    Node node;
    node.id = static_cast<int>(tree_.nodes.size());
    tree_.nodes.emplace_back();
    ProofTree::Node& above = tree_.nodes[static_cast<std::size_t>(parent.id)];
    above.pair = parent.branch;
    (together ? above.together : above.apart) = node.id;
    node.demands = parent.demands;
    (together ? node.demands.together : node.demands.apart).push_back(parent.branch);
    node.bound = parent.bound;
    node.depth = parent.depth + 1;
    node.start = parent.start;
    if (together) {
      const MergedItems before = merged_items(similarity_, parent.demands);
      const MergedItems after = merged_items(similarity_, node.demands);
      if (after.possible) node.start = merged_start(parent.start, before, after);
    }
    return node;
  }

  void say() {
    const double open = open_.empty() ? 0 : open_.front().bound - best_.value;
    run_.say(fmt::format("proving: {} branches, at most {:.2g} % better", nodes_,
                         100 * open / std::abs(best_.value)));
  }

  const SparseMap& similarity_;
  const ExactOptions& options_;
  Run& run_;
  Run::EarlyEnd end_{run_};
  Clock clock_;
  FoundPartition best_;
  std::vector<Node> open_;   // a heap, the largest bound first
  std::vector<Node> stuck_;  // with nothing left to branch on
  ProofTree tree_;
  int nodes_ = 0;
  double work_ = 0;
};

}  // namespace

ExactResult prove_best(const SparseMap& similarity, const FoundPartition& start,
                       const ExactOptions& options, Run& run) {
  return Tree(similarity, start, options, run).grow();
}

}  // namespace tertium::internal
