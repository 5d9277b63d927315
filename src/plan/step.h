#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "plan/collective.h"

namespace tutti::plan {

/// The memories of a rank that a schedule speaks of.
enum class Buffer : std::uint8_t { input, output, scratch };
std::string_view name(Buffer b);

struct Slice {
  Buffer buffer = Buffer::output;
  std::int64_t begin = 0, count = 0;
  bool operator==(const Slice&) const = default;
};
inline Slice slice(Buffer b, Interval i) { return {b, i.begin, i.count}; }

enum class Action : std::uint8_t {
  send,            ///< source goes to peer. Reads the source when it is issued; the stream goes on
  receive,         ///< target = message from peer
  receive_reduce,  ///< target = target + message from peer
  copy,            ///< target = source
  reduce,          ///< target = target + source
  wait,            ///< nothing but `after`
};
std::string_view name(Action a);

/// One step of one stream of one rank. Steps of a stream run in order. Messages from one rank to another on one channel
/// arrive in order, and the n-th receive takes the n-th message, whose count must be equal.
///
/// A step of count 0 does nothing, unless `signal`: then a message without elements goes.
struct Step {
  Action action = Action::wait;
  bool signal = false;
  int peer = -1;
  int channel = 0;
  Slice source;
  Slice target;
  int after_stream = -1;         ///< the step begins after step after_step of this stream of the same rank has ended;
  std::int64_t after_step = -1;  ///< a send has ended when all of it has left. -1: no such condition

  std::int64_t count() const {
    return action == Action::send || action == Action::copy || action == Action::reduce ? source.count : target.count;
  }
  bool moves() const { return action != Action::wait && (count() > 0 || signal); }
  bool sends() const { return action == Action::send; }
  bool receives() const { return action == Action::receive || action == Action::receive_reduce; }
  bool operator==(const Step&) const = default;
};

inline Step send(int peer, Slice s, int channel = 0) { return {Action::send, false, peer, channel, s, {}}; }
inline Step receive(int peer, Slice t, int channel = 0) { return {Action::receive, false, peer, channel, {}, t}; }
inline Step receive_reduce(int peer, Slice t, int channel = 0) {
  return {Action::receive_reduce, false, peer, channel, {}, t};
}
inline Step copy(Slice s, Slice t) { return {Action::copy, false, -1, 0, s, t}; }
inline Step reduce(Slice s, Slice t) { return {Action::reduce, false, -1, 0, s, t}; }
inline Step signal(int peer, int channel = 0) { return {Action::send, true, peer, channel, {}, {}}; }
inline Step await_signal(int peer, int channel = 0) { return {Action::receive, true, peer, channel, {}, {}}; }
inline Step after(Step s, int stream, std::int64_t step) {
  s.after_stream = stream, s.after_step = step;
  return s;
}

/// "send output[0..128) to 3 on channel 1".
std::string describe(const Step& step);

}  // namespace tutti::plan
