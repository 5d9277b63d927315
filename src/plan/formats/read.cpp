#include "plan/formats/read.h"

#include <fstream>

#include <fmt/format.h>

#include "base/error.h"
#include "plan/formats/msccl_xml.h"
#include "plan/formats/text.h"

namespace tutti::plan {

Schedule read_schedule(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw ConfigError(fmt::format("{}: error: cannot be read", path));
  char first = 0;
  in >> first;
  return first == '<' ? read_msccl_xml(path) : read_text(path);
}

namespace {

Generator<Step> scaled(std::function<Generator<Step>(int, int)> steps, int rank, int stream, std::int64_t factor) {
  auto all = steps(rank, stream);
  while (const Step* next = all.next()) {
    Step s = *next;
    for (Slice* x : {&s.source, &s.target}) x->begin *= factor, x->count *= factor;
    co_yield s;
  }
}

}  // namespace

Schedule scale(const Schedule& schedule, std::int64_t factor) {
  if (factor == 1) return schedule;
  using enum CollectiveKind;
  const Collective& c = schedule.collective;
  const bool parts =
      c.kind == all_gather || c.kind == reduce_scatter || c.kind == gather || c.kind == scatter || c.kind == all_to_all;
  if (parts && c.count % c.ranks != 0)
    throw ConfigError(fmt::format("error: {}: {} elements of {} ranks cannot be enlarged: the parts are unequal",
                                  schedule.algorithm, c.count, c.ranks));
  Schedule s = schedule;
  s.collective.count *= factor;
  for (auto& n : s.collective.counts) n *= factor;
  if (c.routing) {
    auto routing = std::make_shared<Routing>(*c.routing);
    routing->hidden *= factor;
    s.collective.routing = routing;
  }
  s.scratch = [scratch = schedule.scratch, factor](int rank) { return scratch(rank) * factor; };
  s.steps = [steps = schedule.steps, factor](int rank, int stream) { return scaled(steps, rank, stream, factor); };
  return s;
}

}  // namespace tutti::plan
