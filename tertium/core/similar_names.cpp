#include "tertium/core/similar_names.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>
#include <utility>

#include "tertium/core/utf8.hpp"

namespace tertium::internal {
namespace {

constexpr std::size_t most_similar = 3;
/// Shorter words begin like too much.
constexpr std::size_t shortest_beginning = 3;
/// Longer words are no typing mistakes, and comparing them takes the product of their lengths.
constexpr std::size_t longest_word = 100;

/// In lower case and without dashes in front.
std::string letters_of(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  std::string letters(word);
  std::transform(letters.begin(), letters.end(), letters.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return letters;
}

/// Smaller is nearer; nothing if the name is another word.
std::optional<std::size_t> distance(const std::string& word, const std::string& name) {
  if (name.empty() || name.size() > longest_word) return std::nullopt;
  const std::size_t shorter = std::min(word.size(), name.size());
  const std::size_t longer = std::max(word.size(), name.size());
  const std::size_t allowed = std::max<std::size_t>(1, longer / 3);
  if (longer - shorter <= allowed) {
    const std::size_t edits = edit_distance(word, name);
    // Of one or two letters nothing would be left.
    if (edits <= allowed && edits < shorter) return edits;
  }
  if (word.size() >= shortest_beginning && name.starts_with(word)) return allowed + 1;
  return std::nullopt;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table of distances between beginnings: two before, the one before, this one.
  std::vector<std::size_t> earlier(b.size() + 1);
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  std::iota(current.begin(), current.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(earlier, before);
    std::swap(before, current);
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({before[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], earlier[j - 2] + 1);
      }
    }
  }
  return current[b.size()];
}

std::vector<std::string> similar_names(std::string_view word,
                                       const std::vector<std::string>& names) {
  const std::string letters = letters_of(word);
  if (letters.empty() || letters.size() > longest_word) return {};
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : names) {
    if (const auto far = distance(letters, letters_of(name))) found.emplace_back(*far, name);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> similar;
  // What is much farther than the nearest was hardly meant.
  for (const auto& [far, name] : found) {
    if (similar.size() < most_similar && far <= found.front().first + 1) similar.push_back(name);
  }
  return similar;
}

std::string did_you_mean(const std::vector<std::string>& similar) {
  if (similar.empty()) return "";
  std::string text = "Did you mean " + in_quotes(similar[0]);
  for (std::size_t i = 1; i < similar.size(); ++i) {
    text += (i + 1 == similar.size() ? " or " : ", ") + in_quotes(similar[i]);
  }
  return text + "?";
}

}  // namespace tertium::internal
