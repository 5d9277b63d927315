// Credit modes, waits and polls: the same program gives the same data under all of them, at the times of the formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/channels.h"
#include "device/test_machine.h"

namespace tutti::device {
namespace {

using enum Direction;

const Time path_head = Time::ns(4 + 2 + 2 + 4) + Time::ps(300);  // PE 0 to PE 1 of one cube
Time path(std::int64_t bytes) { return path_head + serialization_time(Bytes(bytes), Bandwidth::gb_per_s(128)); }

struct Mode {
  const char* name;
  CreditMode mode;
  bool priority;
};
const Mode modes[] = {{"fast_path", CreditMode::fast_path, false},
                      {"link", CreditMode::link, false},
                      {"vc_mux", CreditMode::vc_mux, false},
                      {"vc_mux_priority", CreditMode::vc_mux, true},
                      {"piggyback", CreditMode::piggyback, false}};

IpcqConfig config(const Mode& m) {
  IpcqConfig c;
  c.credit_mode = m.mode;
  c.credit_priority = m.priority;
  return c;
}

struct Log {
  std::vector<Time> sent, received, released;
  std::vector<std::vector<std::byte>> data;
};
sim::Process<> sends(Pe& pe, Address source, std::uint64_t bytes, int n, Log& log, sim::Simulation& s) {
  for (int i = 0; i < n; ++i) {
    co_await pe.send(E, source, bytes);
    log.sent.push_back(s.now());
  }
}
sim::Process<> receives(Pe& pe, int n, Log& log, TestMachine& m, Time pause = {}) {
  for (int i = 0; i < n; ++i) {
    const ReceivedSlot slot = co_await pe.recv(W);
    log.received.push_back(m.simulation.now());
    log.data.push_back(m.bytes(slot.slot.address, slot.slot.nbytes));
    co_await pe.release(slot);
    log.released.push_back(m.simulation.now());
    if (pause != Time()) co_await m.simulation.delay(pause);
  }
}

TEST(Credit, a_blocking_release_waits_for_the_latency_of_its_mode) {
  for (const Mode& mode : modes) {
    const IpcqConfig c = config(mode);
    TestMachine m(fabric::profile("tiny"), {}, fabric_spec({}, c));
    m.pair(0, 1, c);
    Log a, b;
    m.machine().launch(0, sends(m.pe(0), m.tensor(BufferKind::tcm, 0, 64), 64, 1, a, m.simulation));
    m.machine().launch(1, receives(m.pe(1), 1, b, m));
    m.machine().run();
    Time wait = Time::ns(1) + path(16);
    if (mode.mode == CreditMode::link) wait = Time::ns(1) + path_head + Time::ns(1);  // 16 B at 16 GB/s
    if (mode.mode == CreditMode::piggyback) wait = Time();
    EXPECT_EQ(b.released[0] - b.received[0], wait) << mode.name;
    EXPECT_EQ(m.pe(0).ipcq().queue_pair(E).peer_tail_cache, 1u) << mode.name;
  }
}

sim::Process<> both_ways(Pe& pe, Address mine, int n, std::vector<std::vector<std::byte>>& got, TestMachine& m) {
  for (int i = 0; i < n; ++i) {
    co_await pe.send(E, mine + static_cast<Address>(i % 7), 512);
    co_await pe.send(W, mine + static_cast<Address>(i % 5), 256);
    for (const Direction d : {W, E}) {
      const ReceivedSlot slot = co_await pe.recv(d);
      got.push_back(m.bytes(slot.slot.address, slot.slot.nbytes));
      co_await pe.release(slot);
    }
  }
}

TEST(Credit, the_same_program_gives_the_same_data_under_every_mode_wait_and_latency) {
  std::vector<std::vector<std::vector<std::byte>>> first;
  for (const Mode& mode : modes)
    for (const CreditWait wait : {CreditWait::blocking, CreditWait::posted})
      for (const CreditLatency latency : {CreditLatency::full_path, CreditLatency::bottleneck_only})
        for (const Backpressure pressure : {Backpressure::sleep, Backpressure::poll})
          for (const std::uint32_t slots : {1u, 3u, 8u}) {
            IpcqConfig c = config(mode);
            c.credit_wait = wait;
            c.credit_latency = latency;
            c.backpressure = pressure;
            c.n_slots = slots;
            c.first_sequence = 0xFFFF'FFF0u;  // wire numbers wrap on the way
            TestMachine m(fabric::profile("tiny"), {}, fabric_spec({}, c));
            GroupPlan plan;
            plan.config = c;
            const int n = 5;
            for (int i = 0; i < n; ++i) {
              plan.pes.push_back(i);
              plan.ports.push_back({{E, (i + 1) % n, W}, {W, (i + n - 1) % n, E}});
            }
            m.machine().install(plan);
            std::vector<std::vector<std::vector<std::byte>>> got(n);
            for (int i = 0; i < n; ++i)
              m.machine().launch(i, both_ways(m.pe(i), m.tensor(BufferKind::tcm, i, 600, static_cast<unsigned>(i)), 40,
                                              got[static_cast<std::size_t>(i)], m));
            m.machine().run();
            ASSERT_EQ(got[0].size(), 80u);
            EXPECT_EQ(got[1][0], TestMachine::pattern(512, 0)) << mode.name;  // rank 0's first message
            if (first.empty()) first = got;
            EXPECT_EQ(got, first) << mode.name;
          }
}

TEST(Credit, a_held_credit_goes_alone_after_its_timeout) {
  IpcqConfig c = config(modes[4]);
  c.n_slots = 2;
  c.piggyback_low_water = 2;  // never
  TestMachine m;
  m.pair(0, 1, c);
  Log a, b;
  m.machine().launch(0, sends(m.pe(0), 0, 0, 3, a, m.simulation));
  m.machine().launch(1, receives(m.pe(1), 3, b, m, Time::us(1)));
  m.machine().run();
  EXPECT_EQ(a.sent[2], b.released[0] + Time::ns(100) + Time::ns(1) + path(16));
}

TEST(Credit, a_held_credit_goes_alone_at_low_water_and_at_the_end_of_the_kernel) {
  IpcqConfig c = config(modes[4]);
  c.n_slots = 4;
  c.piggyback_timeout = Time::us(50);
  c.piggyback_low_water = 0.5;
  TestMachine low;
  low.pair(0, 1, c);
  Log a, b;
  low.machine().launch(0, sends(low.pe(0), 0, 0, 6, a, low.simulation));
  low.machine().launch(1, receives(low.pe(1), 6, b, low, Time::us(1)));
  low.machine().run();
  EXPECT_EQ(a.sent[4], b.released[1] + Time::ns(1) + path(16));  // two of four are free

  c.piggyback_low_water = 2;
  TestMachine end;
  end.pair(0, 1, c);
  Log p, q;
  end.machine().launch(0, sends(end.pe(0), 0, 0, 1, p, end.simulation));
  end.machine().launch(1, receives(end.pe(1), 1, q, end));
  end.machine().run();
  EXPECT_EQ(end.pe(0).ipcq().queue_pair(E).peer_tail_cache, 1u);  // the last credit is not lost
  EXPECT_EQ(end.pe(1).ipcq().use(W).credits, 1u);
}

TEST(Credit, an_acknowledgement_rides_with_the_next_message_and_adds_its_bytes) {
  IpcqConfig c = config(modes[4]);
  c.piggyback_timeout = Time::us(50);
  TestMachine m;
  m.pair(0, 1, c);
  Log log;
  struct Kernels {
    static sim::Process<> first(Pe& pe, Address a) {
      co_await pe.send(E, a, 64);
      const ReceivedSlot back = co_await pe.recv(E);
      co_await pe.release(back);
    }
    static sim::Process<> second(Pe& pe, Address a, Time& sent, sim::Simulation& s) {
      const ReceivedSlot got = co_await pe.recv(W);
      co_await pe.release(got);
      co_await pe.send(W, a, 120);
      sent = s.now();
    }
  };
  Time sent;
  m.machine().launch(0, Kernels::first(m.pe(0), m.tensor(BufferKind::tcm, 0, 64)));
  m.machine().launch(1, Kernels::second(m.pe(1), m.tensor(BufferKind::tcm, 1, 120), sent, m.simulation));
  m.machine().run();
  EXPECT_EQ(m.pe(1).ipcq().use(W).acknowledgements, 1u);
  EXPECT_EQ(m.pe(1).ipcq().use(W).credits, 0u);
  // 120 + 8 bytes travel; then slot write, metadata, recv.
  EXPECT_EQ(m.pe(0).kernel_end, sent + path(128) + Time::ns(4 + 1 + 2));
}

TEST(Credit, a_mode_with_its_own_channel_is_refused_on_links_without_one) {
  TestMachine m;
  EXPECT_THROW(m.pair(0, 1, config(modes[1])), ModelError);
}

// ---- Polling
TEST(Credit, polls_see_a_full_slot_and_missing_data_at_the_first_poll_after_the_change_and_cost_no_events) {
  IpcqConfig c;
  c.backpressure = Backpressure::poll;
  c.n_slots = 1;
  c.credit_wait = CreditWait::posted;
  c.poll_interval = Time::ns(7);
  TestMachine m;
  m.pair(0, 1, c);
  Log a, b;
  m.machine().launch(0, sends(m.pe(0), 0, 0, 2, a, m.simulation));
  m.machine().launch(1, receives(m.pe(1), 2, b, m, Time::us(100)));
  m.machine().run();
  const auto polled = [](Time start, Time condition) {
    Time t = start;
    while (t < condition) t += Time::ns(7);
    return t;
  };
  const Time data = Time::ns(9) + path(0) + Time::ns(5);
  EXPECT_EQ(b.received[0], polled(Time::ns(6), data) + Time::ns(2));
  const Time second_check = Time::ns(9 + 9), credit = b.released[0] + Time::ns(1) + path(16);
  EXPECT_EQ(a.sent[1], polled(second_check, credit));
  EXPECT_LT(m.simulation.events(), 100u);
}

}  // namespace
}  // namespace tutti::device
