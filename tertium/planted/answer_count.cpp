#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/simulate.hpp"

namespace tertium::internal {
namespace {

constexpr double most_answers = 1e18;

/// A formula, read from left to right; empty values after the first part that makes no sense.
class Formula {
 public:
  Formula(std::string_view text, double items, double clusters)
      : rest_(text), items_(items), clusters_(clusters) {}

  std::optional<double> value() {
    const double result = sum();
    skip_blanks();
    if (failed_ || !rest_.empty() || !std::isfinite(result)) return {};
    return result;
  }

 private:
  double sum() {
    double result = product();
    while (true) {
      if (take('+')) {
        result += product();
      } else if (take('-')) {
        result -= product();
      } else {
        return result;
      }
    }
  }

  double product() {
    double result = power();
    while (true) {
      if (take('*')) {
        result *= power();
      } else if (take('/')) {
        result /= power();
      } else {
        return result;
      }
    }
  }

  double power() {
    const double base = atom();
    return take('^') ? std::pow(base, power()) : base;
  }

  double atom() {
    if (take('(')) return closed(sum());
    if (take_word("ln(")) return std::log(closed(sum()));
    if (take_word("sqrt(")) return std::sqrt(closed(sum()));
    if (take('n')) return items_;
    if (take('k')) return clusters_;
    const auto end = std::min(rest_.find_first_not_of("0123456789."), rest_.size());
    const auto number = parse_number(rest_.substr(0, end));
    if (!number) return fail();
    rest_.remove_prefix(end);
    return *number;
  }

  double closed(double value) { return take(')') ? value : fail(); }

  double fail() {
    failed_ = true;
    rest_ = {};
    return 0;
  }

  bool take(char wanted) { return take_word({&wanted, 1}); }

  bool take_word(std::string_view wanted) {
    skip_blanks();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(wanted.size());
    skip_blanks();
    return true;
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  std::string_view rest_;
  double items_;
  double clusters_;
  bool failed_ = false;
};

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::uint64_t parse_answer_count(std::string_view text, double items, double clusters,
                                 double questions) {
  const auto number = parse_number(trimmed(text));
  std::optional<double> count = number;
  if (!number) {
    count = Formula(text, items, clusters).value();
    if (count) count = std::round(*count);
  } else if (*number > 0 && *number < 1) {
    count = std::round(*number * questions);
  }
  if (!count || *count != std::floor(*count) || *count < 1 || *count > most_answers) {
    throw InputError({{},
                      fmt::format("--answers {}", in_quotes(text)),
                      "a whole number of at least 1, a rate between 0 and 1 (a share of the "
                      "questions), or a formula such as n*ln(n)^3",
                      ""});
  }
  return static_cast<std::uint64_t>(*count);
}

}  // namespace tertium
