#pragma once

namespace tutti::sim {

/// Something that happens at an instant. Intrusive: the owner keeps the object alive while it is scheduled, and
/// schedules it at most once at a time unless it says that it may be scheduled several times. Derive from it, or use
/// MemberEvent.
struct Event {
  using Fire = void (*)(Event&);
  explicit constexpr Event(Fire f) : fire(f) {}
  Fire fire;
};

/// Calls a member function of its owner: `MemberEvent<Link, &Link::chunk_done> done_{*this};`
template <class T, void (T::*F)()>
struct MemberEvent : Event {
  explicit constexpr MemberEvent(T& o)
      : Event([](Event& e) { (static_cast<MemberEvent&>(e).owner->*F)(); }), owner(&o) {}
  T* owner;
};

}  // namespace tutti::sim
