#include "plan/bounds.h"

#include <bit>

#include "base/error.h"

namespace tutti::plan {

AllReduceBounds all_reduce_bounds(int ranks, Bytes bytes, Time cheapest_latency, Bandwidth rate) {
  CHECK(ranks >= 1 && bytes >= Bytes() && rate > Bandwidth(), "a bound needs a rank, a size and a rate");
  __extension__ using Wide = __int128;
  const Wide bit_ps = Wide{2} * (ranks - 1) * bytes.count() * 8 * 1'000'000'000'000;
  const Wide ps = bit_ps / (Wide{ranks} * rate.bits_per_second());
  return {cheapest_latency * std::bit_width(static_cast<unsigned>(ranks - 1)),
          ps > INT64_MAX ? Time::max() : Time::ps(static_cast<std::int64_t>(ps))};
}

}  // namespace tutti::plan
