#pragma once
#include <memory>

#include "net/backends/packet/congestion/control.h"

namespace tutti::net::packet {

/// Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, as NICs have it: timers only.
std::unique_ptr<CongestionControl> make_dcqcn(Context& context, Flow& flow);
/// Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019. Every switch on the way writes what it sees.
std::unique_ptr<CongestionControl> make_hpcc(Context& context, Flow& flow);
/// Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015.
std::unique_ptr<CongestionControl> make_timely(Context& context, Flow& flow);
/// Alizadeh et al., "Data Center TCP", SIGCOMM 2010, with rates for windows.
std::unique_ptr<CongestionControl> make_dctcp(Context& context, Flow& flow);
/// Ben Basat et al., "PINT: Probabilistic In-band Network Telemetry", SIGCOMM 2020: HPCC on one coded number.
std::unique_ptr<CongestionControl> make_pint(Context& context, Flow& flow);

}  // namespace tutti::net::packet
