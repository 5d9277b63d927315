// Six hot paths by themselves, each a function that instructions.py counts: kernels_bench NAME.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "fabric/fabric.h"
#include "fabric/topology.h"
#include "match/matcher.h"
#include "memory/reduce.h"
#include "memory/store.h"
#include "sim/channel.h"
#include "sim/simulation.h"

using namespace tutti;

namespace {

/// 10,000 pending events, 200,000 times pop and push.
std::uint64_t queue() {
  sim::EventQueue q;
  sim::Event e(nullptr);
  Random random(1);
  const auto delay = [&] { return Time::ps(static_cast<std::int64_t>(random.next() % 1'000'000) + 1); };
  for (int i = 0; i < 10'000; ++i) q.push(delay(), sim::Entry::of(e));
  for (int i = 0; i < 200'000; ++i) {
    const Time t = q.next_time();
    const sim::Entry x = q.pop();
    q.push(t + delay(), x);
  }
  return 200'000;
}

sim::Process<> ticker(sim::Simulation& s, std::uint64_t seed, int n) {
  Random random(seed);
  for (int i = 0; i < n; ++i) co_await s.delay(Time::ps(static_cast<std::int64_t>(random.next() % 1'000'000) + 1));
}
/// 1,000 processes, 100 wake-ups by timer each.
std::uint64_t wake_up() {
  sim::Simulation s;
  for (std::uint64_t i = 0; i < 1'000; ++i) s.spawn(ticker(s, i, 100), "ticker");
  s.run();
  return 100'000;
}

sim::Process<> producer(sim::Simulation& s, sim::Channel<int>& c, int n) {
  for (int i = 0; i < n; ++i) {
    c.put(i);
    co_await s.yield_now();
  }
}
sim::Process<> consumer(sim::Channel<int>& c, int n, std::uint64_t& sum) {
  for (int i = 0; i < n; ++i) {
    const int item = co_await c.get();
    sum += static_cast<std::uint64_t>(item);
  }
}
/// 100,000 items, the consumer waits for each.
std::uint64_t channel() {
  sim::Channel<int> c;
  sim::Simulation s;
  std::uint64_t sum = 0;
  s.spawn(consumer(c, 100'000, sum), "consumer");
  s.spawn(producer(s, c, 100'000), "producer");
  s.run();
  return sum == 0 ? 0 : 100'000;
}

struct Streamer final : fabric::Client {
  void departing(const fabric::Packet&) override {}
  void drained(const fabric::Packet&) override {
    if (--left > 0) fabric->send(packet);
  }
  void arrived(const fabric::Packet&) override {}
  fabric::Fabric* fabric = nullptr;
  fabric::Packet packet;
  int left = 0;
};
/// Every PE of the smallest machine streams 100 packets of 16 KiB to the next, on two channels by turns.
std::uint64_t links() {
  const fabric::Graph graph = fabric::build(fabric::profile("tiny"));
  std::vector<fabric::NodeId> pes;
  for (const auto& cube : graph.layout()->cubes) pes.insert(pes.end(), cube.pes.begin(), cube.pes.end());
  sim::Simulation simulation;
  fabric::Fabric fabric(simulation, graph, {});
  std::vector<Streamer> clients(pes.size());
  for (std::size_t i = 0; i < pes.size(); ++i) {
    clients[i].fabric = &fabric;
    clients[i].packet = {pes[i], pes[(i + 1) % pes.size()], 16 << 10, static_cast<std::uint8_t>(i % 2), 0};
    clients[i].left = 100;
    fabric.attach(pes[i], clients[i]);
  }
  for (Streamer& c : clients) fabric.send(c.packet);
  simulation.run_before(Time::max());
  return 100 * pes.size();
}

/// 1 KiB in and out of one of 1,024 memories' worth of pages, 50,000 times.
std::uint64_t store() {
  memory::Space space("all", std::uint64_t{1} << 51);
  std::vector<std::byte> bytes(1024);
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    const std::uint64_t address = (i % 1024) << 33 | (i / 1024 % 16) * 1024;
    space.write(address, bytes);
    space.read(address, bytes);
  }
  return 50'000;
}

/// 100,000 messages of 64 keys, each receive posted before its message.
std::uint64_t matching() {
  match::Matcher matcher(match::Policy::stream);
  std::vector<match::Receive> receives(64);
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    match::Receive& r = receives[i % 64];
    r = {};
    r.bytes = 4096;
    const match::Key key{0, i % 64, i % 8, i % 64};
    matcher.post(key, r);
    matcher.arrive(key, 4096, i);
  }
  return 100'000;
}

struct Kernel {
  std::string_view name;
  std::uint64_t (*run)();
};
constexpr Kernel kernels[] = {{"queue", queue}, {"wake_up", wake_up}, {"channel", channel},
                              {"links", links}, {"store", store},     {"matching", matching}};

}  // namespace

/// What is counted: a name that the counting tool finds.
extern "C" __attribute__((noinline)) std::uint64_t counted_kernel(std::uint64_t (*run)()) {
  const std::uint64_t operations = run();
  asm volatile("" ::: "memory");  // keeps the call from becoming a jump
  return operations;
}

int main(int argc, char** argv) {
  if (argc == 2)
    for (const Kernel& k : kernels)
      if (k.name == argv[1]) {
        std::printf("%llu\n", static_cast<unsigned long long>(counted_kernel(k.run)));
        return 0;
      }
  std::fprintf(stderr, "usage: kernels_bench queue|wake_up|channel|links|store|matching\n");
  return 2;
}
