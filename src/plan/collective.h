#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace tutti::plan {

/// What the ranks of a group do together. Sizes are elements of any type; a schedule never knows bytes.
enum class CollectiveKind : std::uint8_t {
  all_reduce,
  reduce,
  broadcast,
  all_gather,
  reduce_scatter,
  gather,
  scatter,
  all_to_all,
  all_to_all_v,
  barrier,
  moe_dispatch,
  moe_combine,
  all_to_next,
};

std::string_view name(CollectiveKind kind);
/// @throws ConfigError  unknown; lists what is known.
CollectiveKind collective_kind(std::string_view name);

/// Consecutive elements.
struct Interval {
  std::int64_t begin = 0, count = 0;
  std::int64_t end() const { return begin + count; }
  bool operator==(const Interval&) const = default;
};

/// Part `index` of `parts` of `total` elements. Parts follow each other, differ by at most one element, and together
/// are the whole. @pre 0 <= index <= parts.
constexpr Interval part(std::int64_t total, std::int64_t parts, std::int64_t index) {
  const auto begin = [&](std::int64_t i) { return total / parts * i + total % parts * i / parts; };
  return {begin(index), index < parts ? begin(index + 1) - begin(index) : 0};
}
inline Interval part(Interval whole, std::int64_t parts, std::int64_t index) {
  const Interval p = part(whole.count, parts, index);
  return {whole.begin + p.begin, p.count};
}

/// Which ranks a token goes to. A rank appears at most once for a token.
struct Routing {
  std::int64_t hidden = 1;                             ///< elements of a token
  std::vector<std::vector<std::vector<int>>> experts;  ///< [rank][token] -> expert ranks, ascending
};

/// Elements whose value is known by name: element i of the interval is element `label` + i of the collective's value
/// space, summed over `from`.
struct Content {
  Interval where;
  std::int64_t label = 0;
  std::vector<int> from;  ///< ranks, ascending, each once
};

/// A collective between ranks 0 to ranks - 1.
///
/// `count`: all_reduce, reduce, broadcast, all_to_next: elements of the buffer of one rank. all_gather, gather,
/// reduce_scatter, scatter: elements of the whole; rank r has part(count, ranks, r). all_to_all: elements of the input
/// of one rank; part(count, ranks, d) goes to rank d. all_to_all_v: unused, `counts` says all. barrier: unused.
/// moe_*: unused, `routing` says all.
struct Collective {
  CollectiveKind kind = CollectiveKind::all_reduce;
  int ranks = 1;
  std::int64_t count = 0;
  int root = 0;                            ///< reduce, broadcast, gather, scatter
  std::vector<std::int64_t> counts;        ///< all_to_all_v: [source * ranks + destination]
  std::shared_ptr<const Routing> routing;  ///< moe_dispatch, moe_combine

  /// @throws ConfigError  ranks < 1, negative sizes, a root that is no rank, counts or routing of another shape.
  void check() const;

  std::int64_t input_size(int rank) const;
  std::int64_t output_size(int rank) const;
  /// What the input holds before: labels from {rank}.
  std::vector<Content> initial(int rank) const;
  /// What the output must hold after. Ranks whose output does not matter have none.
  std::vector<Content> expected(int rank) const;

  /// Whether input and output may be one memory, and where each begins in it: all_gather: the input is part `rank` of
  /// the output; reduce_scatter: the output is part `rank` of the input; all_to_all*, moe_*, all_to_next: not.
  bool can_be_in_place() const;
  std::int64_t input_offset(int rank) const;
  std::int64_t output_offset(int rank) const;

  /// all_to_all*, moe_*: elements that `source` sends to `destination`, and where they lie at both ends.
  std::int64_t pair_count(int source, int destination) const;
  std::int64_t pair_input(int source, int destination) const;
  std::int64_t pair_output(int source, int destination) const;
};

}  // namespace tutti::plan
