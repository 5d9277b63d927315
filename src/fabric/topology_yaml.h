#pragma once
#include "base/config.h"
#include "fabric/topology.h"

namespace tutti::fabric {

/// Reads what the fabric needs of a topology.yaml (keys: `tutti config topology`): system, sip, cube.pe_layout, .noc,
/// .ucie, .m_cpu, and the places and rates of memories, io, profiles, pe.dma and pe.cpu. Faults are recorded with their
/// places in the Config that `root` belongs to; build() of a Topology without faults finds only unreachable PEs.
/// The rest of the file (latencies and sizes of a PE's parts) is read by device/machine_yaml.h.
Topology read_topology(const ConfigMap& root);

}  // namespace tutti::fabric
