#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tutti::net::packet {

enum class Congestion : std::uint8_t { none, dcqcn, hpcc, timely, dctcp, pint };
const char* to_string(Congestion c);

/// Marking of a switch port, in bytes of one class that wait: none up to kmin, always above kmax, between them with a
/// probability that grows to pmax.
struct EcnThreshold {
  std::uint64_t rate = 0;  ///< of the ports that it holds for, bits a second
  std::uint64_t kmin = 0, kmax = 0;
  double pmax = 0;
};

/// A cable that fails, and perhaps comes back.
struct LinkFailure {
  int a = 0, b = 0;
  std::int64_t down_ps = 0;
  std::int64_t up_ps = -1;  ///< -1: never
};

struct DcqcnSettings {
  std::int64_t alpha_interval_us = 55, decrease_interval_us = 4, increase_timer_us = 900;
  bool clamp_target = false;
  std::uint32_t fast_recovery_times = 5;
};
struct HpccSettings {
  double target = 0.95;
  std::uint32_t additive_stages = 5;
  std::uint32_t unit = 1;  ///< of telemetry
  bool per_hop = true;     ///< a rate for each hop, and the least of them
  bool skip_idle_hops = false, fast_react = true;
};

/// How the network behaves. Defaults are those of the reference's reader for absent keys.
struct Settings {
  bool astra = false;            ///< the reference's arithmetic and faults (docs/packet.md)
  std::uint64_t seed = 1;        ///< of marks, losses and the switches' salts; astra: the reference's run number
  std::uint32_t payload = 1000;  ///< data bytes of a packet
  Congestion congestion = Congestion::dcqcn;

  bool ecn = true;
  std::vector<EcnThreshold> ecn_thresholds;
  std::uint64_t buffer = 16ull << 20;  ///< bytes of a switch
  bool pfc = true;
  bool spray = false;  ///< each packet takes a path of its own

  bool window = true;            ///< a sender holds back beyond a bandwidth-delay product
  bool global_window = true;     ///< the largest of all pairs for everybody
  bool variable_window = false;  ///< scales with the current rate
  bool pace = true;              ///< packets leave at the flow's current rate
  bool ack_first = false;        ///< hosts: a pause of the data class does not hold ACKs back
  std::uint64_t ack_interval = 1, chunk = 4000;
  bool back_to_zero = false;  ///< a loss sends the whole chunk again

  double loss = 0;  ///< of links that have no own
  std::vector<LinkFailure> failures;

  std::uint64_t min_rate = 100'000'000;
  double gain = 0;  ///< DCQCN, DCTCP: g
  DcqcnSettings dcqcn;
  std::uint64_t additive_increase = 0, hyper_increase = 0;  ///< DCQCN, HPCC, TIMELY: bits a second
  std::uint64_t dctcp_increase = 1'000'000'000;
  HpccSettings hpcc;
  bool timely_stamp = true;  ///< packets carry the time they left; the reference leaves it 0
  double pint_log_base = 1.05, pint_probability = 1;

  std::int64_t retransmit_ps = 0;  ///< shortest retransmission timeout; 0: none (the reference has no timer)
  std::uint32_t retries = 15;      ///< timeouts in a row without progress before the flow is given up
};

}  // namespace tutti::net::packet
