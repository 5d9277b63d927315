#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <span>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "plan/calibration.h"

namespace tutti::plan {
namespace {

/// The line of least squares of relative errors, both coefficients at least 0, and the sum of their squares.
std::pair<Regimes::Line, double> line(std::span<const Measured> points) {
  double ss = 0, sb = 0, bb = 0, s = 0, b = 0;  // minimise sum (latency x / t + slope x bytes / t - 1)^2
  for (const auto& p : points) {
    const double u = 1 / p.us, v = p.bytes / p.us;
    ss += u * u, sb += u * v, bb += v * v, s += u, b += v;
  }
  const double determinant = ss * bb - sb * sb;
  Regimes::Line l{points.front().bytes, s / ss, 0};
  if (determinant > 1e-12 * ss * bb) {
    const double latency = (s * bb - b * sb) / determinant, slope = (ss * b - sb * s) / determinant;
    if (latency >= 0 && slope >= 0)
      l.latency_us = latency, l.us_per_byte = slope;
    else if (slope > 0 && bb > 0)
      l.latency_us = 0, l.us_per_byte = b / bb;
  }
  double error = 0;
  for (const auto& p : points) error += std::pow((l.latency_us + l.us_per_byte * p.bytes) / p.us - 1, 2);
  return {l, error};
}

/// Fields of a line of CSV; quotes may hold commas.
std::vector<std::string> fields(const std::string& text) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.emplace_back();
    else if (c != '\r')
      out.back() += c;
  }
  return out;
}

}  // namespace

double Regimes::us(double bytes) const {
  const Line* l = &lines.front();
  for (const Line& one : lines)
    if (bytes >= one.from) l = &one;
  return l->latency_us + l->us_per_byte * bytes;
}

Regimes fit_regimes(const std::vector<Measured>& points) {
  CHECK(points.size() >= 3, "three points at least");
  const std::span<const Measured> all(points);
  const auto n = points.size();
  const auto whole = line(all);
  Regimes best{{whole.first}};
  double error = whole.second;
  const auto consider = [&](std::vector<Regimes::Line> lines, double e) {
    if (e < error * 0.8) best.lines = std::move(lines), error = e;
  };
  Regimes two = best;
  double two_error = error;
  for (std::size_t i = 3; i + 3 <= n; ++i) {
    const auto a = line(all.first(i)), b = line(all.subspan(i));
    if (a.second + b.second < two_error) two.lines = {a.first, b.first}, two_error = a.second + b.second;
  }
  consider(two.lines, two_error);
  Regimes three = best;
  double three_error = error;
  for (std::size_t i = 3; i + 6 <= n; ++i)
    for (std::size_t j = i + 3; j + 3 <= n; ++j) {
      const auto a = line(all.first(i)), b = line(all.subspan(i, j - i)), c = line(all.subspan(j));
      if (const double e = a.second + b.second + c.second; e < three_error)
        three.lines = {a.first, b.first, c.first}, three_error = e;
    }
  consider(three.lines, three_error);
  best.lines.front().from = 0;
  return best;
}

std::vector<Fit> fit_measured(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw ConfigError(fmt::format("{}: error: cannot be read", path));
  std::string text;
  std::getline(in, text);
  const auto header = fields(text);
  const auto column = [&](const char* name) {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end()) throw ConfigError(fmt::format("{}:1: error: no column '{}'", path, name));
    return static_cast<std::size_t>(found - header.begin());
  };
  const std::size_t what = column("collective"), size = column("size_bytes"), time = column("time_us"),
                    hardware = column("hardware"), library = column("library"), ranks = column("ranks");
  std::vector<std::string> order;
  std::map<std::string, std::vector<Measured>> series;
  for (int number = 2; std::getline(in, text); ++number) {
    const auto f = fields(text);
    if (f.size() < header.size()) throw ConfigError(fmt::format("{}:{}: error: too few columns", path, number));
    if (f[size].empty() || f[time].empty()) continue;
    Measured m;
    try {
      m = {std::stod(f[size]), std::stod(f[time])};
    } catch (const std::exception&) {
      throw ConfigError(
          fmt::format("{}:{}: error: '{}' and '{}' are no size and time", path, number, f[size], f[time]));
    }
    if (!(m.us > 0)) continue;
    const std::string name = fmt::format("{}, {} of {} ranks, {}", f[hardware], f[what], f[ranks], f[library]);
    if (!series.contains(name)) order.push_back(name);
    series[name].push_back(m);
  }
  std::vector<Fit> fits;
  for (const std::string& name : order) {
    auto& points = series[name];
    std::stable_sort(points.begin(), points.end(),
                     [](const Measured& a, const Measured& b) { return a.bytes < b.bytes; });
    if (points.size() < 8) continue;
    std::vector<Measured> even;
    for (std::size_t i = 0; i < points.size(); i += 2) even.push_back(points[i]);
    Fit fit{name, even.size(), 0, fit_regimes(even), 0, 0};
    for (std::size_t i = 1; i < points.size(); i += 2) {
      const double error = std::fabs(fit.regimes.us(points[i].bytes) / points[i].us - 1);
      fit.mean_error += error, fit.largest_error = std::max(fit.largest_error, error), ++fit.tested;
    }
    fit.mean_error /= static_cast<double>(fit.tested);
    fits.push_back(std::move(fit));
  }
  return fits;
}

}  // namespace tutti::plan
