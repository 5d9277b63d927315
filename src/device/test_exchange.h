#pragma once
#include "device/channels.h"
#include "device/test_machine.h"

/// For tests: one message between two PEs, and the latencies of three distances by the numbers of the default topology.
namespace tutti::device::exchange_test {

struct Times {
  Time sent, received, released;
  std::uint64_t bytes = 0;
  std::vector<std::byte> data;
};

inline sim::Process<> send_one(Pe& pe, Address source, std::uint64_t bytes, Times& t, sim::Simulation& s) {
  co_await pe.send(Direction::E, source, bytes);
  t.sent = s.now();
}

inline sim::Process<> receive_one(Pe& pe, TestMachine& m, Times& t) {
  const ReceivedSlot slot = co_await pe.recv(Direction::W);
  t.received = m.simulation.now();
  t.bytes = slot.slot.nbytes;
  t.data = m.bytes(slot.slot.address, slot.slot.nbytes);
  co_await pe.release(slot);
  t.released = m.simulation.now();
}

inline Times exchange(TestMachine& m, std::int32_t a, std::int32_t b, std::uint64_t bytes, IpcqConfig c = {}) {
  m.pair(a, b, c);
  Times t;
  const Address source = bytes ? m.tensor(BufferKind::tcm, a, bytes) : 0;
  m.machine().launch(a, send_one(m.pe(a), source, bytes, t, m.simulation));
  m.machine().launch(b, receive_one(m.pe(b), m, t));
  m.machine().run();
  return t;
}

/// Latency of a path by the numbers of the default topology: overheads, wires, and bytes on the narrowest link.
struct PathNumbers {
  Time head;
  Bandwidth narrowest;
  Time operator()(std::uint64_t bytes) const {
    return head + serialization_time(Bytes(static_cast<std::int64_t>(bytes)), narrowest);
  }
};
// PE 0 at router (0,0) to PE 1 at (0,1): 2 DMAs, 2 routers, one hop of 3 mm at 0.1 ns/mm.
inline const PathNumbers in_cube{Time::ns(4 + 2 + 2 + 4) + Time::ps(300), Bandwidth::gb_per_s(128)};
// cube 0 PE 0 (0,0) east to cube 1 PE 0 (0,0): routers (0,0) ... to the E port's router (2,3): 5 hops and 6 routers;
// two UCIe ports, 12 - 9 = 3 mm between; W port's router (1,0) to (0,0): 2 routers, 1 hop.
inline const PathNumbers cube_to_cube{Time::ns(4 + 6 * 2 + 8 + 8 + 2 * 2 + 4) + Time::ps(5 * 300 + 300 + 300),
                                      Bandwidth::gb_per_s(128)};
// cube 0 of SIP 0 to cube 0 of SIP 1, PE 0 each: (0,0) to (1,0), UCIe W, UCIe of the IO chiplet, IO NoC, PCIe endpoint,
// a metre of board at 6.7 ps/mm, switch, and back down.
inline const PathNumbers sip_to_sip{
    Time::ns(4 + 2 * 2 + 8 + 8 + 4 + 75 + 110 + 75 + 4 + 8 + 8 + 2 * 2 + 4) + Time::ps(2 * 300 + 2 * 6'700),
    Bandwidth::gb_per_s(57)};

inline fabric::Topology two_sips() {
  fabric::Topology t = fabric::profile("tiny");
  t.sips = 2;
  return t;
}

}  // namespace tutti::device::exchange_test
