// Wafer-scale reduce: chains in groups, then a chain of groups, multicast back.
// Luczynski, Gianinazzi, Iff, Wilson, De Sensi and Hoefler, "Near-optimal wafer-scale reduce", HPDC 2024.
#include "plan/wafer.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters& p) {
  return wafer_schedule(c, p["chunks"],
                        std::make_shared<const ReduceTree>(wafer_two_phase(c.ranks, static_cast<int>(p["group"]))));
}

}  // namespace

Algorithm wafer_two_phase_all_reduce_algorithm() {
  return {"wafer_two_phase_all_reduce",
          CollectiveKind::all_reduce,
          "chains in groups, then a chain of groups, multicast back",
          "Luczynski et al., HPDC 2024",
          {{"chunks", 4, 1, 1 << 20, "pieces that follow each other"},
           {"group", 0, 0, 1 << 20, "PEs of a group; 0: the root of the number of PEs"}},
          make};
}

}  // namespace tutti::plan
