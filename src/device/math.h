#pragma once
#include "device/machine_spec.h"
#include "memory/dtype.h"

namespace tutti::device {

/// Time of the MATH unit for `elements` results of type `t`: start-up, then the slower of operand stream and adders.
/// Source: spec 3.1, gamma = 512 B/ns.
inline Time math_time(const MachineSpec::Math& m, memory::DType t, std::int64_t elements) {
  const Time stream = serialization_time(Bytes(elements * memory::size_of(t)), m.bandwidth);
  const Time adders = serialization_time(Bytes(elements), Bandwidth::bytes_per_second(m.ops_per_ns * 1'000'000'000));
  return m.startup + (stream > adders ? stream : adders);
}

}  // namespace tutti::device
