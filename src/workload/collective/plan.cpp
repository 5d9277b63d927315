#include "workload/collective/plan.h"

#include <fmt/format.h>

#include <bit>

#include "base/error.h"
#include "plan/algorithm.h"

namespace tutti::workload {
namespace {

void check(const Phase& p, CollectiveOp asked, bool listed, const Rules& rules) {
  const auto refuse = [&](const std::string& why) {
    throw ModelError(fmt::format("{} with {} on dimension {} ({} ranks): {}", to_string(asked), to_string(p.algorithm),
                                 p.dimension, p.n, why));
  };
  switch (p.algorithm.kind) {
    case Algorithm::halving_doubling:
      if (!std::has_single_bit(p.n)) refuse("halving-doubling needs a power of two");
      if (p.op == CollectiveOp::all_to_all) refuse("halving-doubling has no all-to-all");
      break;
    case Algorithm::double_binary_tree:
      if (rules.astra && (listed || !std::has_single_bit(p.n)))
        refuse("ASTRA-sim's tree needs a power of two and the whole machine");
      if (!rules.tree_is_all_reduce && p.op != CollectiveOp::all_reduce)
        refuse("the double binary tree does all-reduce only");
      break;
    case Algorithm::ring:
    case Algorithm::direct:
    case Algorithm::planned:
      break;
  }
}

/// The first algorithm of its kind in the plan layer's list.
AlgorithmChoice standard(CollectiveOp op) {
  AlgorithmChoice choice;
  choice.kind = Algorithm::planned;
  choice.one_dimension = true;
  for (const plan::Algorithm& a : plan::algorithms())
    if (choice.planned.empty() && a.kind == plan_kind(op)) choice.planned = a.name;
  return choice;
}

bool involved(const PlanRequest& r, std::uint32_t dimension, std::size_t used, const Rules& rules) {
  if (!r.dimensions) return !rules.four_dimensions || r.group->id != 0 || dimension < 4;
  if (dimension < r.dimension_count) return (*r.dimensions >> dimension & 1U) != 0;
  throw ModelError(
      fmt::format("involved_dim has {} entries, but {} dimensions have an algorithm", r.dimension_count, used));
}

void lists_must_fit(const PlanRequest& r, std::size_t network, const Rules& rules) {
  if (r.dimensions && !rules.astra && r.dimension_count != network)
    throw ModelError(
        fmt::format("involved_dim has {} entries, but the network has {} dimensions", r.dimension_count, network));
}

}  // namespace

Plan make_plan(const PlanRequest& request, const std::vector<std::uint32_t>& sizes, const SystemConfig& system,
               const Rules& rules) {
  auto list = system.of(request.op).dimensions;
  if (list.empty() && static_cast<int>(request.op) >= astra_collective_ops) list = {standard(request.op)};
  if (!list.empty() && list.front().kind == Algorithm::planned && list.front().planned.empty()) list.clear();
  if (list.empty())
    throw ModelError(fmt::format("no algorithm for {}: {}-implementation is missing in the system file",
                                 to_string(request.op), to_string(request.op)));
  Plan plan{request.group, request.op, !request.group->whole_machine, {}};
  std::vector<Phase> line;  // one for each dimension that takes part, ascending
  if (plan.listed) {
    AlgorithmChoice choice =
        list.size() == 1 || list.front().kind == Algorithm::planned ? list.front() : AlgorithmChoice{};
    const auto n = static_cast<std::uint32_t>(request.group->ranks.size());
    if (n > 1) line.push_back({request.op, choice, 0, n, 1, Phase::Lane::all, -1});
  } else if (list.front().one_dimension) {
    std::uint32_t n = 1;
    for (const std::uint32_t s : sizes) n *= s;
    if (n > 1 && involved(request, 0, 1, rules))
      line.push_back({request.op, list.front(), 0, n, 1, Phase::Lane::all, -1});
  } else {
    lists_must_fit(request, sizes.size(), rules);
    std::uint32_t stride = 1;
    for (std::uint32_t k = 0; k < list.size(); ++k) {
      if (sizes[k] > 1 && involved(request, k, list.size(), rules))
        line.push_back({request.op, list[k], k, sizes[k], stride, Phase::Lane::all, -1});
      stride *= sizes[k];
    }
  }
  if (request.op == CollectiveOp::all_gather) {
    plan.phases.assign(line.rbegin(), line.rend());
  } else if (request.op == CollectiveOp::all_reduce && system.local_bw_aware && !line.empty()) {
    for (Phase p : line) {
      if (p.dimension != line.back().dimension) p.op = CollectiveOp::reduce_scatter;
      p.lane = Phase::Lane::first_half;
      plan.phases.push_back(p);
    }
    for (std::size_t i = line.size() - 1; i-- > 0;) {
      Phase p = line[i];
      p.op = CollectiveOp::all_gather;
      p.lane = Phase::Lane::second_half;
      p.restores = static_cast<std::int32_t>(i);
      plan.phases.push_back(p);
    }
  } else {
    plan.phases = std::move(line);
  }
  for (const Phase& p : plan.phases) check(p, request.op, plan.listed, rules);
  return plan;
}

}  // namespace tutti::workload
