#include "workload/check_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tutti::workload {
namespace {

using enum Attribute;

class NodeCheck {
 public:
  NodeCheck(const Trace& trace, const NodeContext& context, CheckLog& log, CheckCounts& counts, CheckNotes& notes)
      : trace_(trace), context_(context), log_(log), counts_(counts), notes_(notes), groups_(trace.groups.size()) {
    replay_ = context.system && context.system->replay_only;
    roofline_ = context.system && context.system->roofline;
  }

  void run() {
    counts_.nodes += trace_.nodes.size();
    counts_.dependencies += trace_.deps.size();
    for (const Node& n : trace_.nodes) {
      dependencies(n);
      type(n);
    }
    summary();
  }

 private:
  template <class... A>
  void error(const char* rule, const Node& n, fmt::format_string<A...> text, A&&... a) {
    log_.node(true, rule, trace_, n, [&] { return fmt::format(text, std::forward<A>(a)...); });
  }
  template <class... A>
  void warning(const char* rule, const Node& n, fmt::format_string<A...> text, A&&... a) {
    log_.node(false, rule, trace_, n, [&] { return fmt::format(text, std::forward<A>(a)...); });
  }

  void dependencies(const Node& n) {
    const auto parents = trace_.parents(n);
    if (parents.empty()) return;
    const auto self = static_cast<std::uint32_t>(&n - trace_.nodes.data());
    if (std::find(parents.begin(), parents.end(), self) != parents.end())
      error("self-dependency", n, "depends on itself");
    if (twice(trace_.data_deps(n)) || twice(trace_.ctrl_deps(n)))
      warning("duplicate-dependency", n, "names a parent more than once; it counts once");
  }

  bool twice(std::span<const std::uint32_t> parents) {
    if (parents.size() < 2) return false;
    if (parents.size() == 2) return parents[0] == parents[1];
    sorted_.assign(parents.begin(), parents.end());
    std::sort(sorted_.begin(), sorted_.end());
    return std::adjacent_find(sorted_.begin(), sorted_.end()) != sorted_.end();
  }

  /// True if the attribute is there and readable; otherwise a fault.
  bool need(const Node& n, Attribute a, const char* hint = "") {
    if (n.has(a)) return true;
    const bool there = (n.present & bit(a)) != 0;
    log_.node(
        true, there ? "wrong-kind" : "missing-attribute", trace_, n,
        [&] {
          return there ? fmt::format("{} is of a kind that is no {}", to_string(a), a == pg_name ? "text" : "integer")
                       : fmt::format("{} is missing", to_string(a));
        },
        hint);
    return false;
  }

  void type(const Node& n) {
    switch (n.type) {
      case NodeType::comp:
        return compute(n);
      case NodeType::mem_load:
      case NodeType::mem_store:
        return memory(n);
      case NodeType::comm_send:
        ++counts_.sends;
        return message(n, true);
      case NodeType::comm_recv:
        ++counts_.receives;
        return message(n, false);
      case NodeType::comm_coll:
        return collective(n);
      case NodeType::metadata:
        return;
      case NodeType::invalid:
        return warning("invalid-type", n, "type INVALID: it does nothing");
      case NodeType::unknown:
        return error("unknown-type", n, "unknown node type {}", n.raw_type);
    }
  }

  void compute(const Node& n) {
    ++counts_.compute;
    if (n.duration_ns == 0) ++no_duration_;
    if (n.duration_ns > 4'600'000'000'000'000U)
      error("bad-value", n, "takes more than 53 days, which simulated time does not hold");
    else if (n.duration_ns > std::uint64_t{3600} * 1'000'000'000)
      warning("unit", n, "takes {:.3g} hours; schemas from 0.0.4 give microseconds, older ones nanoseconds",
              static_cast<double>(n.duration_ns) / 3.6e12);
    for (const Attribute a : {num_ops, tensor_size})
      if ((n.wrong_kind & bit(a)) != 0) need(n, a);
    if (!roofline_ || n.is_cpu_op || replay_) return;
    for (const Attribute a : {num_ops, tensor_size})
      if ((n.present & bit(a)) == 0) need(n, a, "roofline-enabled needs it");
  }

  void memory(const Node& n) {
    ++counts_.memory;
    if (replay_) return;
    need(n, tensor_size);
    if (context_.no_remote_memory)
      error("no-remote-memory", n, "a memory node needs remote memory, and there is none (--remote-memory FILE)");
  }

  void common(const Node& n) {
    if (n.is_cpu_op)
      log_.node(true, "comm-on-cpu", trace_, n,
                [] { return "a communication node cannot run on the CPU (is_cpu_op)"; });
    if (!n.has(comm_size)) return;
    if (n.comm_size < 0) return error("bad-value", n, "comm_size is {}", n.comm_size);
    any_bytes_ = any_bytes_ || n.comm_size > 0;
    if (n.comm_size > std::int64_t{1} << 50)
      warning("unit", n, "comm_size is {} bytes, more than a pebibyte", n.comm_size);
  }

  void rank(const Node& n, Attribute a, std::int32_t value, bool peer) {
    if (value < 0 || (context_.ranks != 0 && static_cast<std::uint32_t>(value) >= context_.ranks))
      return error("rank-out-of-range", n, "{} {} is not a rank{}", to_string(a), value,
                   context_.ranks ? fmt::format("; there are {}", context_.ranks) : std::string());
    if (!peer && value != trace_.rank)
      return error("foreign-rank", n, "{} is {}, but this is the trace of rank {}", to_string(a), value, trace_.rank);
    if (peer && value == trace_.rank) warning("self-message", n, "a message to oneself");
  }

  void message(const Node& n, bool send) {
    if (replay_) return;
    common(n);
    if (need(n, comm_size,
             "traces of MSCCL algorithms have chunk counts instead: give them to the system file as "
             "a custom implementation") &&
        n.comm_size >= 0) {
      if (send) counts_.bytes_sent += static_cast<std::uint64_t>(n.comm_size);
      if (n.comm_size == 0) warning("zero-bytes", n, "comm_size is 0");
    }
    const Attribute own = send ? comm_src : comm_dst, other = send ? comm_dst : comm_src;
    if (n.has(own))
      rank(n, own, send ? n.comm_src : n.comm_dst, false);
    else if ((n.wrong_kind & bit(own)) != 0)
      need(n, own);
    if (need(n, other, "the PyTorch converter writes no peer: such traces hold collectives only"))
      rank(n, other, send ? n.comm_dst : n.comm_src, true);
    if (need(n, comm_tag) && n.comm_tag < 0) error("bad-value", n, "comm_tag is {}", n.comm_tag);
  }

  void collective(const Node& n) {
    ++counts_.collectives;
    if (replay_) return;
    common(n);
    const bool sized = n.collective != CollectiveKind::barrier || !n.has(comm_type);
    if (sized && need(n, comm_size) && n.comm_size >= 0) {
      counts_.collective_bytes += static_cast<std::uint64_t>(n.comm_size);
      if (n.comm_size == 0) warning("zero-bytes", n, "comm_size is 0: the collective ends at once");
    }
    if (need(n, comm_type)) kind(n);
    group(n);
    dimensions(n);
  }

  void kind(const Node& n) {
    if (n.collective == CollectiveKind::unknown)
      error("unknown-collective", n, "unknown comm_type {}", n.raw_collective);
  }

  void group(const Node& n) {
    if ((n.wrong_kind & bit(pg_name)) != 0) {
      need(n, pg_name);
      return;
    }
    if (!context_.groups) return;
    GroupSeen& seen = groups_[n.group];
    if (!seen.looked_up) {
      seen.looked_up = true;
      seen.group = context_.groups->find(trace_.group(n));
    }
    if (!seen.group)
      return log_.node(
          true, "unknown-group", trace_, n,
          [&] { return fmt::format("unknown group '{}'; known: {}", trace_.group(n), context_.groups->names()); },
          context_.group_hint);
    if (!seen.group->whole_machine && !seen.group->member(static_cast<std::uint32_t>(trace_.rank)))
      error("not-a-member", n, "rank {} is not a member of group '{}'", trace_.rank, trace_.group(n));
  }

  void dimensions(const Node& n) {
    if ((n.wrong_kind & bit(involved_dim)) != 0)
      return error("wrong-kind", n, "involved_dim must be a list of booleans");
    if (!n.has(involved_dim) || (context_.groups && n.group != 0 && !trace_.group(n).empty())) return;
    if (context_.dimensions != 0 && n.dim_count != context_.dimensions)
      return error("dimensions", n, "involved_dim has {} entries, the network has {} dimensions", n.dim_count,
                   context_.dimensions);
    if (n.dim_mask == 0) warning("dimensions", n, "involved_dim names no dimension: the collective ends at once");
  }

  void summary() {
    const bool communicates =
        std::any_of(trace_.nodes.begin(), trace_.nodes.end(), [](const Node& n) { return n.is_comm(); });
    if (context_.system && !roofline_ && !replay_) notes_.no_duration += no_duration_;
    if (communicates && !any_bytes_ && !replay_) ++notes_.silent_files;
    if (communicates && trace_.version == "symbolic_tensor_network") ++notes_.stage_files;
  }

  struct GroupSeen {
    bool looked_up = false;
    const CommGroup* group = nullptr;
  };
  const Trace& trace_;
  const NodeContext& context_;
  CheckLog& log_;
  CheckCounts& counts_;
  CheckNotes& notes_;
  std::vector<GroupSeen> groups_;
  std::vector<std::uint32_t> sorted_;
  std::uint64_t no_duration_ = 0;
  bool any_bytes_ = false, replay_ = false, roofline_ = false;
};

}  // namespace

void check_nodes(const Trace& trace, const NodeContext& context, CheckLog& log, CheckCounts& counts,
                 CheckNotes& notes) {
  NodeCheck(trace, context, log, counts, notes).run();
}

void report_notes(const CheckNotes& notes, const std::string& where, CheckLog& log) {
  if (notes.no_duration > 0)
    log.file(false, "no-duration", where,
             fmt::format("{} compute nodes have no duration: they take no time", notes.no_duration),
             "roofline-enabled computes their time from num_ops and tensor_size");
  if (notes.silent_files > 0)
    log.file(false, "unit", where, fmt::format("in {} files every communication node has 0 bytes", notes.silent_files));
  if (notes.stage_files > 0)
    log.file(
        false, "unit", where,
        fmt::format("{} files are from STAGE, whose sizes are in elements; they are taken as bytes", notes.stage_files),
        "multiply by the size of the data type if bytes are meant");
}

}  // namespace tutti::workload
