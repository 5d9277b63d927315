#pragma once
#include "plan/phases.h"

namespace tutti::plan {

/// All-gather in ceil(log2 size) steps for any size: in step k a member gives its first 2^k blocks (or as many as are
/// missing) to the member 2^k before it. A run of blocks that wraps round the end goes as two messages.
/// Bruck, Ho, Kipnis, Upfal and Weathersby 1997.
Generator<Step> circulant_all_gather(Phase p);
/// The same steps backwards, adding: member i ends with block i reduced. Traeff, arXiv 2410.14234.
Generator<Step> circulant_reduce_scatter(Phase p);

}  // namespace tutti::plan
