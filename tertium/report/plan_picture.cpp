#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tertium/planted/model.hpp"
#include "tertium/report.hpp"

namespace tertium::internal {
namespace {

// The picture in points; the plot lies inside its margins.
constexpr double width = 640;
constexpr double height = 410;
constexpr double left = 64;
constexpr double right = 24;
constexpr double top = 76;
constexpr double bottom = 52;
constexpr const char* ink = "#1f2933";
constexpr const char* faint = "#d5dbe1";
constexpr const char* blue = "#1f6fb2";
constexpr const char* red = "#c2410c";

/// Answers (logarithmic) and chances to places in the picture.
struct Axes {
  double low;
  double high;

  [[nodiscard]] double x(double answers) const {
    const double share = std::log(answers / low) / std::log(high / low);
    return left + (width - left - right) * std::clamp(share, 0.0, 1.0);
  }
  [[nodiscard]] static double y(double chance) {
    return top + (height - top - bottom) * (1 - chance);
  }
};

std::string straight(double x1, double y1, double x2, double y2, const char* colour, double wide,
                     const char* more = "") {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
      "stroke-width=\"{}\"{}/>\n",
      x1, y1, x2, y2, colour, wide, more);
}

std::string words(double x, double y, const std::string& text, const char* anchor,
                  const char* colour = ink, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n",
                     x, y, anchor, colour, more, text);
}

/// 1, 2 and 5 times powers of ten inside the range.
std::vector<double> round_numbers(double low, double high) {
  std::vector<double> result;
  for (double power = 1; power <= high; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor * power >= low && factor * power <= high) result.push_back(factor * power);
    }
  }
  return result;
}

std::string grouped(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string grid(const Axes& axes) {
  std::string svg;
  for (const double chance : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    svg += straight(left, Axes::y(chance), width - right, Axes::y(chance), faint, 1);
    svg += words(left - 8, Axes::y(chance) + 4, fmt::format("{:g}", chance), "end");
  }
  double free_from = 0;  // labels may not overlap
  for (const double answers : round_numbers(axes.low, axes.high)) {
    const double x = axes.x(answers);
    svg += straight(x, Axes::y(0), x, Axes::y(0) + 5, ink, 1);
    if (x < free_from) continue;
    svg += words(x, Axes::y(0) + 20, grouped(answers), "middle");
    free_from = x + 56;
  }
  svg += words((left + width - right) / 2, height - 10, "answers", "middle");
  svg += words(
      18, (top + height - bottom) / 2, "chance of success", "middle", ink,
      fmt::format(" transform=\"rotate(-90 18 {:.1f})\"", (top + height - bottom) / 2).c_str());
  return svg;
}

std::string needed(const PlanReport& report, const Axes& axes) {
  const Plan& plan = report.plan;
  std::string svg = straight(left, Axes::y(report.confidence), width - right,
                             Axes::y(report.confidence), red, 1, " stroke-dasharray=\"5 4\"");
  if (!plan.answers) return svg;
  const double x = axes.x(static_cast<double>(*plan.answers));
  const double from = axes.x(static_cast<double>(plan.fewest.value_or(*plan.answers)));
  const double to = plan.most ? axes.x(static_cast<double>(*plan.most)) : width - right;
  svg = fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
            "fill-opacity=\"0.15\"/>\n",
            from, Axes::y(1), to - from, Axes::y(0) - Axes::y(1), red) +
        svg;
  return svg + straight(x, Axes::y(0), x, Axes::y(1), red, 1.5);
}

std::string curve(const PlanReport& report, const Axes& axes) {
  std::string bars;
  std::string dots;
  std::string path;
  for (const PlanPoint& point : report.plan.curve) {
    const double x = axes.x(static_cast<double>(point.answers));
    bars += straight(x, Axes::y(point.chance_interval.lo), x, Axes::y(point.chance_interval.hi),
                     blue, 1.2);
    dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x,
                        Axes::y(point.chance), blue);
    path += fmt::format("{:.1f},{:.1f} ", x, Axes::y(point.chance));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>\n",
                     path, blue) +
         bars + dots;
}

std::string title(const PlanReport& report) {
  const auto& [model, survey, runs] = report.study;
  const std::string head =
      report.plan.answers
          ? fmt::format("{} answers needed", grouped(static_cast<double>(*report.plan.answers)))
          : fmt::format("more than {} answers needed",
                        grouped(static_cast<double>(report.plan.most_answers)));
  return words(left, 24, head, "start", ink, " font-size=\"17\" font-weight=\"bold\"") +
         words(left, 42,
               fmt::format("for {}, with chance {:g} (bars and band: 95 %)",
                           goal_in_words(report.goal), report.confidence),
               "start", ink) +
         words(left, 58,
               fmt::format("{} items, {} clusters, epsilon {:g}, delta {:g}, {} surveys simulated "
                           "at each point",
                           count_items(model), model.sizes.size(), mean_epsilon(survey),
                           model.delta, runs),
               "start", ink);
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string plan_as_svg(const PlanReport& report) {
  const auto first = static_cast<double>(report.plan.curve.front().answers);
  const auto last = static_cast<double>(report.plan.curve.back().answers);
  const Axes axes{first / 1.1, last * 1.1};
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
             "height=\"{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
             "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
             width, height) +
         title(report) + grid(axes) + needed(report, axes) + curve(report, axes) + "</svg>\n";
}

}  // namespace tertium
