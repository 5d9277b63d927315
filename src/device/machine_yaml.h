#pragma once
#include <string>

#include "base/config.h"
#include "device/machine_spec.h"
#include "fabric/fabric_spec.h"
#include "fabric/topology.h"

namespace tutti::device {

/// The rest of a topology.yaml: latencies, rates and sizes of a PE's parts and of its cube's memories. Faults are
/// recorded in the Config that `root` belongs to.
MachineSpec read_machine_spec(const ConfigMap& root);

/// Everything that a topology.yaml says.
struct MachineConfig {
  fabric::Topology topology;
  MachineSpec spec;
  fabric::FabricSpec fabric;  ///< two channels, compute and comm; chunk and routing from the file
};

/// Reads all keys; the caller then calls Config::finish().
MachineConfig read_machine(const ConfigMap& root);

/// Reads a file over the defaults that come with the program, or these alone for an empty path.
/// @throws ConfigError  lists every fault with its place.
MachineConfig load_machine(const std::string& path, const ConfigOverlay& overlay = {});

}  // namespace tutti::device
