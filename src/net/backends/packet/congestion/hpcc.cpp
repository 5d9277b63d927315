#include <algorithm>
#include <cmath>

#include "net/backends/packet/congestion/algorithms.h"
#include "net/backends/packet/congestion/window_rate.h"
#include "net/backends/packet/context.h"

namespace tutti::net::packet {
namespace {

constexpr std::uint32_t reference_hops = 5;

class Hpcc final : public CongestionControl {
 public:
  Hpcc(Context& context, const Flow& flow) : context_(context), whole_(flow.rate) {
    for (WindowRate& r : of_hop_) r = WindowRate(flow.rate);
  }

  void acknowledged(Flow& flow, const Packet& ack) override {
    const HpccSettings& s = context_.settings.hpcc;
    const Telemetry& seen = *ack.telemetry;
    const bool full = ack.sequence > updated_;
    if (updated_ == 0) {
      last_ = seen;
      updated_ = flow.next;
      return;
    }
    if (!full && !s.fast_react) return;
    if (seen.count <= (context_.settings.astra ? reference_hops : Telemetry::most)) {
      if (s.per_hop)
        react_per_hop(flow, seen, full);
      else
        react(flow, seen, full);
    }
    if (full) updated_ = std::max(updated_, flow.next);
  }

 private:
  /// Load of hop i since the last ACK, and the time that it is for.
  double load(const Flow& flow, const Hop& now, const Hop& before, std::int64_t& dt) const {
    const bool narrow = context_.settings.astra;
    const std::uint64_t unit = 128 * context_.settings.hpcc.unit;
    dt = narrow ? (now.time_ns - before.time_ns) & 0xffffff : now.time_ns - before.time_ns;
    const std::uint64_t bytes = narrow ? ((now.bytes - before.bytes) & 0xfffff) * unit : now.bytes - before.bytes;
    const double sent = static_cast<double>(bytes * 8) / (static_cast<double>(dt) * 1e-9);
    const auto rate = static_cast<double>(now.rate);
    // Without a window the reference divides by 0 here; the bandwidth-delay product is what is meant.
    const double window = narrow || flow.window != 0
                              ? static_cast<double>(flow.window)
                              : static_cast<double>(flow.line_rate) * static_cast<double>(flow.base_rtt_ns) / 8e9;
    return sent / rate +
           static_cast<double>(std::min(now.queue, before.queue)) * static_cast<double>(flow.line_rate) / rate / window;
  }
  bool skipped(const Hop& h, bool full) const { return context_.settings.hpcc.skip_idle_hops && h.queue == 0 && !full; }
  /// Running average of the load over a base round trip.
  static double average(double old, double load, std::int64_t dt, const Flow& flow) {
    const std::int64_t base = flow.base_rtt_ns;
    dt = std::min(dt, base);
    return (old * static_cast<double>(base - dt) + load * static_cast<double>(dt)) / static_cast<double>(base);
  }

  void react(Flow& flow, const Telemetry& seen, bool full) {
    double most = 0;
    std::int64_t dt_of_most = 0;
    bool any = false;
    for (std::uint32_t i = 0; i < seen.count; ++i) {
      if (skipped(seen.hop[i], full)) continue;
      any = true;
      std::int64_t dt = 0;
      const double u = load(flow, seen.hop[i], last_.hop[i], dt);
      if (u > most) most = u, dt_of_most = dt;
      last_.hop[i] = seen.hop[i];
    }
    if (!any) return;
    load_ = average(load_, most, dt_of_most, flow);
    apply(flow, whole_.next(load_, context_.settings, flow.line_rate, full));
  }

  void react_per_hop(Flow& flow, const Telemetry& seen, bool full) {
    std::uint64_t least = flow.line_rate;
    bool any = false;
    for (std::uint32_t i = 0; i < seen.count; ++i) {
      if (skipped(seen.hop[i], full)) {
        least = std::min(least, of_hop_[i].current());
        continue;
      }
      any = true;
      std::int64_t dt = 0;
      const double u = load(flow, seen.hop[i], last_.hop[i], dt);
      load_of_hop_[i] = average(load_of_hop_[i], u, dt, flow);
      last_.hop[i] = seen.hop[i];
      least = std::min(least, of_hop_[i].next(load_of_hop_[i], context_.settings, flow.line_rate, full));
    }
    if (any) apply(flow, least);
  }

  void apply(Flow& flow, std::uint64_t rate) { change_rate_now(context_, flow, rate); }

  Context& context_;
  std::uint64_t updated_ = 0;  ///< what was next to send at the last full update
  Telemetry last_;
  double load_ = 1;
  WindowRate whole_;
  double load_of_hop_[Telemetry::most] = {1, 1, 1, 1, 1, 1, 1, 1};
  WindowRate of_hop_[Telemetry::most];
};

}  // namespace

std::unique_ptr<CongestionControl> make_hpcc(Context& context, Flow& flow) {
  return std::make_unique<Hpcc>(context, flow);
}

}  // namespace tutti::net::packet
