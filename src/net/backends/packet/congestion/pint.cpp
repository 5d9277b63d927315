#include <algorithm>

#include "net/backends/packet/congestion/algorithms.h"
#include "net/backends/packet/congestion/pint_code.h"
#include "net/backends/packet/congestion/window_rate.h"
#include "net/backends/packet/context.h"

namespace tutti::net::packet {
namespace {

class Pint final : public CongestionControl {
 public:
  Pint(Context& context, const Flow& flow) : context_(context), rate_(flow.rate) {}

  void acknowledged(Flow& flow, const Packet& ack) override {
    const Settings& s = context_.settings;
    if (s.pint_probability < 1 && context_.draws.other() >= s.pint_probability) return;
    const bool full = ack.sequence > updated_;
    if (updated_ != 0 && (full || s.hpcc.fast_react)) {
      const double load = pint_decode(ack.utilization, s.pint_log_base);
      change_rate_now(context_, flow, rate_.next(load, s, flow.line_rate, full));
    }
    if (full) updated_ = std::max(updated_, flow.next);
  }

 private:
  Context& context_;
  std::uint64_t updated_ = 0;
  WindowRate rate_;
};

}  // namespace

std::unique_ptr<CongestionControl> make_pint(Context& context, Flow& flow) {
  return std::make_unique<Pint>(context, flow);
}

}  // namespace tutti::net::packet
