#include "sim/process.h"

#include "sim/simulation.h"

namespace tutti::sim {

void Root::run() {
  next = std::exchange(suspended, {});
  while (next) std::exchange(next, {}).resume();
  if (!done) return;
  for (Root* r : joiners) r->wake();
  joiners.clear();
  const std::exception_ptr failure = error;
  simulation.finished(*this);  // may delete this
  if (failure) std::rethrow_exception(failure);
}

void Root::wait(std::coroutine_handle<> h, const char* what, const char* on) {
  suspended = h;
  waits_for = what;
  waits_on = on;
  since = simulation.now();
}

void Root::wake() {
  waits_for = nullptr;
  simulation.at(simulation.now(), *this);
}

ProcessHandle Simulation::spawn(Process<> process, std::string name) {
  auto root = std::make_shared<Root>(*this, std::move(name));
  const auto h = process.release();
  h.promise().root = root.get();
  root->top = h;
  root->suspended = h;
  root->index = processes_.size();
  processes_.push_back(root);
  at(now_, *root);
  return ProcessHandle(root);
}

void Simulation::sleep(Root& r, Time d) { at(now_ + d, r); }

void Simulation::finished(Root& r) {
  std::exchange(r.top, {}).destroy();
  const std::size_t i = r.index;
  std::swap(processes_[i], processes_.back());
  processes_[i]->index = i;
  processes_.pop_back();
}

void Simulation::run() {
  run_before(Time::max());
  if (processes_.empty()) return;
  std::string text = "deadlock at " + to_string(now_) + ": nothing is scheduled and these processes have not ended:";
  for (const auto& r : processes_)
    text += "\n  " + r->name + " waits for " + (r->waits_for ? r->waits_for : "nothing named") +
            (r->waits_on && *r->waits_on ? std::string(" on ") + r->waits_on : "") + " since " + to_string(r->since);
  throw DeadlockError(text);
}

}  // namespace tutti::sim
