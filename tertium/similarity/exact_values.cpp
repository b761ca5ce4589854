#include "tertium/similarity/exact_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

__extension__ using Wide = __int128;

constexpr int most_decimals = 18;  // 10^18 fits in 64 bits
constexpr int most_halvings = 62;

/// Integers one by one, as long as sums over the matrix fit.
class FittingIntegers {
 public:
  explicit FittingIntegers(std::size_t count) { integers_.reserve(count); }

  bool add(std::int64_t integer) {
    sum_ += integer < 0 ? -Wide{integer} : Wide{integer};
    integers_.push_back(integer);
    return 2 * sum_ <= std::numeric_limits<std::int64_t>::max();
  }
  std::vector<std::int64_t> take() { return std::move(integers_); }

 private:
  std::vector<std::int64_t> integers_;
  Wide sum_ = 0;
};

std::optional<ExactValues> over_power_of_ten(const std::vector<GivenNumber>& numbers) {
  int decimals = 0;
  for (const GivenNumber& number : numbers) {
    if (!number.decimal) return {};
    decimals = std::max(decimals, -number.decimal->exponent);
  }
  if (decimals > most_decimals) return {};
  FittingIntegers integers(numbers.size());
  for (const GivenNumber& number : numbers) {
    const auto integer = in_units(*number.decimal, decimals);
    if (!integer || !integers.add(*integer)) return {};
  }
  ExactValues values;
  for (int i = 0; i < decimals; ++i) values.denominator *= 10;
  values.integers = integers.take();
  return values;
}

std::optional<ExactValues> over_power_of_two(const std::vector<GivenNumber>& numbers) {
  int halvings = 0;
  for (const GivenNumber& number : numbers) {
    if (!number.binary) return {};
    while (std::ldexp(number.nearest, halvings) !=
           std::floor(std::ldexp(number.nearest, halvings))) {
      if (++halvings > most_halvings) return {};
    }
  }
  FittingIntegers integers(numbers.size());
  for (const GivenNumber& number : numbers) {
    const double scaled = std::ldexp(number.nearest, halvings);
    if (!(std::abs(scaled) < 0x1p63) || !integers.add(static_cast<std::int64_t>(scaled))) return {};
  }
  return ExactValues{integers.take(), std::int64_t{1} << static_cast<unsigned>(halvings), false};
}

[[noreturn]] void refuse(const std::string& file, double largest, const char* expected,
                         const char* remedy) {
  throw InputError({{file}, fmt::format("{} as the largest value", largest), expected, remedy});
}

ExactValues rounded_values(const std::vector<GivenNumber>& numbers, const std::string& file) {
  double largest = 0;
  double sum = 0;
  for (const GivenNumber& number : numbers) {
    largest = std::max(largest, std::abs(number.nearest));
    sum += std::abs(number.nearest);
  }
  // Twice the sum below 2^62; rounding adds at most a half for each number.
  int halvings = most_halvings;
  while (halvings >= 0 && !(2 * std::ldexp(sum, halvings) < 0x1p61)) --halvings;
  if (halvings < 0) {
    refuse(file, largest, "values whose sums fit in 64 bits",
           "Divide all values by the same number");
  }
  constexpr double fewest = 0x1p30;
  if (std::ldexp(largest, halvings) < fewest) {
    refuse(file, largest, "values of a size that 64 bits can hold exactly",
           "Multiply all values by the same number");
  }
  ExactValues values;
  values.rounded = true;
  values.denominator = std::int64_t{1} << static_cast<unsigned>(halvings);
  for (const GivenNumber& number : numbers) {
    values.integers.push_back(std::llround(std::ldexp(number.nearest, halvings)));
  }
  return values;
}

}  // namespace

std::optional<GivenNumber> number_from(std::string_view text) {
  const auto nearest = parse_number(text);
  if (!nearest) return {};
  return GivenNumber{*nearest, parse_decimal(text), false};
}

GivenNumber number_from(double value) {
  // The shortest text of a large whole number is another number.
  if (value == std::floor(value) && std::abs(value) < 0x1p63) {
    Decimal whole{static_cast<std::int64_t>(value), 0};
    for (; whole.mantissa != 0 && whole.mantissa % 10 == 0; whole.mantissa /= 10) ++whole.exponent;
    return {value, whole, true};
  }
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {value, parse_decimal({text.data(), static_cast<std::size_t>(end - text.data())}), true};
}

ExactValues exact_values(const std::vector<GivenNumber>& numbers, const std::string& file) {
  if (auto decimal = over_power_of_ten(numbers)) return *std::move(decimal);
  if (auto binary = over_power_of_two(numbers)) return *std::move(binary);
  return rounded_values(numbers, file);
}

}  // namespace tertium::internal
