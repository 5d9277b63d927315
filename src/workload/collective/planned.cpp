#include "workload/collective/planned.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/error.h"

namespace tutti::workload {

/// A stream of a schedule on one rank.
struct PlannedCollectives::Line : RankClock::Item {
  Line(Run& r, plan::Generator<plan::Step> s) : Item(&PlannedCollectives::elapsed), run(&r), steps(std::move(s)) {}
  Run* run;
  plan::Generator<plan::Step> steps;
  plan::Step now;
  std::int64_t number = -1;  // of `now`
  bool begun = false;
  bool sleeping = false, woken = false;  // `now` waits for a step of another stream; it will look again
  bool over = false;
  std::vector<std::int64_t> leaving;  // sends under way

  bool has_ended(std::int64_t step) const {
    return over ? std::find(leaving.begin(), leaving.end(), step) == leaving.end()
                : step < number && std::find(leaving.begin(), leaving.end(), step) == leaving.end();
  }
};

/// A schedule under way on one rank. It stays until its last send has left.
struct PlannedCollectives::Run {
  PlannedCollectives* planned;
  Stream* stream;
  std::shared_ptr<const plan::Schedule> schedule;
  std::vector<Line> lines;
  std::size_t left = 0;       // lines not over
  std::uint64_t leaving = 0;  // sends under way
  // Messages so far by (peer, channel) and direction; looked up only.
  std::unordered_map<std::uint64_t, std::uint32_t> sent, received;
  std::uint64_t number = 0;

  std::uint64_t next_tag(std::unordered_map<std::uint64_t, std::uint32_t>& counts, const plan::Step& step) const {
    // The number makes each message's key its own: networks may deliver out of order.
    constexpr std::uint64_t channels = 1U << 12, messages = 1U << 28;
    const auto channel = static_cast<std::uint64_t>(step.channel);
    const std::uint32_t k = counts[static_cast<std::uint64_t>(step.peer) << 12 | channel]++;
    CHECK(channel < channels && k < messages, "a schedule with too many channels or messages");
    return std::uint64_t{stream->chunk} << 40 | channel << 28 | k;
  }
};

PlannedCollectives::PlannedCollectives(CollectiveEngine& engine) : engine_(engine) {}
PlannedCollectives::~PlannedCollectives() = default;

std::shared_ptr<const plan::Schedule> PlannedCollectives::schedule(const Stream& s) {
  const Call& call = *s.call;
  const Phase& phase = engine_.phase(s);
  const CommGroup& group = *call.plan->group;
  const std::uint32_t root = call.plan->listed ? group.position[call.request.root] : call.request.root;
  auto& slot = schedules_[{&phase, s.data, root}];
  if (slot) return slot;
  plan::Collective c;
  c.kind = plan_kind(phase.op);
  c.ranks = static_cast<int>(phase.n);
  c.root = static_cast<int>(root);
  const bool own_part = phase.op == CollectiveOp::all_gather || phase.op == CollectiveOp::gather;
  if (s.data > static_cast<std::uint64_t>(INT64_MAX) / (own_part ? phase.n : 1))
    throw ModelError(
        fmt::format("{} of {} bytes on {} ranks is more than 2^63 bytes", to_string(phase.op), s.data, phase.n));
  c.count = static_cast<std::int64_t>(own_part ? s.data * phase.n : s.data);
  plan::Parameters given;
  for (const auto& [name, value] : phase.algorithm.parameters) given.set(name, value);
  slot =
      std::make_shared<const plan::Schedule>(plan::make_schedule(plan::algorithm(phase.algorithm.planned), c, given));
  return slot;
}

void PlannedCollectives::start(Stream& s) {
  auto made = std::make_unique<Run>();
  Run& run = *made;
  run.planned = this;
  run.stream = &s;
  run.schedule = schedule(s);
  run.number = started_++;
  const int streams = run.schedule->streams;
  run.lines.reserve(static_cast<std::size_t>(streams));
  for (int i = 0; i < streams; ++i) run.lines.emplace_back(run, run.schedule->steps(static_cast<int>(s.position), i));
  run.left = run.lines.size();
  runs_[run.number] = std::move(made);
  for (Line& line : run.lines) later(line, Time());  // each begins in an event of its own
}

void PlannedCollectives::later(Line& line, Time delay) { line.run->stream->rank->clock->after(delay, line); }

Time PlannedCollectives::passes(int n, std::int64_t bytes) const {
  if (!(engine_.system_.local_mem_bw > 0)) return Time();
  const Time three = engine_.reduction_time(static_cast<std::uint64_t>(bytes));
  return n == 3 ? three : Time::ps(three.ps() / 3 * n);
}

void PlannedCollectives::elapsed(RankClock::Item& item) {
  Line& line = static_cast<Line&>(item);
  PlannedCollectives& self = *line.run->planned;
  if (line.begun && line.now.sends()) {
    Run& run = *line.run;
    Stream& s = *run.stream;
    const plan::Step& step = line.now;
    line.leaving.push_back(line.number);
    ++run.leaving;
    self.engine_.messenger_.send({{s.space | match::Key::whole, run.next_tag(run.sent, step), s.rank->rank,
                                   s.at(static_cast<std::uint32_t>(step.peer))},
                                  static_cast<std::uint64_t>(step.count()),
                                  s.call->request.node},
                                 {&PlannedCollectives::on_sent, &line, static_cast<std::uint32_t>(line.number)});
  }
  line.begun = line.woken = false;
  self.advance(line);
}

void PlannedCollectives::on_received(void* owner, std::uint32_t) {
  Line& line = *static_cast<Line*>(owner);
  PlannedCollectives& self = *line.run->planned;
  const bool reduces = line.now.action == plan::Action::receive_reduce;
  self.later(line, line.run->stream->endpoint + (reduces ? self.passes(3, line.now.count()) : Time()));
}

void PlannedCollectives::on_sent(void* owner, std::uint32_t note) {
  Line& line = *static_cast<Line*>(owner);
  Run& run = *line.run;
  PlannedCollectives& self = *run.planned;
  const auto it = std::find_if(line.leaving.begin(), line.leaving.end(),
                               [&](std::int64_t k) { return static_cast<std::uint32_t>(k) == note; });
  line.leaving.erase(it);
  --run.leaving;
  if (run.left == 0) {
    if (run.leaving == 0) self.ended(run);
    return;
  }
  self.wake(run);
}

/// Lets streams whose condition now holds look again, in events of their own.
void PlannedCollectives::wake(Run& run) {
  for (Line& l : run.lines) {
    if (!l.sleeping || l.woken || !run.lines[static_cast<std::size_t>(l.now.after_stream)].has_ended(l.now.after_step))
      continue;
    l.woken = true;
    later(l, Time());
  }
}

/// Takes `line` as far as it goes without time passing.
void PlannedCollectives::advance(Line& line) {
  Run& run = *line.run;
  for (;;) {
    if (!line.sleeping) {
      const plan::Step* const next = line.steps.next();
      ++line.number;
      if (!next) {
        line.over = true;
        --run.left;
        break;
      }
      line.now = *next;
    }
    const plan::Step& step = line.now;
    line.sleeping =
        step.after_stream >= 0 && !run.lines[static_cast<std::size_t>(step.after_stream)].has_ended(step.after_step);
    if (line.sleeping) break;
    if (begin(line)) break;
  }
  if (run.left == 0) {
    Stream& s = *run.stream;
    if (run.leaving == 0) ended(run);
    return engine_.phase_finished(s);
  }
  wake(run);
}

/// @return false if the step took no time.
bool PlannedCollectives::begin(Line& line) {
  const plan::Step& step = line.now;
  if (!step.moves()) return false;
  Run& run = *line.run;
  Stream& s = *run.stream;
  line.begun = true;
  switch (step.action) {
    case plan::Action::send:
      later(line, s.endpoint);
      return true;
    case plan::Action::receive:
    case plan::Action::receive_reduce:
      engine_.messenger_.receive({{s.space | match::Key::whole, run.next_tag(run.received, step),
                                   s.at(static_cast<std::uint32_t>(step.peer)), s.rank->rank},
                                  static_cast<std::uint64_t>(step.count()),
                                  s.call->request.node},
                                 {&PlannedCollectives::on_received, &line, 0});
      return true;
    case plan::Action::copy:
      later(line, passes(2, step.count()));
      return true;
    case plan::Action::reduce:
      later(line, passes(3, step.count()));
      return true;
    case plan::Action::wait:
      break;
  }
  return false;
}

void PlannedCollectives::ended(Run& run) { runs_.erase(run.number); }

}  // namespace tutti::workload
