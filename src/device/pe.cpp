#include "device/pe.h"

#include <vector>

#include "base/error.h"
#include "device/dma.h"
#include "device/ipcq/errors.h"
#include "device/math.h"
#include "memory/gemm.h"

namespace tutti::device {

Pe::Pe(Environment& env, std::int32_t pe_index, PeId id)
    : env_(env),
      index_(pe_index),
      id_(id),
      node_(env.fabric.graph().node(path(id) + ".pe_dma")),
      ipcq_(env, pe_index, id, node_, time_),
      scheduler_(env, node_, ipcq_.name()),
      mmu_(path(id), env.spec.mmu) {}

sim::Process<> Pe::send_typed(Direction port, Address source, memory::DType dtype, std::int64_t elements, Where where) {
  return ipcq_.send(port, source, static_cast<std::uint64_t>(elements * memory::size_of(dtype)), where,
                    static_cast<std::uint8_t>(1 + static_cast<int>(dtype)));
}

sim::Process<ReceivedSlot> Pe::recv_typed(Direction port, memory::DType dtype, std::int64_t elements, Where where) {
  const ReceivedSlot held = co_await recv(port, where);
  const auto bytes = static_cast<std::uint64_t>(elements * memory::size_of(dtype));
  const auto sent = [&held] {
    return held.slot.type == 0 ? std::string("untyped")
                               : std::string(memory::to_string(static_cast<memory::DType>(held.slot.type - 1)));
  };
  if (held.slot.type != 1 + static_cast<int>(dtype) || held.slot.nbytes != bytes)
    throw IpcqTypeMismatch(name() + ": recv " + std::string(device::name(port)) + " of " + std::to_string(elements) +
                           " " + std::string(memory::to_string(dtype)) + " (" + std::to_string(bytes) + " B) got " +
                           std::to_string(held.slot.nbytes) + " B of " + sent() + " as message " +
                           std::to_string(held.slot.sequence));
  co_return held;
}

sim::Process<Address> Pe::translate(VirtAddr at, std::uint64_t bytes) {
  const Mmu::Translation t = mmu_.translate(at, bytes);
  co_await env_.simulation.delay(t.time);
  time_.memory += t.time;
  co_return t.address;
}

std::uint32_t Pe::credits(Direction port) const {
  const IpcqQueuePair& qp = ipcq_.queue_pair(port);
  return static_cast<std::uint32_t>(qp.peer.n_slots - (qp.my_head - qp.peer_tail_cache));
}

sim::Process<std::vector<ReceivedSlot>> Pe::recv_all(std::vector<Direction> ports, Where where) {
  std::vector<ReceiveTicket> tickets;
  for (const Direction d : ports) {
    const ReceiveTicket t = co_await recv_async(d, where);
    tickets.push_back(t);
  }
  std::vector<ReceivedSlot> slots;
  for (const ReceiveTicket& t : tickets) {
    const ReceivedSlot s = co_await wait(t, where);
    slots.push_back(s);
  }
  co_return slots;
}

sim::Process<ReceivedSlot> Pe::send_recv(Direction to, Address source, std::uint64_t bytes, Direction from,
                                         Where where) {
  const ReceiveTicket ticket = co_await recv_async(from, where);
  co_await send(to, source, bytes, where);
  co_return co_await wait(ticket, where);
}

sim::Process<std::uint64_t> Pe::recv_to(Direction port, Address destination, std::uint64_t capacity, Where where) {
  const ReceivedSlot held = co_await recv(port, where);
  const std::uint64_t bytes = held.slot.nbytes;
  if (bytes > capacity)
    throw ModelError(name() + ": received " + std::to_string(bytes) + " B for a buffer of " + std::to_string(capacity));
  if (bytes != 0) co_await copy(destination, held.slot.address, bytes, where);
  co_await release(held, where);
  co_return bytes;
}

bool Pe::in_tcm(Address address) const {
  const MemoryPart& part = env_.memory.part(address);
  return part.kind->in_pe && part.owner == index_;
}

int Pe::program_id(int axis) const {
  const std::array<std::uint32_t, 3> axes = {id_.pe, id_.cube, id_.sip};
  if (axis < 0 || axis > 2) throw ModelError("program_id: axis is 0 (PE), 1 (cube) or 2 (SIP)");
  return static_cast<int>(axes[static_cast<std::size_t>(axis)]);
}

sim::Process<> Pe::reduce(memory::ReduceOp op, memory::DType dtype, Address accumulator, Address operand,
                          std::int64_t elements, Where where) {
  const Time begin = env_.simulation.now();
  const Time issue = env_.spec.cpu.dispatch + env_.spec.scheduler.overhead;
  co_await env_.simulation.delay(issue);
  time_.issue += issue;
  const auto bytes = static_cast<std::size_t>(elements * memory::size_of(dtype));
  const bool operand_here = in_tcm(operand), accumulator_here = in_tcm(accumulator);
  std::vector<std::byte> a(bytes), b(bytes);
  const Time fetch = env_.simulation.now();
  if (!operand_here) co_await read_memory(env_, node_, name(), operand, b, vc_compute);
  if (!accumulator_here) co_await read_memory(env_, node_, name(), accumulator, a, vc_compute);
  const Time start = env_.simulation.now();
  time_.memory += start - fetch;

  co_await scheduler_.math().acquire(where);
  if (env_.spec.tcm_bank_conflicts) {
    const Time streams =
        env_.spec.tcm.read + serialization_time(Bytes(static_cast<std::int64_t>(bytes)), env_.spec.tcm_port);
    Time waits;
    for (const auto& [here, at] : {std::pair{operand_here, operand}, std::pair{accumulator_here, accumulator}})
      if (here) waits = std::max(waits, env_.memory.claim_banks(at, bytes, env_.simulation.now(), streams));
    if (waits != Time()) co_await env_.simulation.delay(waits);
  }
  if (operand_here) env_.memory.read(operand, b);
  if (accumulator_here) env_.memory.read(accumulator, a);
  co_await env_.simulation.delay(env_.spec.tcm.read + math_time(env_.spec.math, dtype, elements) + env_.spec.tcm.write);
  memory::reduce(op, dtype, a.data(), b.data(), elements);
  if (accumulator_here) env_.memory.write(accumulator, a);
  scheduler_.math().release();
  time_.reduction += env_.simulation.now() - start;
  Time end = env_.simulation.now();
  if (!accumulator_here) {
    end = co_await write_memory(env_, node_, name(), accumulator, a, vc_compute);
    time_.memory += env_.simulation.now() - end;
  }
  env_.record(&Recorder::reduced, ReduceRecord{index_, op, dtype, accumulator, operand, elements, where}, begin, end);
}

sim::Process<> Pe::copy(Address destination, Address source, std::uint64_t bytes, Where where) {
  const Time begin = env_.simulation.now();
  const bool from_here = in_tcm(source), to_here = in_tcm(destination);
  const Time issue =
      env_.spec.cpu.dispatch + (from_here && to_here ? env_.spec.scheduler.overhead : env_.spec.cpu.mmio);
  co_await env_.simulation.delay(issue);
  time_.issue += issue;
  const Time start = env_.simulation.now();
  std::vector<std::byte> data(bytes);
  Time end;
  if (from_here && to_here) {
    env_.memory.read(source, data);
    co_await env_.simulation.delay(env_.spec.tcm.read +
                                   serialization_time(Bytes(static_cast<std::int64_t>(bytes)), env_.spec.tcm_port) +
                                   env_.spec.tcm.write);
  } else if (!from_here) {
    co_await read_memory(env_, node_, name(), source, data, vc_compute);
    if (to_here) co_await env_.simulation.delay(env_.spec.tcm.write);
  }
  if (to_here) {
    env_.memory.write(destination, data);
    end = env_.simulation.now();
  } else {
    end = co_await write_memory(env_, node_, name(), destination, data, vc_compute, from_here ? source : 0);
  }
  time_.memory += env_.simulation.now() - start;
  env_.record(&Recorder::copied, CopyRecord{index_, destination, source, bytes, where}, begin, end);
}

std::uint64_t Pe::composite(const GemmCall& g, Where where) {
  if (g.m < 1 || g.n < 1 || g.k < 1) throw ModelError(name() + ": a matrix product needs m, n and k of at least 1");
  const auto size = [&g](std::int64_t r, std::int64_t c) {
    return static_cast<std::size_t>(r * c * memory::size_of(g.dtype));
  };
  auto a = std::make_shared<std::vector<std::byte>>(size(g.m, g.k));
  auto b = std::make_shared<std::vector<std::byte>>(size(g.k, g.n));
  auto c = std::make_shared<std::vector<std::byte>>(size(g.m, g.n));
  env_.memory.read(g.a, *a);
  env_.memory.read(g.b, *b);
  if (g.accumulate) env_.memory.read(g.c, *c);
  const GemmRecord record{index_, g.dtype, g.a, g.b, g.c, g.m, g.n, g.k, g.accumulate, where};
  const std::uint64_t number = scheduler_.next();
  env_.record(&Recorder::gemm_started, record, number, env_.simulation.now());
  return scheduler_.start(Scheduler::Engine::gemm, gemm_tiles(env_.spec.gemm, g, in_tcm(g.a), in_tcm(g.b), in_tcm(g.c)),
                          [this, g, a, b, c, record, number] {
                            memory::gemm(g.dtype, a->data(), b->data(), c->data(), g.m, g.n, g.k, g.accumulate);
                            env_.memory.write(g.c, *c);
                            env_.record(&Recorder::gemm_ended, record, number, env_.simulation.now());
                          });
}

std::uint64_t Pe::composite(memory::ReduceOp op, memory::DType dtype, Address accumulator, Address operand,
                            std::int64_t elements, Where where) {
  if (!in_tcm(accumulator) || !in_tcm(operand)) throw ModelError(name() + ": a MATH composite works in its own TCM");
  const auto bytes = static_cast<std::size_t>(elements * memory::size_of(dtype));
  auto a = std::make_shared<std::vector<std::byte>>(bytes);
  auto b = std::make_shared<std::vector<std::byte>>(bytes);
  env_.memory.read(accumulator, *a);
  env_.memory.read(operand, *b);
  const Time begin = env_.simulation.now();
  TileToken tile;
  tile.fetch_bytes = 2 * bytes;
  tile.compute = math_time(env_.spec.math, dtype, elements) - env_.spec.math.startup;
  tile.store_bytes = bytes;
  return scheduler_.start(Scheduler::Engine::math, {tile}, [=, this] {
    memory::reduce(op, dtype, a->data(), b->data(), elements);
    env_.memory.write(accumulator, *a);
    env_.record(&Recorder::reduced, ReduceRecord{index_, op, dtype, accumulator, operand, elements, where}, begin,
                env_.simulation.now());
  });
}

sim::Process<> Pe::wait_composite(std::uint64_t number, Where where) {
  const Time begin = env_.simulation.now();
  blocked_ = {"wait (composite)", std::nullopt, begin, where};
  co_await scheduler_.wait(number, where);
  blocked_.call = nullptr;
  time_.compute += env_.simulation.now() - begin;
  env_.record(&Recorder::composite_waited, index_, number, env_.simulation.now());
}

sim::Process<> Pe::barrier(Where where) {
  if (!group_barrier) throw ModelError(name() + ": barrier without a process group");
  const Time begin = env_.simulation.now();
  blocked_ = {"barrier", std::nullopt, begin, where};
  co_await group_barrier->wait(static_cast<std::size_t>(rank), where);
  blocked_.call = nullptr;
  time_.barrier += env_.simulation.now() - begin;
}

}  // namespace tutti::device
