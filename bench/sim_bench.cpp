// Speed of the simulation core: ns of CPU time an operation, beside a baseline built in the same program.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <malloc.h>
#include <memory>
#include <queue>
#include <random>
#include <vector>

#include "sim/channel.h"
#include "sim/simulation.h"

namespace {

using namespace tutti;
using namespace tutti::sim;

double cpu_ns() { return static_cast<double>(std::clock()) * (1e9 / CLOCKS_PER_SEC); }

/// Median of five, ns an operation.
template <class F>
double measure(std::size_t operations, F run) {
  std::vector<double> t;
  for (int i = 0; i < 5; ++i) {
    const double start = cpu_ns();
    run();
    t.push_back((cpu_ns() - start) / static_cast<double>(operations));
  }
  std::sort(t.begin(), t.end());
  return t[2];
}

struct Lcg {
  std::uint64_t x = 88172645463325252;
  std::int64_t operator()(std::int64_t below) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return static_cast<std::int64_t>(x % static_cast<std::uint64_t>(below));
  }
};

double hold_ours(std::size_t pending, std::size_t n, bool ties) {
  EventQueue q;
  Event e(nullptr);
  Lcg random;
  const auto delay = [&] { return ties ? random(8) * 1000 : random(1'000'000) + 1; };
  for (std::size_t i = 0; i < pending; ++i) q.push(Time::ps(delay()), Entry::of(e));
  return measure(n, [&] {
    for (std::size_t i = 0; i < n; ++i) {
      const Time t = q.next_time();
      const Entry x = q.pop();
      q.push(t + Time::ps(delay()), x);
    }
  });
}
struct Heavy {
  std::int64_t time;
  std::uint64_t order;
  std::function<void()> call;
  bool operator>(const Heavy& o) const { return time != o.time ? time > o.time : order > o.order; }
};
double hold_baseline(std::size_t pending, std::size_t n, bool ties) {
  std::priority_queue<Heavy, std::vector<Heavy>, std::greater<>> q;
  Lcg random;
  std::uint64_t order = 0;
  const auto delay = [&] { return ties ? random(8) * 1000 : random(1'000'000) + 1; };
  for (std::size_t i = 0; i < pending; ++i) q.push({delay(), order++, [] {}});
  return measure(n, [&] {
    for (std::size_t i = 0; i < n; ++i) {
      Heavy h = q.top();
      q.pop();
      h.time += delay(), h.order = order++;
      q.push(std::move(h));
    }
  });
}

Process<> ticker(Simulation& s, int n, std::uint64_t seed) {
  Lcg random{seed};
  for (int i = 0; i < n; ++i) co_await s.delay(Time::ps(random(1'000'000) + 1));
}
double wake_up(std::size_t processes, std::size_t n) {
  const int each = static_cast<int>(n / processes);
  return measure(n, [&] {
    Simulation s;
    for (std::size_t i = 0; i < processes; ++i) s.spawn(ticker(s, each, 88172645463325252 + i * 7919), "ticker");
    s.run();
  });
}
Process<> yielder(Simulation& s, int n) {
  for (int i = 0; i < n; ++i) co_await s.yield_now();
}
Process<> producer(Simulation& s, Channel<int>& c, int n) {
  for (int i = 0; i < n; ++i) {
    c.put(i);
    if (i % 64 == 63) co_await s.yield_now();
  }
}
Process<> consumer(Channel<int>& c, int n, long& sum) {
  for (int i = 0; i < n; ++i) sum += co_await c.get();
}
Process<> short_life(Simulation& s) { co_await s.delay(Time::ns(1)); }
Process<> parent(Simulation& s, int n) {
  for (int i = 0; i < n; ++i) {
    const auto child = s.spawn(short_life(s), "child");
    co_await child.done();
  }
}
Process<int> one() { co_return 1; }
Process<> caller(int n, long& sum) {
  for (int i = 0; i < n; ++i) sum += co_await one();
}
Process<> idle(Simulation& s) {
  for (;;) co_await s.delay(Time::ns(1));
}
double memory_a_process() {
  constexpr std::size_t n = 100'000;
  Simulation s;
  const auto before = mallinfo2().uordblks;
  for (std::size_t i = 0; i < n; ++i) s.spawn(idle(s), "idle");
  return static_cast<double>(mallinfo2().uordblks - before) / static_cast<double>(n);
}

}  // namespace

int main() {
  constexpr int n = 1'000'000;
  std::printf("%-34s %10s %10s %8s\n", "ns an operation", "ours", "baseline", "ratio");
  for (const std::size_t pending : {std::size_t{100}, std::size_t{10'000}, std::size_t{1'000'000}}) {
    const double ours = hold_ours(pending, n, false), base = hold_baseline(pending, n, false);
    std::printf("pop+push, %-24zu %10.1f %10.1f %8.1f\n", pending, ours, base, base / ours);
  }
  const double ties = hold_ours(10'000, n, true), base = hold_baseline(10'000, n, true);
  std::printf("pop+push, 10000 with ties          %9.1f %10.1f %8.1f\n", ties, base, base / ties);
  for (const std::size_t p : {std::size_t{100}, std::size_t{10'000}, std::size_t{1'000'000}})
    std::printf("wake-up, %-25zu %10.1f\n", p, wake_up(p, p == 1'000'000 ? 4 * p : n));
  std::printf("zero delay %34.1f\n", measure(n, [] {
                Simulation s;
                s.spawn(yielder(s, n), "yielder");
                s.run();
              }));
  long sum = 0;
  std::printf("channel item %32.1f\n", measure(n, [&] {
                Channel<int> c;
                Simulation s;
                s.spawn(producer(s, c, n), "producer");
                s.spawn(consumer(c, n, sum), "consumer");
                s.run();
              }));
  std::printf("spawn + delay + join %24.1f\n", measure(n, [] {
                Simulation s;
                s.spawn(parent(s, n), "parent");
                s.run();
              }));
  std::printf("sub-await %35.1f\n", measure(n, [&] {
                Simulation s;
                s.spawn(caller(n, sum), "caller");
                s.run();
              }));
  std::printf("bytes a simple process %22.1f\n", memory_a_process());
  return sum == 0;
}
