#include "workload/compute_model.h"

#include <algorithm>

#include "base/error.h"

namespace tutti::workload {

Time ComputeModel::replay(const Node& node) const {
  if (node.duration_ns > 4'600'000'000'000'000U)
    throw ModelError("duration of more than 53 days: more than simulated time holds");
  const auto ns = static_cast<std::int64_t>(node.duration_ns);
  return Time::ns(ns == 0 && rules_.astra ? 1 : ns);
}

Time ComputeModel::roofline(const Node& node) const {
  const double peak = system_.peak_perf * 1e12, memory = system_.local_mem_bw * 1e9;
  const double ops = static_cast<double>(node.num_ops), bytes = static_cast<double>(node.tensor_size);
  if (node.num_ops == 0) {
    if (rules_.astra) throw ModelError("roofline: num_ops is 0, for which ASTRA-sim takes 292 years");
    return Time::from_ns(bytes / memory * 1e9);
  }
  const double ns = ops / std::min(memory * (ops / bytes), peak) * 1e9;
  if (!(ns < 4.6e15)) throw ModelError("roofline: the node takes longer than 53 days: more than simulated time holds");
  return rules_.astra ? Time::ns(static_cast<std::int64_t>(ns)) : Time::from_ns(ns);
}

}  // namespace tutti::workload
