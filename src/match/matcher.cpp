#include "match/matcher.h"

#include <algorithm>
#include <tuple>

#include "base/error.h"

namespace tutti::match {
namespace {
constexpr std::size_t first_size = 64;
}

Matcher::Matcher(Policy policy) : policy_(policy), table_(first_size), mask_(first_size - 1) {}

std::size_t Matcher::home(const Key& key, std::uint64_t size) const {
  std::uint64_t h = (std::uint64_t{key.source} << 32 | key.destination) * 0x9e3779b97f4a7c15U;
  h = (h ^ key.tag ^ (h >> 29)) * 0xbf58476d1ce4e5b9U;
  h = (h ^ key.space ^ size << 17 ^ (h >> 32)) * 0x94d049bb133111ebU;
  return (h ^ h >> 31) & mask_;
}

Matcher::Slot& Matcher::slot(const Key& key, std::uint64_t size) {
  if (2 * (used_ + 1) > table_.size()) grow();
  for (std::size_t i = home(key, size);; i = (i + 1) & mask_) {
    Slot& s = table_[i];
    if (s.kind == Kind::free) {
      s.key = key;
      s.size = size;
      return s;
    }
    if (s.key == key && s.size == size) return s;
  }
}

void Matcher::erase(Slot& gone) {
  // Backward shift: probing stays free of tombstones.
  std::size_t hole = static_cast<std::size_t>(&gone - table_.data());
  for (std::size_t i = (hole + 1) & mask_; table_[i].kind != Kind::free; i = (i + 1) & mask_) {
    const std::size_t at = home(table_[i].key, table_[i].size);
    if (((i - at) & mask_) >= ((i - hole) & mask_)) {
      table_[hole] = table_[i];
      hole = i;
    }
  }
  table_[hole].kind = Kind::free;
  --used_;
}

void Matcher::grow() {
  std::vector<Slot> old(table_.size() * 2);
  old.swap(table_);
  mask_ = table_.size() - 1;
  for (const Slot& s : old) {
    if (s.kind == Kind::free) continue;
    std::size_t i = home(s.key, s.size);
    while (table_[i].kind != Kind::free) i = (i + 1) & mask_;
    table_[i] = s;
  }
}

void Matcher::append(Slot& s, Receive& receive) {
  receive.next = nullptr;
  if (s.kind == Kind::free) {
    s.kind = Kind::receives;
    s.first_receive = &receive;
    ++used_;
  } else {
    s.last_receive->next = &receive;
  }
  s.last_receive = &receive;
}

bool Matcher::post(const Key& key, Receive& receive) {
  receive.missing = receive.bytes;
  receive.next = nullptr;
  Slot& s = slot(key, policy_ == Policy::exact ? receive.bytes : 0);
  if (streams(key) && s.kind == Kind::free && receive.bytes == 0) return true;
  if (s.kind == Kind::bytes || s.kind == Kind::messages) {
    if (use_early(s, receive)) return true;
  }
  append(s, receive);
  return false;
}

bool Matcher::use_early(Slot& s, Receive& receive) {
  if (s.kind == Kind::messages) {
    Early* const first = s.first_early;
    pair(s.key, first->bytes, first->node, receive);
    receive.missing = 0;
    s.first_early = first->next;
    early_.give(first);
    if (!s.first_early) erase(s);
    return true;
  }
  const std::uint64_t used = std::min(s.bytes, receive.missing);
  receive.missing -= used;
  s.bytes -= used;
  if (receive.missing == 0) {
    if (s.bytes == 0) erase(s);
    return true;
  }
  s.kind = Kind::free;  // all bytes are used: the receive takes their place
  --used_;
  return false;
}

void Matcher::pair(const Key& key, std::uint64_t sent, std::uint64_t node, const Receive& receive) {
  if (sent != receive.bytes) mismatches_.push_back({key, sent, receive.bytes, node, receive.node});
}

Receive* Matcher::arrive(const Key& key, std::uint64_t bytes, std::uint64_t sender_node) {
  if (streams(key) && bytes == 0) return nullptr;
  Slot& s = slot(key, policy_ == Policy::exact ? bytes : 0);
  if (s.kind != Kind::receives) {
    keep_early(s, bytes, sender_node);
    return nullptr;
  }
  return streams(key) ? fill_stream(s, bytes, sender_node) : fill_one(s, bytes, sender_node);
}

void Matcher::keep_early(Slot& s, std::uint64_t bytes, std::uint64_t node) {
  if (s.kind == Kind::free) {
    ++used_;
    s.kind = streams(s.key) ? Kind::bytes : Kind::messages;
    s.bytes = 0;
    s.first_early = nullptr;
  }
  if (s.kind == Kind::bytes) {
    if (s.bytes + bytes < s.bytes)
      throw ModelError("more than 2^64 bytes wait for a receive: tag " + std::to_string(s.key.tag) + ", rank " +
                       std::to_string(s.key.source) + " to rank " + std::to_string(s.key.destination));
    s.bytes += bytes;
    s.node = node;
    return;
  }
  Early* const early = early_.take(Early{bytes, node, nullptr});
  (s.first_early ? s.last_early->next : s.first_early) = early;
  s.last_early = early;
}

Receive* Matcher::fill_one(Slot& s, std::uint64_t bytes, std::uint64_t node) {
  Receive* const first = s.first_receive;
  pair(s.key, bytes, node, *first);
  first->missing = 0;
  s.first_receive = first->next;
  first->next = nullptr;
  if (!s.first_receive) erase(s);
  return first;
}

Receive* Matcher::fill_stream(Slot& s, std::uint64_t bytes, std::uint64_t node) {
  Receive *done = nullptr, **end = &done;
  while (Receive* const front = s.first_receive) {
    const std::uint64_t used = std::min(bytes, front->missing);
    front->missing -= used;
    bytes -= used;
    if (front->missing != 0) return done;
    s.first_receive = front->next;
    front->next = nullptr;
    *end = front;
    end = &front->next;
  }
  if (bytes == 0) {
    erase(s);
  } else {
    s.kind = Kind::bytes;
    s.bytes = bytes;
    s.node = node;
  }
  return done;
}

std::vector<Leftover> Matcher::leftovers() const {
  std::vector<const Slot*> slots;
  for (const Slot& s : table_)
    if (s.kind != Kind::free) slots.push_back(&s);
  const auto order = [](const Slot* s) {
    return std::tuple(s->key.destination, s->key.source, s->key.space, s->key.tag, s->size);
  };
  std::sort(slots.begin(), slots.end(), [&](const Slot* a, const Slot* b) { return order(a) < order(b); });
  std::vector<Leftover> all;
  for (const Slot* s : slots) {
    if (s->kind == Kind::bytes) all.push_back({Leftover::Kind::bytes, s->key, s->node, 0, s->bytes});
    if (s->kind == Kind::messages)
      for (const Early* e = s->first_early; e; e = e->next)
        all.push_back({Leftover::Kind::message, s->key, e->node, 0, e->bytes});
    if (s->kind == Kind::receives)
      for (const Receive* r = s->first_receive; r; r = r->next)
        all.push_back({Leftover::Kind::receive, s->key, r->node, r->bytes, r->bytes - r->missing});
  }
  return all;
}

}  // namespace tutti::match
