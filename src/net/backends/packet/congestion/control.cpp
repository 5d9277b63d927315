#include "net/backends/packet/congestion/control.h"

#include "net/backends/packet/congestion/algorithms.h"
#include "net/backends/packet/congestion/pint_code.h"
#include "net/backends/packet/context.h"

namespace tutti::net::packet {

const char* to_string(Congestion c) {
  switch (c) {
    case Congestion::none:
      return "none";
    case Congestion::dcqcn:
      return "DCQCN";
    case Congestion::hpcc:
      return "HPCC";
    case Congestion::timely:
      return "TIMELY";
    case Congestion::dctcp:
      return "DCTCP";
    case Congestion::pint:
      return "HPCC-PINT";
  }
  return "?";
}

std::unique_ptr<CongestionControl> make_congestion_control(Context& context, Flow& flow) {
  switch (context.settings.congestion) {
    case Congestion::none:
      return nullptr;
    case Congestion::dcqcn:
      return make_dcqcn(context, flow);
    case Congestion::hpcc:
      return make_hpcc(context, flow);
    case Congestion::timely:
      return make_timely(context, flow);
    case Congestion::dctcp:
      return make_dctcp(context, flow);
    case Congestion::pint:
      return make_pint(context, flow);
  }
  return nullptr;
}

HeaderBytes header_bytes(const Settings& settings) {
  // An ACK has 12 bytes of its own and is padded to 60 with the IP and Ethernet headers; with telemetry it is longer.
  switch (settings.congestion) {
    case Congestion::hpcc:
      return {36 + 42, 76};
    case Congestion::timely:
      return {36 + 8, 48};
    case Congestion::pint:
      return {36 + pint_bytes(settings.pint_log_base), 48};
    default:
      return {36, 48};
  }
}

void set_rate(const Context& context, Flow& flow, std::uint64_t rate) {
  flow.rate = rate;
  flow.limit = flow.window;
  if (flow.window == 0 || !context.settings.variable_window) return;
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t scaled = context.settings.astra
                                   ? flow.window * rate / flow.line_rate  // modulo 2^64, as the reference
                                   : static_cast<std::uint64_t>(Wide{flow.window} * rate / flow.line_rate);
  flow.limit = scaled == 0 ? 1 : scaled;
}

}  // namespace tutti::net::packet
