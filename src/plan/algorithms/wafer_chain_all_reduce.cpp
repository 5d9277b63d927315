// Wafer-scale reduce: PE by PE along a row, multicast back.
// Luczynski, Gianinazzi, Iff, Wilson, De Sensi and Hoefler, "Near-optimal wafer-scale reduce", HPDC 2024.
#include "plan/wafer.h"

namespace tutti::plan {
namespace {

Schedule make(const Collective& c, const Parameters& p) {
  return wafer_schedule(c, p["chunks"], std::make_shared<const ReduceTree>(wafer_chain(c.ranks)));
}

}  // namespace

Algorithm wafer_chain_all_reduce_algorithm() {
  return {"wafer_chain_all_reduce",
          CollectiveKind::all_reduce,
          "PE by PE along a row, multicast back",
          "Luczynski et al., HPDC 2024",
          {{"chunks", 4, 1, 1 << 20, "pieces that follow each other"}},
          make};
}

}  // namespace tutti::plan
