#include "net/backends/packet/congestion/window_rate.h"

#include <algorithm>

#include "net/backends/packet/context.h"
#include "net/backends/packet/nic.h"

namespace tutti::net::packet {

std::uint64_t WindowRate::next(double load, const Settings& settings, std::uint64_t most, bool keep) {
  const double over = load / settings.hpcc.target;
  const bool scale = over >= 1 || stage_ >= settings.hpcc.additive_stages;
  std::uint64_t rate = current_;
  if (scale) {
    const double scaled = static_cast<double>(current_) / over;
    rate = scaled < static_cast<double>(most) ? static_cast<std::uint64_t>(scaled) : most;
  }
  rate = std::clamp(rate + settings.additive_increase, settings.min_rate, std::max(most, settings.min_rate));
  if (rate > most) rate = most;
  if (keep) {
    current_ = rate;
    stage_ = scale ? 0 : stage_ + 1;
  }
  return rate;
}

void change_rate_now(Context& context, Flow& flow, std::uint64_t rate) {
  const bool whole = context.settings.astra;
  if (flow.rate != rate)
    flow.next_send_ps +=
        transmission_ps(flow.last_size, rate, whole) - transmission_ps(flow.last_size, flow.rate, whole);
  flow.nic->sooner(flow.next_send_ps);
  set_rate(context, flow, rate);
}

}  // namespace tutti::net::packet
