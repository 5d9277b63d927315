#pragma once
#include <bit>

#include "plan/phases.h"

namespace tutti::plan {

/// Makes any number of ranks a power of two: each of the first `extra` pairs becomes one member, its odd rank; all
/// ranks after them are members. Thakur, Rabenseifner and Gropp 2005, section 4.5.
struct Fold {
  int ranks, members, extra;
  explicit Fold(int p)
      : ranks(p), members(static_cast<int>(std::bit_floor(static_cast<unsigned>(p)))), extra(p - members) {}
  /// The member that a rank is, or -1: it hands its data to rank + 1 and gets the result back.
  int member(int rank) const { return rank >= 2 * extra ? rank - extra : rank % 2 ? rank / 2 : -1; }
  int rank(int member) const { return member < extra ? 2 * member + 1 : member + extra; }
};

/// Steps before: the data of pairs come together at their members.
Generator<Step> fold(Fold f, int rank, Slice all);
/// Steps after: the members give the result back.
Generator<Step> unfold(Fold f, int rank, Slice all);

}  // namespace tutti::plan
