#pragma once
#include <coroutine>
#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include "sim/name.h"

namespace tutti::sim {

class Root;
/// The line of a kernel or model that waits.
using Where = std::source_location;

/// Who can end a wait. A wait that nobody in `processes` can end, with nothing under way and nothing unknown, never
/// ends.
struct Suppliers {
  std::vector<const Root*> processes;  ///< any one of them may end it; those that have ended cannot
  bool under_way = false;              ///< something scheduled will end it, or wake the process to look again
  bool unknown = false;                ///< somebody else may end it
};

/// What a blocked process waits for. Nothing here is called before somebody asks for a report or a detector is
/// attached.
class Awaited {
 public:
  /// "a free slot"
  virtual std::string what() const = 0;
  /// Whose: "sip0.cube1.pe3.ipcq", "rank 2"; may be empty.
  virtual std::string on() const { return {}; }
  /// Adds to `s`; says nothing by default, that is: unknown.
  virtual void suppliers(Suppliers& s) const { s.unknown = true; }
  /// Values that explain why it is not there: "my_head 9, peer_tail_cache 1". May be empty.
  virtual std::string state() const { return {}; }

 protected:
  ~Awaited() = default;
};

/// Node of a circular list.
struct Link {
  Link* previous = this;
  Link* next = this;
  Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  bool linked() const { return next != this; }
  void unlink() {
    previous->next = next;
    next->previous = previous;
    previous = next = this;
  }
  void append(Link& node) {
    node.previous = previous;
    node.next = this;
    previous->next = &node;
    previous = &node;
  }
};

struct Group;

/// A process in the list of what it waits for. Lives in the frame of the coroutine that waits.
struct Waiter : Link {
  Waiter() = default;
  ~Waiter() {
    if (linked()) unlink();
  }
  std::coroutine_handle<> handle;
  Root* root = nullptr;
  const Awaited* reason = nullptr;
  Where where;
  Group* group = nullptr;  ///< of any_of, all_of
  /// @pre unlinked.
  void wake();
};

/// Waiters in order of arrival.
class WaitList {
 public:
  WaitList() = default;
  ~WaitList() {
    while (!empty()) ends_.next->unlink();
  }
  bool empty() const { return !ends_.linked(); }
  void append(Waiter& w) { ends_.append(w); }
  Waiter& front() const { return static_cast<Waiter&>(*ends_.next); }
  Waiter& take_front() {
    Waiter& w = front();
    w.unlink();
    return w;
  }
  /// Wakes those that wait now, not those that come back meanwhile.
  void wake_all() {
    if (empty()) return;
    Link woken;
    woken.next = ends_.next, woken.previous = ends_.previous;
    woken.next->previous = woken.previous->next = &woken;
    ends_.next = ends_.previous = &ends_;
    while (woken.linked()) {
      Waiter& w = static_cast<Waiter&>(*woken.next);
      w.unlink();
      w.wake();
    }
  }
  void wake_one() {
    if (!empty()) take_front().wake();
  }

 private:
  Link ends_;
};

}  // namespace tutti::sim
