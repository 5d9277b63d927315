#include "sim/process.h"

#include "sim/simulation.h"

namespace tutti::sim {

void Root::finish() {
  done_ = true;
  timeline_->processes_[index_] = timeline_->processes_.back();
  timeline_->processes_[index_]->index_ = index_;
  timeline_->processes_.pop_back();
  if (awaited()) notify_all();
  std::exchange(top_, {}).destroy();
  for (Observer* o : timeline_->observers_) o->ended(*this);
  drop();
}

ProcessHandle Simulation::start(Process<> process, Name name, bool owned) {
  const auto h = process.release();
  auto* const root = new Root(*this, name, h, owned);
  h.promise().root = root;
  root->index_ = static_cast<std::uint32_t>(processes_.size());
  processes_.push_back(root);
  resume_now(h);
  for (Observer* o : observers_) o->spawned(*root);
  return ProcessHandle(*root);
}

ProcessHandle Simulation::spawn(Process<> process, std::string name) {
  return start(std::move(process), Name(*new std::string(std::move(name))), true);
}

void Simulation::run() {
  run_before(Time::max());
  if (processes_.empty()) return;
  for (Observer* o : observers_) o->dead();
  std::string text = "deadlock at " + to_string(now_) + ": nothing is scheduled and these processes have not ended:";
  for (const Root* r : processes_) text += "\n  " + describe_wait(*r);
  throw DeadlockError(text);
}

std::string describe_wait(const Root& r) {
  const Waiter* const first = r.waits();
  if (!first) return r.name() + " waits for nothing named";
  std::string text = r.name() + " waits for ";
  const auto add = [&](const Waiter& w) {
    text += w.reason->what();
    if (const std::string on = w.reason->on(); !on.empty()) text += " on " + on;
  };
  if (!first->group) {
    add(*first);
  } else {
    const char* separator = "";
    for (const Condition& c : first->group->conditions) {
      if (!c.waiter().linked()) continue;
      text += separator;
      add(c.waiter());
      separator = first->group->all ? " and " : " or ";
    }
  }
  return text + " since " + to_string(r.since()) + " (" + first->where.file_name() + ":" +
         std::to_string(first->where.line()) + ")";
}

Simulation::~Simulation() {
  while (!processes_.empty()) {
    Root* const r = processes_.back();
    processes_.pop_back();
    std::exchange(r->top_, {}).destroy();
    r->drop();
  }
}

}  // namespace tutti::sim
