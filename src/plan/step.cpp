#include "plan/step.h"

#include <array>

#include <fmt/format.h>

#include "plan/schedule.h"

namespace tutti::plan {

std::string_view name(Buffer b) {
  return std::array<std::string_view, 3>{"input", "output", "scratch"}[static_cast<std::size_t>(b)];
}

std::string_view name(Action a) {
  return std::array<std::string_view, 6>{
      "send", "receive", "receive_reduce", "copy", "reduce", "wait"}[static_cast<std::size_t>(a)];
}

std::string describe(const Step& s) {
  const auto range = [](const Slice& x) {
    return fmt::format("{}[{}..{})", name(x.buffer), x.begin, x.begin + x.count);
  };
  std::string out(name(s.action));
  if (s.sends())
    out += fmt::format(" {} to {} on channel {}", s.signal ? "a signal" : range(s.source), s.peer, s.channel);
  if (s.receives())
    out += fmt::format(" {} from {} on channel {}", s.signal ? "a signal" : range(s.target), s.peer, s.channel);
  if (s.action == Action::copy || s.action == Action::reduce)
    out += fmt::format(" {} to {}", range(s.source), range(s.target));
  if (s.after_stream >= 0) out += fmt::format(" after {}:{}", s.after_stream, s.after_step);
  return out;
}

Traffic traffic(const Schedule& schedule) {
  const auto ranks = static_cast<std::size_t>(schedule.collective.ranks);
  Traffic t{std::vector<std::int64_t>(ranks), std::vector<std::int64_t>(ranks), std::vector<std::int64_t>(ranks),
            std::vector<std::int64_t>(ranks)};
  for (std::size_t r = 0; r < ranks; ++r)
    for (int stream = 0; stream < schedule.streams; ++stream) {
      auto steps = schedule.steps(static_cast<int>(r), stream);
      while (const Step* s = steps.next()) {
        if (!s->moves()) continue;
        if (s->sends()) t.sent[r] += s->count(), ++t.messages[r];
        if (s->receives()) t.received[r] += s->count();
        if (s->action == Action::receive_reduce || s->action == Action::reduce) t.reduced[r] += s->count();
      }
    }
  return t;
}

}  // namespace tutti::plan
