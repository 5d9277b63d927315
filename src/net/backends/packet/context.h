#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "base/pool.h"
#include "net/backends/packet/draws.h"
#include "net/backends/packet/flow.h"
#include "net/backends/packet/packet.h"
#include "net/backends/packet/settings.h"
#include "net/backends/packet/timers.h"
#include "sim/simulation.h"

namespace tutti::net::packet {

/// What hosts and switches of one network share.
struct Context {
  Context(sim::Simulation& s, const Settings& v, int nodes)
      : simulation(s), settings(v), header(header_bytes(v)), timers(s), draws(v.astra, v.seed, nodes) {}
  sim::Simulation& simulation;
  const Settings settings;
  const HeaderBytes header;
  Timers timers;
  Draws draws;
  std::function<bool(const Packet&)> lose = {};  ///< asked at each arrival, if there is one: true loses the packet
  std::int64_t longest_rtt_ns = 0;               ///< of all pairs, where it is needed

  std::int64_t now_ps() const { return simulation.now().ps(); }
  std::int64_t now_ns() const { return simulation.now().ps() / 1000; }

  Packet& make_packet(Flow* flow);
  /// The packet has come to its end.
  void drop(Packet& p);
  Flow& make_flow();
  /// Takes a pointer to the flow away; the last one frees it.
  void release(Flow& flow);

 private:
  Pool<Packet> packets_;
  Pool<Telemetry> telemetry_;
  std::vector<std::unique_ptr<Flow>> flows_;
  std::vector<Flow*> free_flows_;
};

}  // namespace tutti::net::packet
