// All-to-next: every rank sends its input to the next; the last sends nothing.
// Cowan, Maleki, Musuvathi, Saarikivi and Xiong, "MSCCLang: Microsoft collective communication language", ASPLOS 2023.
#include "plan/algorithm.h"
#include "plan/step.h"

namespace tutti::plan {
namespace {

Generator<Step> steps(Collective c, int rank) {
  if (rank + 1 < c.ranks) co_yield send(rank + 1, {Buffer::input, 0, c.count});
  if (rank > 0) co_yield receive(rank - 1, {Buffer::output, 0, c.count});
}

Schedule make(const Collective& c, const Parameters&) {
  Schedule s;
  s.steps = [c](int rank, int) { return steps(c, rank); };
  return s;
}

}  // namespace

Algorithm direct_all_to_next_algorithm() {
  return {"direct_all_to_next",
          CollectiveKind::all_to_next,
          "every rank to the next",
          "Cowan et al., ASPLOS 2023",
          {},
          make};
}

}  // namespace tutti::plan
