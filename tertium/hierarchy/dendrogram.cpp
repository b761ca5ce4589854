#include "tertium/dendrogram.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include <fmt/format.h>

#include "tertium/partition/cluster_sums.hpp"

namespace tertium {

using namespace internal;

namespace {

/// What an unquoted name must not hold: marks of the format, and underscores, which it takes for
/// blanks.
constexpr std::string_view marks = " \t\r\n()[]{}/\\,;:=*'\"`+-<>_";

std::string newick_name(const std::string& name) {
  if (!name.empty() && name.find_first_of(marks) == std::string::npos) return name;
  std::string quoted = "'";
  for (const char c : name) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

Labels cut(const Dendrogram& tree, int clusters) {
  const std::size_t items = tree.items();
  assert(clusters >= 1 && static_cast<std::size_t>(clusters) <= items);
  // From the last merge that counts down to the items, each cluster hands its label on.
  const std::size_t kept = items - static_cast<std::size_t>(clusters);
  std::vector<std::int32_t> label(items + kept, -1);
  std::int32_t next = 0;
  for (std::size_t m = kept; m-- > 0;) {
    std::int32_t& own = label[items + m];
    if (own < 0) own = next++;
    label[tree.merges[m].first] = own;
    label[tree.merges[m].second] = own;
  }
  label.resize(items);
  for (std::int32_t& own : label) {
    if (own < 0) own = next++;
  }
  return in_order_of_size(label);
}

std::string newick(const Dendrogram& tree, const std::vector<std::string>& names) {
  const std::size_t items = tree.items();
  assert(names.size() == items);
  const auto distance_of = [&](std::uint32_t cluster) {
    return cluster < items ? 0.0 : tree.merges[cluster - items].distance;
  };
  // A stack of what is still to be written, not a recursion: a tree may be as deep as it is large.
  struct Step {
    std::uint32_t cluster;
    double above;  // the distance at the other end of its branch
    int seen;      // children that are written
  };
  std::string text;
  const auto root = static_cast<std::uint32_t>(2 * items - 2);
  std::vector<Step> steps = {{root, distance_of(root), 0}};
  while (!steps.empty()) {
    Step& step = steps.back();
    const double here = distance_of(step.cluster);
    if (step.cluster >= items && step.seen < 2) {
      const Merge& merge = tree.merges[step.cluster - items];
      text += step.seen == 0 ? '(' : ',';
      const std::uint32_t child = step.seen++ == 0 ? merge.first : merge.second;
      steps.push_back({child, here, 0});
      continue;
    }
    text += step.cluster < items ? newick_name(names[step.cluster]) : ")";
    if (steps.size() > 1) text += fmt::format(":{}", step.above - here);
    steps.pop_back();
  }
  return text + ";";
}

}  // namespace tertium
