#include "device/scheduler.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "device/test_machine.h"

namespace tutti::device {
namespace {

struct Ends {
  Time started, ended;
};
sim::Process<> product(Pe& pe, GemmCall g, Ends& r, sim::Simulation& s) {
  const std::uint64_t number = pe.composite(g);
  r.started = s.now();
  co_await pe.wait_composite(number);
  r.ended = s.now();
}

Address floats(TestMachine& m, BufferKind kind, const std::vector<float>& values) {
  const Address at = m.machine().allocate(kind, 0, values.size() * 4);
  m.machine().memory().write(at, std::as_bytes(std::span(values)));
  return at;
}

/// A product of `tiles` tiles along k, all elements small integers, so that any order gives the same sums.
Ends run(TestMachine& m, std::int64_t tiles, BufferKind a_kind) {
  GemmCall g;
  g.m = 32, g.n = 32, g.k = 64 * tiles, g.dtype = memory::DType::f32;
  std::vector<float> a(static_cast<std::size_t>(g.m * g.k)), b(static_cast<std::size_t>(g.k * g.n));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5);
  g.a = floats(m, a_kind, a);
  g.b = floats(m, BufferKind::tcm, b);
  g.c = m.machine().allocate(BufferKind::tcm, 0, 32 * 32 * 4);
  Ends r;
  m.machine().launch(0, product(m.pe(0), g, r, m.simulation));
  m.machine().run();
  const auto c = m.bytes(g.c, 32 * 32 * 4);
  for (std::size_t i = 0; i < 32; ++i)
    for (std::size_t j = 0; j < 32; ++j) {
      float sum = 0, got = 0;
      for (std::size_t l = 0; l < static_cast<std::size_t>(g.k); ++l)
        sum += a[i * static_cast<std::size_t>(g.k) + l] * b[l * 32 + j];
      std::memcpy(&got, c.data() + (i * 32 + j) * 4, 4);
      EXPECT_EQ(got, sum);
    }
  return r;
}

// A tile of 32 x 64 x 32 f32: fetch 5 + 16384 B / 512, GEMM 65536 / 8192, store 4 + 4096 B / 512.
constexpr int fetch = 5 + 32, macs = 8, store = 4 + 8;

TEST(Scheduler, one_tile_in_tcm_costs_schedule_fetch_startup_product_and_store) {
  TestMachine m;
  const Ends r = run(m, 1, BufferKind::tcm);
  EXPECT_EQ(r.started, Time());
  EXPECT_EQ(r.ended, Time::ns(1 + fetch + 16 + macs + store));
}

TEST(Scheduler, tiles_along_k_stay_in_the_engine_and_are_stored_once) {
  TestMachine m;
  EXPECT_EQ(run(m, 3, BufferKind::tcm).ended, Time::ns(1 + 3 * fetch + 16 + 3 * macs + store));
}

TEST(Scheduler, an_operand_in_hbm_comes_by_dma_while_the_tile_before_is_computed) {
  TestMachine one, three;
  // Request 6 ns, read 100, 8192 B at 128 GB/s and 6 ns back.
  const int bring = 6 + 100 + 64 + 6;
  EXPECT_EQ(run(one, 1, BufferKind::hbm).ended, Time::ns(1 + bring + fetch + 16 + macs + store));
  EXPECT_EQ(run(three, 3, BufferKind::hbm).ended, Time::ns(1 + 3 * bring + fetch + macs + store));
}

TEST(Scheduler, two_composites_share_the_engine) {
  struct Kernel {
    static sim::Process<> both(Pe& pe, GemmCall g, GemmCall h, Ends& r, sim::Simulation& s) {
      const std::uint64_t first = pe.composite(g), second = pe.composite(h);
      co_await pe.wait_composite(second);
      co_await pe.wait_composite(first);
      r.ended = s.now();
    }
  };
  TestMachine m;
  const Address a = floats(m, BufferKind::tcm, std::vector<float>(32 * 64, 1)),
                b = floats(m, BufferKind::tcm, std::vector<float>(64 * 32, 1));
  GemmCall g{a, b, m.machine().allocate(BufferKind::tcm, 0, 4096), 32, 32, 64, memory::DType::f32, false};
  GemmCall h = g;
  h.c = m.machine().allocate(BufferKind::tcm, 0, 4096);
  Ends r;
  m.machine().launch(0, Kernel::both(m.pe(0), g, h, r, m.simulation));
  m.machine().run();
  EXPECT_EQ(r.ended, Time::ns(1 + 2 * fetch + 16 + macs + store));  // the second product waits for the fetch unit only
  EXPECT_EQ(m.pe(0).scheduler().gemm_busy, Time::ns(2 * (16 + macs)));
}

TEST(Scheduler, a_composite_is_waited_for_once_and_needs_a_size) {
  struct Kernel {
    static sim::Process<> twice(Pe& pe, GemmCall g) {
      const std::uint64_t n = pe.composite(g);
      co_await pe.wait_composite(n);
      co_await pe.wait_composite(n);
    }
  };
  TestMachine m;
  const Address a = floats(m, BufferKind::tcm, {1, 2});
  GemmCall g{a, a, m.machine().allocate(BufferKind::tcm, 0, 4), 1, 1, 2, memory::DType::f32, false};
  m.machine().launch(0, Kernel::twice(m.pe(0), g));
  EXPECT_THROW(m.machine().run(), ModelError);
  g.k = 0;
  EXPECT_THROW(m.pe(0).composite(g), ModelError);
}

}  // namespace
}  // namespace tutti::device
