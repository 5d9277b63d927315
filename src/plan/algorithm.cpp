#include "plan/algorithm.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::plan {
namespace {

constexpr Parameter tile = {"tile", 0, 0, INT64_MAX, "elements treated at once; 0: all"};

std::vector<Parameter> parameters_of(const Algorithm& a) {
  std::vector<Parameter> out = a.parameters;
  if (can_be_tiled(a.kind)) out.push_back(tile);
  return out;
}

void shift(Slice& s, std::int64_t by) {
  if (s.count > 0 && s.buffer != Buffer::scratch) s.begin += by;
}

/// The steps of one tile after the other, moved to where the tile lies. Step numbers of `after` are moved as well.
Generator<Step> tiled(const Algorithm* a, Collective whole, Parameters p, std::int64_t size, int rank, int stream) {
  Collective one = whole;
  std::vector<std::int64_t> steps_before;  // of each stream, up to this tile
  for (std::int64_t begin = 0; begin < whole.count; begin += size) {
    one.count = std::min(size, whole.count - begin);
    const Schedule s = a->make(one, p);
    steps_before.resize(static_cast<std::size_t>(s.streams), 0);
    bool refers = false;
    for (auto steps = s.steps(rank, stream); const Step* next = steps.next();) {
      Step step = *next;
      shift(step.source, begin), shift(step.target, begin);
      if (step.after_stream >= 0) {
        refers = true;
        step.after_step += steps_before[static_cast<std::size_t>(step.after_stream)];
      }
      co_yield step;
    }
    if (!refers && s.streams == 1) continue;
    for (int i = 0; i < s.streams; ++i) {
      auto steps = s.steps(rank, i);
      while (steps.next()) ++steps_before[static_cast<std::size_t>(i)];
    }
  }
}

}  // namespace

std::int64_t Parameters::operator[](std::string_view name) const {
  const auto found = values_.find(name);
  CHECK(found != values_.end(), fmt::format("no parameter '{}'", name));
  return found->second;
}

bool can_be_tiled(CollectiveKind k) {
  return k == CollectiveKind::all_reduce || k == CollectiveKind::reduce || k == CollectiveKind::broadcast;
}

Parameters effective_parameters(const Algorithm& a, const Parameters& given) {
  Parameters out;
  const auto known = parameters_of(a);
  for (const Parameter& p : known) out.set(p.name, p.standard);
  for (const auto& [name, value] : given.all()) {
    const auto p = std::find_if(known.begin(), known.end(), [&](const Parameter& x) { return x.name == name; });
    if (p == known.end()) {
      std::vector<std::string_view> names;
      for (const Parameter& x : known) names.push_back(x.name);
      throw ConfigError(fmt::format("{} has no parameter '{}'; it has: {}", a.name, name, fmt::join(names, ", ")));
    }
    if (value < p->low || value > p->high)
      throw ConfigError(fmt::format("{}: {} = {}; {} to {} is possible", a.name, name, value, p->low, p->high));
    out.set(name, value);
  }
  return out;
}

Schedule make_schedule(const Algorithm& a, const Collective& c, const Parameters& given) {
  c.check();
  if (c.kind != a.kind)
    throw ConfigError(fmt::format("{} is an algorithm for {}, not for {}", a.name, name(a.kind), name(c.kind)));
  const Parameters p = effective_parameters(a, given);
  if (a.unfit)
    if (const std::string why = a.unfit(c, p); !why.empty()) throw ConfigError(fmt::format("{}: {}", a.name, why));
  const std::int64_t size = can_be_tiled(a.kind) ? p["tile"] : 0;
  Collective first = c;
  if (size > 0) first.count = std::min(size, c.count);
  Schedule s = a.make(first, p);
  s.algorithm = a.name;
  s.collective = c;
  s.in_place = c.can_be_in_place();
  if (size > 0 && size < c.count)
    s.steps = [algorithm = &a, c, p, size](int rank, int stream) { return tiled(algorithm, c, p, size, rank, stream); };
  return s;
}

}  // namespace tutti::plan
