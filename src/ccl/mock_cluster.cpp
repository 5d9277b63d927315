#include "ccl/mock_cluster.h"

#include <array>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "ccl/helpers.h"
#include "ccl/run_schedule.h"
#include "memory/gemm.h"
#include "memory/store.h"
#include "sim/channel.h"
#include "sim/simulation.h"

namespace tutti::ccl {
namespace {

struct MockBarrier {
  int entered = 0;
  std::uint64_t generation = 0;
  sim::Gate changed{"the other ranks (barrier)"};
};

class MockEndpoint final : public Endpoint {
 public:
  using Endpoint::wait;
  static constexpr Address ring_base = Address{1} << 40;

  MockEndpoint(int rank, int world_size, const MockCluster& c, MockBarrier& barriers)
      : rank_(rank),
        world_size_(world_size),
        slots_(c.n_slots),
        slot_bytes_(c.slot_size),
        barriers_(&barriers),
        store_(fmt::format("memory of rank {}", rank), Address{1} << 41) {}

  struct Queue {
    MockEndpoint* peer = nullptr;
    Port back{};
    std::uint64_t my_head = 0, my_tail = 0, peer_head_cache = 0, peer_tail_cache = 0, held = 0;
    std::vector<Bytes> sizes;
    std::vector<char> released;
    bool sends = false;
  };

  void need_ports(std::size_t n) {
    if (queues_.size() < n) queues_.resize(n);
  }
  void connect(Port p, MockEndpoint& peer, Port back) {
    queue(p).peer = &peer, queue(p).back = back, queue(p).sends = true;
    queue(p).sizes.resize(slots_), queue(p).released.resize(slots_);
    Queue& other = peer.queue(back);
    other.peer = this, other.back = p;
    other.sizes.resize(slots_), other.released.resize(slots_);
  }

  sim::Process<> send(Port p, Address source, Bytes size, Where where) override {
    check(p, true, where);
    if (size > slot_bytes_)
      throw ModelError(fmt::format("rank {} sends {} bytes to {}; a slot holds {} ({})", rank_, size.count(), name(p),
                                   slot_bytes_.count(), place(where)));
    Queue& q = queue(p);
    while (q.my_head - q.peer_tail_cache >= slots_) co_await blocked("a free slot of the peer", p, where);
    std::vector<std::byte> bytes(static_cast<std::size_t>(size.count()));
    store_.read(source, bytes);
    Queue& other = q.peer->queue(q.back);
    q.peer->store_.write(q.peer->slot_address(q.back, q.my_head), bytes);
    other.sizes[q.my_head % slots_] = size;
    ++q.my_head;
    ++other.peer_head_cache;
    q.peer->changed_.notify_all();
  }

  sim::Process<Slot> receive(Port p, Where where) override {
    check(p, false, where);
    while (!probe(p)) co_await blocked("data", p, where);
    co_return take(p);
  }

  sim::Process<Slot> receive_any(Where where) override {
    for (;;) {
      for (std::size_t i = 1; i <= max_ports; ++i) {
        const auto p = static_cast<Port>((last_ + i) % max_ports);
        if (!queue(p).peer || !probe(p)) continue;
        last_ = index(p);
        co_return take(p);
      }
      waiting_ = fmt::format("data from any port at {}", place(where));
      co_await changed_.wait();
    }
  }

  sim::Process<> release(Slot slot, Where) override {
    release_posted(slot);
    slot.forget();
    co_return;
  }

  void release_posted(const Slot& slot) noexcept override {
    Queue& q = queue(slot.port());
    --q.held;
    Queue& other = q.peer->queue(q.back);
    q.released[slot.sequence() % slots_] = true;
    // A credit covers all messages up to its own, so one that is given back early waits for those before it.
    while (other.peer_tail_cache < q.my_tail && q.released[other.peer_tail_cache % slots_])
      q.released[other.peer_tail_cache++ % slots_] = false;
    q.peer->changed_.notify_all();
  }

  bool probe(Port p) const override { return queue(p).peer_head_cache != queue(p).my_tail; }
  std::uint32_t credits(Port p) const override {
    return slots_ - static_cast<std::uint32_t>(queue(p).my_head - queue(p).peer_tail_cache);
  }
  bool has(Port p) const override { return queue(p).peer != nullptr; }
  std::uint32_t n_slots(Port) const override { return slots_; }
  Bytes slot_size(Port) const override { return slot_bytes_; }

  sim::Process<> reduce(memory::ReduceOp op, memory::DType t, Address accumulator, Address operand,
                        std::int64_t elements, Where) override {
    const auto bytes = static_cast<std::size_t>(elements * memory::size_of(t));
    std::vector<std::byte> a(bytes), b(bytes);
    store_.read(accumulator, a);
    store_.read(operand, b);
    memory::reduce(op, t, a.data(), b.data(), elements);
    store_.write(accumulator, a);
    co_return;
  }

  sim::Process<> copy(Address destination, Address source, Bytes size, Where) override {
    std::vector<std::byte> bytes(static_cast<std::size_t>(size.count()));
    store_.read(source, bytes);
    store_.write(destination, bytes);
    co_return;
  }

  Pending composite(const Gemm& g, Where) override {
    const auto width = static_cast<std::size_t>(memory::size_of(g.dtype));
    std::vector<std::byte> a(static_cast<std::size_t>(g.m * g.k) * width),
        b(static_cast<std::size_t>(g.k * g.n) * width), c(static_cast<std::size_t>(g.m * g.n) * width);
    store_.read(g.a, a);
    store_.read(g.b, b);
    if (g.accumulate) store_.read(g.c, c);
    memory::gemm(g.dtype, a.data(), b.data(), c.data(), g.m, g.n, g.k, g.accumulate);
    store_.write(g.c, c);
    return {};
  }
  sim::Process<> wait(Pending, Where) override { co_return; }

  sim::Process<> barrier(Where where) override {
    const std::uint64_t mine = barriers_->generation;
    if (++barriers_->entered == world_size_) {
      barriers_->entered = 0, ++barriers_->generation;
      barriers_->changed.notify_all();
      co_return;
    }
    waiting_ = fmt::format("the other ranks (barrier) at {}", place(where));
    while (barriers_->generation == mine) co_await barriers_->changed.wait();
  }

  int program_id(int axis) const override { return axis == 0 ? rank_ : 0; }
  int num_programs(int axis) const override { return axis == 0 ? world_size_ : 1; }

  memory::Space& store() { return store_; }
  const std::string& waiting() const { return waiting_; }
  int rank() const { return rank_; }
  bool ended = false;

  std::string pointers(Port p) const {
    const Queue& q = queue(p);
    return fmt::format("{}: my_head {} my_tail {} peer_head_cache {} peer_tail_cache {}", name(p), q.my_head, q.my_tail,
                       q.peer_head_cache, q.peer_tail_cache);
  }

  void check_no_leak() const {
    for (std::size_t i = 0; i < queues_.size(); ++i) {
      const Queue& q = queues_[i];
      if (q.peer && (q.peer_head_cache != q.my_tail || q.held))
        throw ModelError(fmt::format("rank {} has ended with {} messages unread and {} slots unreleased at {}", rank_,
                                     q.peer_head_cache - q.my_tail, q.held, pointers(static_cast<Port>(i))),
                         ExitCode::deadlock);
    }
  }

 private:
  Queue& queue(Port p) { return queues_[index(p)]; }
  const Queue& queue(Port p) const { return queues_[index(p)]; }
  static std::string place(const Where& w) { return fmt::format("{}:{}", w.file_name(), w.line()); }
  Address slot_address(Port p, std::uint64_t sequence) const {
    return ring_base + (static_cast<Address>(index(p)) << 32) +
           sequence % slots_ * static_cast<Address>(slot_bytes_.count());
  }
  void misused(const std::string& what) const override { throw ModelError(fmt::format("rank {}: {}", rank_, what)); }
  void check(Port p, bool sending, const Where& where) const {
    if (!queue(p).peer || (sending && !queue(p).sends))
      throw ModelError(
          fmt::format("IpcqInvalidDirection: rank {} has no neighbour at {} ({})", rank_, name(p), place(where)));
  }
  sim::Gate::Wait blocked(const char* what, Port p, const Where& where) {
    const Queue& q = queue(p);
    waiting_ = fmt::format("{} at port {} ({}), from rank {}{}; {}", what, name(p), place(where), q.peer->rank_,
                           q.peer->ended ? ", which has ended" : "", pointers(p));
    return changed_.wait();
  }
  Slot take(Port p) {
    Queue& q = queue(p);
    const std::uint64_t sequence = q.my_tail++;
    ++q.held;
    return Slot(*this, p, slot_address(p, sequence), q.sizes[sequence % slots_], sequence);
  }

  int rank_, world_size_;
  std::uint32_t slots_;
  Bytes slot_bytes_;
  MockBarrier* barriers_;
  memory::Space store_;
  std::vector<Queue> queues_ = std::vector<Queue>(max_ports);
  std::size_t last_ = max_ports - 1;
  sim::Gate changed_{"a change of the queues"};
  std::string waiting_;
};

sim::Process<> run_rank(const Kernel& kernel, MockEndpoint& endpoint, KernelArgs args) {
  co_await kernel.run(endpoint, args);
  endpoint.ended = true;
}

}  // namespace

void MockCluster::run(const Kernel& kernel, KernelArgs args, std::vector<std::vector<std::byte>>& tensors) const {
  const std::string_view chosen = topology.empty() ? kernel.topology : topology;
  const auto neighbors = neighbors_for(kernel, chosen, world_size, grid);
  MockBarrier barriers;
  const auto pairs = pair_ports(neighbors, is_one_way(chosen));
  std::vector<std::unique_ptr<MockEndpoint>> endpoints;
  for (int r = 0; r < world_size; ++r)
    endpoints.push_back(std::make_unique<MockEndpoint>(r, world_size, *this, barriers));
  sim::Simulation simulation;
  for (std::size_t r = 0; r < endpoints.size(); ++r) {
    for (std::size_t p = 0; p < max_ports; ++p)
      if (neighbors[r][p])
        endpoints[r]->connect(static_cast<Port>(p), *endpoints[static_cast<std::size_t>(*neighbors[r][p])],
                              *pairs[r][p]);
    endpoints[r]->store().write(args.tensor, tensors[r]);
    args.rank = static_cast<int>(r);
    args.world_size = world_size;
    args.grid = grid_of(chosen, world_size, grid);
    args.output = Address{1} << 34, args.scratch = Address{1} << 35;
    simulation.spawn(run_rank(kernel, *endpoints[r], args), fmt::format("rank {}", r));
  }
  simulation.run_before(Time::max());
  std::string dead;
  for (const auto& e : endpoints)
    if (!e->ended) dead += fmt::format("\n  rank {} waits for {}", e->rank(), e->waiting());
  if (!dead.empty()) throw DeadlockError("deadlock: these ranks can never go on:" + dead);
  for (std::size_t r = 0; r < endpoints.size(); ++r) {
    endpoints[r]->check_no_leak();
    if (kernel.collective == "all_to_all") {
      const Piece own = part({0, args.elements}, world_size, static_cast<std::int64_t>(r));
      tensors[r].resize(static_cast<std::size_t>(own.elements * world_size * memory::size_of(args.dtype)));
      endpoints[r]->store().read(args.output, tensors[r]);
    } else {
      endpoints[r]->store().read(args.tensor, tensors[r]);
    }
  }
}

namespace {

sim::Process<> run_rank(sim::Simulation& simulation, MockEndpoint& endpoint, const plan::Schedule& schedule,
                        const Wiring& wiring, ScheduleArgs args) {
  co_await run_schedule(simulation, endpoint, schedule, wiring, args);
  endpoint.ended = true;
}

}  // namespace

void MockCluster::run(const plan::Schedule& schedule, memory::DType dtype, memory::ReduceOp op,
                      const std::vector<std::vector<std::byte>>& inputs,
                      std::vector<std::vector<std::byte>>& outputs) const {
  const plan::Collective& c = schedule.collective;
  const std::int64_t width = memory::size_of(dtype);
  const Wiring wiring = wire(schedule);
  MockBarrier barriers;
  std::vector<std::unique_ptr<MockEndpoint>> endpoints;
  for (int r = 0; r < c.ranks; ++r) {
    endpoints.push_back(std::make_unique<MockEndpoint>(r, c.ranks, *this, barriers));
    endpoints.back()->need_ports(wiring.ports[static_cast<std::size_t>(r)].size());
  }
  ScheduleArgs args{Address{1} << 32, Address{1} << 34, Address{1} << 35, dtype, op, 0};
  const auto offset = [&](std::int64_t elements) { return static_cast<Address>(elements * width); };
  sim::Simulation simulation;
  for (std::size_t r = 0; r < endpoints.size(); ++r) {
    args.rank = static_cast<int>(r);
    for (std::size_t p = 0; p < wiring.ports[r].size(); ++p)
      if (const auto& line = wiring.ports[r][p]; line.sends)
        endpoints[r]->connect(static_cast<Port>(p), *endpoints[static_cast<std::size_t>(line.peer)],
                              static_cast<Port>(line.back));
    const Address input = schedule.in_place ? args.output + offset(c.input_offset(args.rank)) : args.input;
    endpoints[r]->store().write(input, inputs[r]);
    simulation.spawn(run_rank(simulation, *endpoints[r], schedule, wiring, args), fmt::format("rank {}", r));
  }
  simulation.run();
  outputs.resize(endpoints.size());
  for (std::size_t r = 0; r < endpoints.size(); ++r) {
    endpoints[r]->check_no_leak();
    outputs[r].assign(offset(c.output_size(static_cast<int>(r))), {});
    const Address output = args.output + (schedule.in_place ? offset(c.output_offset(static_cast<int>(r))) : 0);
    for (const plan::Content& have : c.expected(static_cast<int>(r)))
      endpoints[r]->store().read(output + offset(have.where.begin),
                                 std::span(outputs[r]).subspan(offset(have.where.begin), offset(have.where.count)));
  }
}

}  // namespace tutti::ccl
