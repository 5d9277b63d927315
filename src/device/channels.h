#pragma once
#include "device/environment.h"
#include "device/ipcq/protocol.h"

namespace tutti::device {

/// How data of computations and of messages share each link (ADR-0023 D8; ccl.yaml vc_*).
struct ChannelConfig {
  int compute_weight = 1, comm_weight = 1;
  std::uint64_t chunk_bytes = 256;
  bool strict_partition = false;
};

/// Channels vc_compute, vc_comm and, if the credit mode has a channel of its own, vc_credit: with wires of its own
/// (link) or before all data at the next chunk (vc_mux with credit_priority).
inline fabric::FabricSpec fabric_spec(const ChannelConfig& c, const IpcqConfig& wanted) {
  const IpcqConfig q = effective(wanted);
  fabric::FabricSpec spec;
  spec.channels = {{"compute", c.compute_weight, false, {}}, {"comm", c.comm_weight, false, {}}};
  if (q.credit_mode == CreditMode::link) spec.channels.push_back({"credit", 1, false, q.credit_link_bandwidth});
  if (q.credit_mode == CreditMode::vc_mux && q.credit_priority) spec.channels.push_back({"credit", 1, true, {}});
  spec.chunk_bytes = c.chunk_bytes;
  spec.strict_partition = c.strict_partition;
  return spec;
}

}  // namespace tutti::device
