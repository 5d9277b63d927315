#pragma once
#include "plan/phases.h"

namespace tutti::plan {

/// Blocks of `data` from the root along a binomial tree; afterwards member i holds block i, and perhaps more. `p.me`
/// counts from the root, and so do blocks: member 0 is rank `root`, the next rank is member 1. Chan, Heimlich,
/// Purkayastha and van de Geijn 2007.
Generator<Step> binomial_scatter(Phase p, int root);

/// Members [me, me + size) of the subtree below a member of a binomial tree of `members`.
int binomial_subtree(int members, int me);

}  // namespace tutti::plan
