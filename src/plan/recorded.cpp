#include "plan/recorded.h"

#include <algorithm>
#include <memory>

namespace tutti::plan {
namespace {

Generator<Step> steps_of(std::shared_ptr<const Recorded> all, std::size_t rank, std::size_t stream) {
  const auto& streams = all->steps[rank];
  if (stream >= streams.size()) co_return;
  for (const Step& s : streams[stream]) co_yield s;
}

}  // namespace

Schedule replay(std::string name, Collective collective, bool in_place, Recorded recorded) {
  Schedule s;
  s.algorithm = std::move(name);
  s.collective = std::move(collective);
  s.in_place = in_place;
  for (const auto& streams : recorded.steps) s.streams = std::max(s.streams, static_cast<int>(streams.size()));
  auto all = std::make_shared<const Recorded>(std::move(recorded));
  s.scratch = [all](int rank) { return all->scratch[static_cast<std::size_t>(rank)]; };
  s.steps = [all](int rank, int stream) {
    return steps_of(all, static_cast<std::size_t>(rank), static_cast<std::size_t>(stream));
  };
  return s;
}

Recorded record(const Schedule& schedule) {
  Recorded r;
  for (int rank = 0; rank < schedule.collective.ranks; ++rank) {
    r.scratch.push_back(schedule.scratch(rank));
    auto& streams = r.steps.emplace_back(static_cast<std::size_t>(schedule.streams));
    for (int stream = 0; stream < schedule.streams; ++stream)
      for (auto steps = schedule.steps(rank, stream); const Step* step = steps.next();)
        streams[static_cast<std::size_t>(stream)].push_back(*step);
  }
  return r;
}

}  // namespace tutti::plan
