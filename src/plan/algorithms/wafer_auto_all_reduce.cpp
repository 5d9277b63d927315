// Wafer-scale reduce: the cheapest tree on a row in the wafer-scale model, multicast back.
// Luczynski, Gianinazzi, Iff, Wilson, De Sensi and Hoefler, "Near-optimal wafer-scale reduce", HPDC 2024.
#include "plan/wafer.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters& p) {
  return wafer_schedule(c, p["chunks"],
                        std::make_shared<const ReduceTree>(wafer_auto(c.ranks, c.count, static_cast<int>(p["ramp"]))));
}

}  // namespace

Algorithm wafer_auto_all_reduce_algorithm() {
  return {"wafer_auto_all_reduce",
          CollectiveKind::all_reduce,
          "the cheapest tree on a row in the wafer-scale model, multicast back",
          "Luczynski et al., HPDC 2024",
          {{"chunks", 4, 1, 1 << 20, "pieces that follow each other"},
           {"ramp", 2, 0, 1000, "cycles between a PE and its router"}},
          make};
}

}  // namespace tutti::plan
