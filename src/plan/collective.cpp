#include "plan/collective.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::plan {
namespace {

using enum CollectiveKind;

constexpr std::array<std::string_view, 13> names = {
    "all_reduce", "reduce",       "broadcast", "all_gather",   "reduce_scatter", "gather",     "scatter",
    "all_to_all", "all_to_all_v", "barrier",   "moe_dispatch", "moe_combine",    "all_to_next"};

std::vector<int> all(int ranks) {
  std::vector<int> out(static_cast<std::size_t>(ranks));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

/// Tokens of `source` that go to `expert`, and how many go there before token `token`.
std::int64_t tokens(const Routing& r, int source, int expert, std::size_t before = SIZE_MAX) {
  const auto& of_source = r.experts[static_cast<std::size_t>(source)];
  std::int64_t n = 0;
  for (std::size_t t = 0; t < std::min(before, of_source.size()); ++t)
    n += std::binary_search(of_source[t].begin(), of_source[t].end(), expert);
  return n;
}

std::int64_t first_token(const Routing& r, int source) {
  std::int64_t n = 0;
  for (int s = 0; s < source; ++s) n += static_cast<std::int64_t>(r.experts[static_cast<std::size_t>(s)].size());
  return n;
}

/// The tokens that lie at `expert`, by source and token: those that `from(source)` names as the owner of the value.
template <class From>
std::vector<Content> at_expert(const Routing& r, int ranks, int expert, From from) {
  std::vector<Content> out;
  std::int64_t at = 0;
  for (int s = 0; s < ranks; ++s) {
    const auto& of_source = r.experts[static_cast<std::size_t>(s)];
    for (std::size_t t = 0; t < of_source.size(); ++t)
      if (std::binary_search(of_source[t].begin(), of_source[t].end(), expert)) {
        out.push_back({{at, r.hidden}, (first_token(r, s) + static_cast<std::int64_t>(t)) * r.hidden, {from(s)}});
        at += r.hidden;
      }
  }
  return out;
}

}  // namespace

std::string_view name(CollectiveKind kind) { return names[static_cast<std::size_t>(kind)]; }

CollectiveKind collective_kind(std::string_view text) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return static_cast<CollectiveKind>(i);
  throw ConfigError(fmt::format("unknown collective '{}'; known: {}", text, fmt::join(names, ", ")));
}

void Collective::check() const {
  if (ranks < 1) throw ConfigError(fmt::format("a collective of {} ranks; at least 1", ranks));
  if (count < 0) throw ConfigError(fmt::format("a collective of {} elements; at least 0", count));
  if (root < 0 || root >= ranks) throw ConfigError(fmt::format("root {} is no rank of {}", root, ranks));
  const auto p = static_cast<std::size_t>(ranks);
  if (kind == all_to_all_v && counts.size() != p * p)
    throw ConfigError(fmt::format("{} counts for {} ranks; {} x {} are needed", counts.size(), ranks, ranks, ranks));
  if (std::any_of(counts.begin(), counts.end(), [](std::int64_t c) { return c < 0; }))
    throw ConfigError("a negative count");
  if (kind != moe_dispatch && kind != moe_combine) return;
  if (!routing || routing->experts.size() != p) throw ConfigError("a routing for every rank is needed");
  if (routing->hidden < 0) throw ConfigError("a token of a negative size");
  for (const auto& of_source : routing->experts)
    for (const auto& experts : of_source)
      for (std::size_t i = 0; i < experts.size(); ++i)
        if (experts[i] < 0 || experts[i] >= ranks || (i > 0 && experts[i - 1] >= experts[i]))
          throw ConfigError(fmt::format("experts {} of a token; ascending ranks below {} are needed",
                                        fmt::join(experts, " "), ranks));
}

std::int64_t Collective::pair_count(int s, int d) const {
  switch (kind) {
    case all_to_all:
      return part(count, ranks, d).count;
    case all_to_all_v:
      return counts[static_cast<std::size_t>(s) * static_cast<std::size_t>(ranks) + static_cast<std::size_t>(d)];
    case moe_dispatch:
      return tokens(*routing, s, d) * routing->hidden;
    case moe_combine:
      return tokens(*routing, d, s) * routing->hidden;
    default:
      CHECK(false, "no pairs in this collective");
  }
}

std::int64_t Collective::pair_input(int s, int d) const {
  if (kind == all_to_all) return part(count, ranks, d).begin;
  std::int64_t at = 0;
  for (int i = 0; i < d; ++i) at += pair_count(s, i);
  return at;
}

std::int64_t Collective::pair_output(int s, int d) const {
  if (kind == all_to_all) return part(count, ranks, d).count * s;
  std::int64_t at = 0;
  for (int i = 0; i < s; ++i) at += pair_count(i, d);
  return at;
}

std::int64_t Collective::input_size(int rank) const {
  switch (kind) {
    case all_reduce:
    case reduce:
    case reduce_scatter:
    case all_to_all:
    case all_to_next:
      return count;
    case broadcast:
    case scatter:
      return rank == root ? count : 0;
    case all_gather:
    case gather:
      return part(count, ranks, rank).count;
    case all_to_all_v:
    case moe_combine:
      return pair_input(rank, ranks);
    case moe_dispatch:
      return static_cast<std::int64_t>(routing->experts[static_cast<std::size_t>(rank)].size()) * routing->hidden;
    case barrier:
      return 0;
  }
  CHECK(false, "unknown collective");
}

std::int64_t Collective::output_size(int rank) const {
  switch (kind) {
    case all_reduce:
    case broadcast:
    case all_gather:
      return count;
    case reduce:
    case gather:
      return rank == root ? count : 0;
    case reduce_scatter:
    case scatter:
      return part(count, ranks, rank).count;
    case all_to_all:
    case all_to_all_v:
    case moe_dispatch:
      return pair_output(ranks, rank);
    case moe_combine:
      return static_cast<std::int64_t>(routing->experts[static_cast<std::size_t>(rank)].size()) * routing->hidden;
    case all_to_next:
      return rank == 0 ? 0 : count;
    case barrier:
      return 0;
  }
  CHECK(false, "unknown collective");
}

std::vector<Content> Collective::initial(int rank) const {
  switch (kind) {
    case all_gather:
    case gather: {
      const Interval mine = part(count, ranks, rank);
      return {{{0, mine.count}, mine.begin, {rank}}};
    }
    case moe_dispatch:
      return {{{0, input_size(rank)}, first_token(*routing, rank) * routing->hidden, {rank}}};
    case moe_combine:
      return at_expert(*routing, ranks, rank, [rank](int) { return rank; });
    default:
      return {{{0, input_size(rank)}, 0, {rank}}};
  }
}

std::vector<Content> Collective::expected(int rank) const {
  switch (kind) {
    case all_reduce:
      return {{{0, count}, 0, all(ranks)}};
    case reduce:
      if (rank == root) return {{{0, count}, 0, all(ranks)}};
      return {};
    case broadcast:
      return {{{0, count}, 0, {root}}};
    case reduce_scatter: {
      const Interval mine = part(count, ranks, rank);
      return {{{0, mine.count}, mine.begin, all(ranks)}};
    }
    case scatter: {
      const Interval mine = part(count, ranks, rank);
      return {{{0, mine.count}, mine.begin, {root}}};
    }
    case gather:
      if (rank != root) return {};
      [[fallthrough]];
    case all_gather: {
      std::vector<Content> out;
      for (int r = 0; r < ranks; ++r) out.push_back({part(count, ranks, r), part(count, ranks, r).begin, {r}});
      return out;
    }
    case all_to_all:
    case all_to_all_v: {
      std::vector<Content> out;
      for (int s = 0; s < ranks; ++s)
        out.push_back({{pair_output(s, rank), pair_count(s, rank)}, pair_input(s, rank), {s}});
      return out;
    }
    case moe_dispatch:
      return at_expert(*routing, ranks, rank, [](int s) { return s; });
    case moe_combine: {
      std::vector<Content> out;
      const auto& mine = routing->experts[static_cast<std::size_t>(rank)];
      for (std::size_t t = 0; t < mine.size(); ++t) {
        const std::int64_t at = static_cast<std::int64_t>(t) * routing->hidden;
        if (!mine[t].empty())
          out.push_back({{at, routing->hidden}, first_token(*routing, rank) * routing->hidden + at, mine[t]});
      }
      return out;
    }
    case all_to_next:
      if (rank == 0) return {};
      return {{{0, count}, 0, {rank - 1}}};
    case barrier:
      return {};
  }
  CHECK(false, "unknown collective");
}

bool Collective::can_be_in_place() const { return kind <= scatter || kind == barrier; }

std::int64_t Collective::input_offset(int rank) const {
  const bool whole = kind == all_gather || (kind == gather && rank == root);
  return whole ? part(count, ranks, rank).begin : 0;
}

std::int64_t Collective::output_offset(int rank) const {
  const bool whole = kind == reduce_scatter || (kind == scatter && rank == root);
  return whole ? part(count, ranks, rank).begin : 0;
}

}  // namespace tutti::plan
