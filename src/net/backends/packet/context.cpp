#include "net/backends/packet/context.h"

namespace tutti::net::packet {

Packet& Context::make_packet(Flow* flow) {
  Packet& p = *packets_.take();
  p.flow = flow;
  if (flow) ++flow->references;
  if (settings.congestion == Congestion::hpcc && flow) p.telemetry = telemetry_.take();
  return p;
}

void Context::drop(Packet& p) {
  if (p.telemetry) telemetry_.give(p.telemetry);
  Flow* const flow = p.flow;
  packets_.give(&p);
  if (flow) release(*flow);
}

Flow& Context::make_flow() {
  if (free_flows_.empty()) {
    flows_.push_back(std::make_unique<Flow>());
    free_flows_.push_back(flows_.back().get());
  }
  Flow& f = *free_flows_.back();
  free_flows_.pop_back();
  return f;
}

void Context::release(Flow& flow) {
  if (--flow.references != 0) return;
  flow = Flow();
  free_flows_.push_back(&flow);
}

}  // namespace tutti::net::packet
