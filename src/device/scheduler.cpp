#include "device/scheduler.h"

#include <algorithm>

#include "base/error.h"
#include "device/dma.h"

namespace tutti::device {

struct Scheduler::Operation {
  Operation(Engine e, std::vector<TileToken> t, std::function<void()> f, const std::string& owner)
      : engine(e),
        tiles(std::move(t)),
        finish(std::move(f)),
        brought("a tile (GEMM, MATH)", owner, depth),
        computed("a result (store)", owner, depth),
        done("the end of a composite", owner) {}
  Engine engine;
  std::vector<TileToken> tiles;
  std::function<void()> finish;
  sim::Channel<std::size_t> brought, computed;
  sim::Gate done;
  bool waited = false;
};

std::vector<TileToken> gemm_tiles(const MachineSpec::Gemm& engine, const GemmCall& call, bool a_here, bool b_here,
                                  bool c_here) {
  const std::int64_t width = memory::size_of(call.dtype);
  std::vector<TileToken> tiles;
  const auto bytes = [width](std::int64_t r, std::int64_t c) { return static_cast<std::uint64_t>(r * c * width); };
  for (std::int64_t i = 0; i < call.m; i += engine.tile_m)
    for (std::int64_t j = 0; j < call.n; j += engine.tile_n) {
      const std::int64_t m = std::min(engine.tile_m, call.m - i), n = std::min(engine.tile_n, call.n - j);
      for (std::int64_t l = 0; l < call.k; l += engine.tile_k) {
        const std::int64_t k = std::min(engine.tile_k, call.k - l);
        TileToken t;
        if (!a_here) t.in[0] = {call.a, bytes(m, k)};
        if (!b_here) t.in[1] = {call.b, bytes(k, n)};
        t.fetch_bytes = bytes(m, k) + bytes(k, n);
        t.compute = Time::ps((m * n * k * 1000 + engine.macs_per_ns - 1) / engine.macs_per_ns);
        if (l + engine.tile_k >= call.k) {
          t.store_bytes = bytes(m, n);
          if (!c_here) t.out = {call.c, bytes(m, n)};
        }
        tiles.push_back(t);
      }
    }
  return tiles;
}

std::uint64_t Scheduler::start(Engine engine, std::vector<TileToken> tiles, std::function<void()> finish) {
  auto op = std::make_shared<Operation>(engine, std::move(tiles), std::move(finish), name_);
  operations_.push_back(op);
  ++running_;
  env_.simulation.spawn(bring(*this, op), "DMA in of a composite");
  env_.simulation.spawn(compute(*this, op), "engine of a composite");
  env_.simulation.spawn(deliver(*this, op), "store of a composite");
  return operations_.size() - 1;
}

sim::Process<> Scheduler::wait(std::uint64_t number, Where where) {
  if (number >= operations_.size() || !operations_[number] || operations_[number]->waited)
    throw ModelError(name_ + ": wait for a composite that was not started, or a second time");
  const std::shared_ptr<Operation> op = operations_[number];
  op->waited = true;
  co_await op->done.wait(where);
  operations_[number].reset();
}

sim::Process<> Scheduler::bring(Scheduler& s, std::shared_ptr<Operation> op) {
  co_await s.env_.simulation.delay(s.env_.spec.scheduler.overhead);
  for (std::size_t i = 0; i < op->tiles.size(); ++i) {
    for (const TilePiece& p : op->tiles[i].in)
      if (p.bytes != 0) co_await touch_read(s.env_, s.node_, s.name_, p.address, p.bytes, vc_compute);
    co_await op->brought.send(i);
  }
}

sim::Process<> Scheduler::compute(Scheduler& s, std::shared_ptr<Operation> op) {
  const MachineSpec& spec = s.env_.spec;
  sim::Resource& engine = op->engine == Engine::gemm ? s.gemm_ : s.math_;
  Time& busy = op->engine == Engine::gemm ? s.gemm_busy : s.math_busy;
  for (std::size_t n = 0; n < op->tiles.size(); ++n) {
    const std::size_t i = co_await op->brought.get();
    const TileToken& t = op->tiles[i];
    co_await s.fetch_.acquire();
    co_await s.env_.simulation.delay(
        spec.tcm.read + serialization_time(Bytes(static_cast<std::int64_t>(t.fetch_bytes)), spec.tcm_port));
    s.fetch_.release();
    co_await engine.acquire();
    const Time startup = n != 0 ? Time() : op->engine == Engine::gemm ? spec.gemm.startup : spec.math.startup;
    co_await s.env_.simulation.delay(startup + t.compute);
    busy += startup + t.compute;
    engine.release();
    co_await op->computed.send(i);
  }
}

sim::Process<> Scheduler::deliver(Scheduler& s, std::shared_ptr<Operation> op) {
  const MachineSpec& spec = s.env_.spec;
  for (std::size_t n = 0; n < op->tiles.size(); ++n) {
    const std::size_t i = co_await op->computed.get();
    const TileToken& t = op->tiles[i];
    if (t.store_bytes != 0) {
      co_await s.store_.acquire();
      co_await s.env_.simulation.delay(
          spec.tcm.write + serialization_time(Bytes(static_cast<std::int64_t>(t.store_bytes)), spec.tcm_port));
      s.store_.release();
    }
    if (t.out.bytes != 0) co_await touch_write(s.env_, s.node_, s.name_, t.out.address, t.out.bytes, vc_compute);
  }
  op->finish();
  --s.running_;
  op->done.open();
}

}  // namespace tutti::device
