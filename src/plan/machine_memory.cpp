// What the steps of a symbolic execution read and write, and whether anything orders them.
#include <algorithm>

#include <fmt/format.h>

#include "plan/machine.h"

namespace tutti::plan {

Machine::Place Machine::place(const StreamState& s, const Slice& at) {
  const auto r = static_cast<std::size_t>(s.rank);
  const auto b = static_cast<std::size_t>(at.buffer);
  if (at.count > 0) {
    const Collective& c = schedule_.collective;
    std::int64_t low = 0, high = sizes_[r][b];
    if (schedule_.in_place && at.buffer != Buffer::scratch) {  // the whole of the shared memory is there
      const std::int64_t mine = at.buffer == Buffer::input ? c.input_offset(s.rank) : c.output_offset(s.rank);
      low = -mine;
      high = std::max(c.input_offset(s.rank) + sizes_[r][0], c.output_offset(s.rank) + sizes_[r][1]) - mine;
    }
    if (at.begin < low || at.begin + at.count > high)
      refute(s, fmt::format("{}[{}..{}) is outside of the {} elements of the buffer", name(at.buffer), at.begin,
                            at.begin + at.count, high));
  }
  if (!schedule_.in_place || at.buffer == Buffer::scratch) return {&images_[r][b], at.begin};
  const Collective& c = schedule_.collective;
  return {&images_[r][0], at.begin + (at.buffer == Buffer::input ? c.input_offset(s.rank) : c.output_offset(s.rank))};
}

/// Whether the step would write what a send of this stream still reads.
bool Machine::writes_pending(StreamState& s) {
  if (s.pending.empty() || s.now.count() == 0) return false;
  const Place to = place(s, s.now.target);
  for (std::size_t i = 0; i < s.pending.size(); ++i) {
    const Slice& source = s.pending_steps[i].source;
    if (source.count == 0) continue;
    const Place from = place(s, source);
    if (from.image == to.image && from.begin < to.begin + s.now.count() && to.begin < from.begin + source.count) {
      s.wait = StreamState::Wait::being_sent, s.waits_on = s.pending[i].second;
      return true;
    }
  }
  return false;
}

/// How many slots of the message being received may be written: those before what a send of this stream still reads.
std::int64_t Machine::writable(const StreamState& s) {
  std::int64_t slots = slots_of(s.now.count());
  if (s.pending.empty() || s.now.count() == 0) return slots;
  const Place to = place(s, s.now.target);
  for (std::size_t i = 0; i < s.pending.size(); ++i) {
    const Slice& source = s.pending_steps[i].source;
    if (source.count == 0) continue;
    const Place from = place(s, source);
    const std::int64_t left = s.pending[i].second->queue.back().to_push;
    const std::int64_t unread = from.begin + (slots_of(source.count) - left) * target_.slot_elements;
    if (from.image != to.image || to.begin >= from.begin + source.count || to.begin + s.now.count() <= unread) continue;
    slots = std::min(
        slots, target_.slot_elements > 0 ? std::max<std::int64_t>(unread - to.begin, 0) / target_.slot_elements : 0);
  }
  return slots;
}

void Machine::local(StreamState& s) {
  if (s.now.source.count != s.now.target.count) refute(s, "source and target differ in size");
  store(s, s.now.target, fetch(s, s.now.source), s.now.action == Action::reduce);
}

std::vector<Piece> Machine::fetch(StreamState& s, const Slice& from) {
  const Place p = place(s, from);
  order(s, p, from.count, false);
  std::vector<Piece> out = p.image->read(p.begin, from.count);
  for (const Piece& x : out)
    if (x.from == 0) refute(s, fmt::format("{}[{}] was never written", name(from.buffer), from.begin + x.offset));
  return out;
}

void Machine::store(StreamState& s, const Slice& to, std::vector<Piece> pieces, bool adding) {
  const Place p = place(s, to);
  order(s, p, to.count, true);
  if (!adding) return p.image->write(p.begin, pieces);
  std::vector<Piece> out;
  std::size_t j = 0;
  for (const Piece& old : p.image->read(p.begin, to.count))
    for (std::int64_t at = old.offset; at < old.offset + old.count;) {
      const Piece& add = pieces[j];
      const std::int64_t stop = std::min(old.offset + old.count, add.offset + add.count);
      const std::int64_t element = to.begin + at;
      if (old.from == 0) refute(s, fmt::format("{}[{}] was never written", name(to.buffer), element));
      const std::int64_t mine = old.label + at - old.offset, theirs = add.label + at - add.offset;
      if (mine != theirs)
        refute(s, fmt::format("{}[{}] holds element {}, to which element {} is added", name(to.buffer), element, mine,
                              theirs));
      if (const auto twice = contributions_.common(old.from, add.from))
        refute(s, fmt::format("{}[{}] holds the contributions of ranks {} and gets {}: that of rank {} twice",
                              name(to.buffer), element, contributions_.describe(old.from),
                              contributions_.describe(add.from), *twice));
      out.push_back({at, stop - at, mine, contributions_.unite(old.from, add.from)});
      at = stop;
      if (at == add.offset + add.count) ++j;
    }
  p.image->write(p.begin, out);
}

void Machine::join(StreamState& s, const Clock& other) {
  for (std::size_t i = 0; i < other.size(); ++i) s.clock[i] = std::max(s.clock[i], other[i]);
}

void Machine::order(StreamState& s, Place p, std::int64_t count, bool writing) {
  if (width_ == 1 || count == 0) return;
  const auto known = [&](const Epoch& e) {
    if (e.stream < 0 || e.stream == s.index) return true;
    shared = true;
    return ordering_ == Ordering::none || s.clock[entry(s.rank, e.stream)] > e.step;
  };
  p.image->touch(p.begin, count, [&](Image::Access& a) {
    const auto race = [&](const Epoch& e, const char* what) {
      if (!known(e))
        refute(s, fmt::format("nothing orders this with stream {} step {}, which {} elements {} to {} of that memory",
                              e.stream, e.step, what, a.begin, a.end - 1));
    };
    race(a.written, "writes");
    if (writing) {
      for (const Epoch& e : a.read) race(e, "reads");
      a.read.clear();
      a.written = {s.index, s.number};
      return;
    }
    for (Epoch& e : a.read)
      if (e.stream == s.index) return void(e.step = s.number);
    a.read.push_back({s.index, s.number});
  });
}

}  // namespace tutti::plan
