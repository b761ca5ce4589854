#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tertium::internal {

/// Groups of things 0 .. count-1 that grow together (union-find). A group is known by its first
/// member.
class LinkedGroups {
 public:
  explicit LinkedGroups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }

  std::uint32_t group_of(std::uint32_t member) {
    while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
    return member;
  }

  void link(std::uint32_t a, std::uint32_t b) {
    a = group_of(a);
    b = group_of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace tertium::internal
