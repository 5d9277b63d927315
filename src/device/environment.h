#pragma once
#include <vector>

#include "device/faults.h"
#include "device/memory_system.h"
#include "device/recorder.h"
#include "fabric/fabric.h"
#include "sim/simulation.h"

namespace tutti::device {

inline constexpr std::uint8_t vc_compute = 0, vc_comm = 1, vc_credit = 2;

/// What the parts of one machine share.
struct Environment {
  sim::Simulation& simulation;
  fabric::Fabric& fabric;
  MemorySystem& memory;
  const MachineSpec& spec;
  std::vector<Recorder*> recorders;
  Faults* faults = nullptr;
  template <class... Arguments, class... Given>
  void record(void (Recorder::*event)(Arguments...), const Given&... given) const {
    for (Recorder* r : recorders) (r->*event)(given...);
  }
};

}  // namespace tutti::device
