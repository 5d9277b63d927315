#pragma once
#include <vector>

#include "sim/process.h"

namespace tutti::sim {

/// A Subject with names, and with the processes that can end its waits, if they are told.
class NamedSubject : public Subject {
 public:
  explicit NamedSubject(Name what, Name on = "") : what_(what), on_(on) {}
  NamedSubject(const NamedSubject&) = delete;
  std::string what() const override { return what_.text(); }
  std::string on() const override { return on_.text(); }
  void suppliers(Suppliers& s) const override {
    if (suppliers_.empty()) s.unknown = true;
    for (const ProcessHandle& p : suppliers_) s.processes.push_back(&p.root());
  }
  /// Only processes named so can end a wait here: lets a detector see a deadlock while others still run.
  void supplied_by(ProcessHandle p) { suppliers_.push_back(std::move(p)); }
  Condition wait(Where where = Where::current()) const { return Condition(*this, where); }
  /// Reported as `reason`, which must live as long as the wait.
  Condition wait(const Awaited& reason, Where where = Where::current()) const {
    return Condition(*this, where, &reason);
  }

 protected:
  ~NamedSubject() = default;

 private:
  Name what_, on_;
  std::vector<ProcessHandle> suppliers_;
};

/// A condition that stays: closed at first; waiting at an open gate goes on at once. Waiters wake in order of arrival.
class Gate final : public NamedSubject {
 public:
  explicit Gate(Name what = "gate", Name on = "") : NamedSubject(what, on) {}
  using Wait = Condition;
  void open() { open_ = true, notify_all(); }
  void close() { open_ = false; }
  bool is_open() const { return open_; }
  bool ready() const override { return open_; }

 private:
  bool open_ = false;
};

/// A broadcast: fire() wakes those that wait now; who comes later waits for the next one.
class Signal final : public NamedSubject {
 public:
  explicit Signal(Name what = "signal", Name on = "") : NamedSubject(what, on) {}
  void fire() { notify_all(); }
  bool ready() const override { return false; }
};

}  // namespace tutti::sim
