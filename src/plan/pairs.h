#pragma once
#include "plan/collective.h"
#include "plan/generator.h"
#include "plan/step.h"

namespace tutti::plan {

/// Where the elements of a pair lie at the source and at the destination.
Slice pair_source(const Collective& c, int source, int destination);
Slice pair_target(const Collective& c, int source, int destination);

/// All-to-all of any counts: the own part is copied; in step d to the rank d after and from the rank d before.
Generator<Step> pairwise_exchange(Collective c, int rank);
/// The same with all sends first.
Generator<Step> direct_exchange(Collective c, int rank);

}  // namespace tutti::plan
