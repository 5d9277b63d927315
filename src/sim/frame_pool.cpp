#include "sim/frame_pool.h"

#include <array>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define TUTTI_POOL 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TUTTI_POOL 0
#endif
#endif
#ifndef TUTTI_POOL
#define TUTTI_POOL 1
#endif

namespace tutti::sim::frames {
namespace {

constexpr std::size_t step = 16, classes = 128;  // up to 2 KiB

struct Free {
  Free* next;
};

/// Every block is an allocation of its own, so that any thread may free it.
struct Lists {
  std::array<Free*, classes + 1> heads{};
  ~Lists() {
    for (Free* f : heads)
      while (f) {
        Free* const next = f->next;
        ::operator delete(f);
        f = next;
      }
    heads = {};
  }
};
thread_local Lists lists;

}  // namespace

void* take(std::size_t bytes) {
  const std::size_t c = (bytes + step - 1) / step;
  if (!TUTTI_POOL || c > classes) return ::operator new(bytes);
  Free*& head = lists.heads[c];
  if (!head) return ::operator new(c * step);
  Free* const f = head;
  head = f->next;
  return f;
}

void give(void* block, std::size_t bytes) noexcept {
  const std::size_t c = (bytes + step - 1) / step;
  if (!TUTTI_POOL || c > classes) return ::operator delete(block);
  Free*& head = lists.heads[c];
  head = ::new (block) Free{head};
}

std::size_t spare() {
  std::size_t n = 0;
  for (const Free* f : lists.heads)
    for (; f; f = f->next) ++n;
  return n;
}

}  // namespace tutti::sim::frames
