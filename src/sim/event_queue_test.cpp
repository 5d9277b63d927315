#include "sim/event_queue.h"

#include <gtest/gtest.h>

#include <queue>
#include <random>
#include <tuple>

namespace tutti::sim {
namespace {

struct Number : Event {
  explicit Number(int n) : Event(nullptr), number(n) {}
  int number;
};

/// (time, order of push), by a plain heap.
using Item = std::tuple<std::int64_t, int>;

TEST(EventQueue, PopsTheSameSequenceAsAHeapOnTimeAndOrderOfPush) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    EventQueue queue;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> heap;
    std::vector<std::unique_ptr<Number>> events;
    std::int64_t now = 0;
    const std::int64_t spread = std::int64_t{1} << (seed % 50);
    for (int i = 0; i < 4000; ++i) {
      if (heap.empty() || random() % 100 < (i < 2500 ? 60U : 30U)) {
        std::int64_t delay = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(spread));
        if (random() % 3 == 0) delay = 0;
        if (random() % 5 == 0) delay = 1000 * (delay % 7);  // ties
        events.push_back(std::make_unique<Number>(static_cast<int>(events.size())));
        queue.push(Time::ps(now + delay), Entry::of(*events.back()));
        heap.emplace(now + delay, events.back()->number);
      } else {
        ASSERT_FALSE(queue.empty());
        if (random() % 2 == 0) {
          ASSERT_EQ(queue.next_time(), Time::ps(std::get<0>(heap.top())));
        }
        const Entry e = queue.pop();
        const auto [time, number] = heap.top();
        heap.pop();
        now = time;
        ASSERT_EQ(reinterpret_cast<Number*>(e.bits & ~std::uintptr_t{1})->number, number)
            << "seed " << seed << " step " << i;
      }
    }
  }
}

TEST(EventQueue, LookingAtTheNextTimeDoesNotForbidEarlierPushes) {
  EventQueue queue;
  Number late(1), early(2);
  queue.push(Time::ns(100), Entry::of(late));
  EXPECT_EQ(queue.next_time(), Time::ns(100));
  queue.push(Time::ns(5), Entry::of(early));
  EXPECT_EQ(queue.next_time(), Time::ns(5));
  EXPECT_EQ(queue.pop().bits, Entry::of(early).bits);
  EXPECT_EQ(queue.pop().bits, Entry::of(late).bits);
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace tutti::sim
