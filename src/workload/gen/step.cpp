#include "workload/gen/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workload/gen/simple.h"

namespace tutti::workload::gen {
namespace {

using Kind = StepGroups::Kind;

/// Numbers of one rank: operations of a forward pass and bytes that it moves.
struct Costs {
  explicit Costs(const StepSpec& s) {
    const ModelShape& m = s.model;
    const std::uint64_t tokens = s.tokens(), t = s.tp;
    const std::uint64_t per_sequence = tokens / s.micro_batch;
    const std::uint64_t kv = std::max<std::uint64_t>(m.kv_heads / t, 1) * m.head_size();
    activation = tokens * m.hidden * s.bytes;
    attention_weights = 2 * m.hidden * (m.hidden / t) + 2 * m.hidden * kv;
    attention_ops = 2 * tokens * attention_weights + 4 * tokens * per_sequence * (m.hidden / t);
    const std::uint64_t block = m.feed_forward_matrices() * m.hidden * (m.ffn / t);
    const std::uint64_t copies = m.experts ? m.top_k : 1;  // experts that a token goes to
    block_weights = block * (m.experts ? m.experts / s.ep : 1);
    block_ops = 2 * tokens * copies * block;
    router_ops = 2 * tokens * m.router_weights();
    dispatch = activation * copies / (s.sequence_parallel ? t : 1);
    vocabulary_weights = s.padded_vocabulary() / t * m.hidden;
    logits_ops = 2 * tokens * vocabulary_weights;
    attention_moved = attention_weights * s.bytes + 2 * activation;
    block_moved = block_weights * s.bytes + 2 * activation * copies;
    logits_moved = vocabulary_weights * s.bytes + activation + tokens * (s.padded_vocabulary() / t) * s.bytes;
    boundary = activation / (s.sequence_parallel ? t : 1);
  }
  std::uint64_t activation, attention_weights, attention_ops, block_weights, block_ops, router_ops, dispatch,
      vocabulary_weights, logits_ops, attention_moved, block_moved, logits_moved, boundary;
};

class Writer {
 public:
  Writer(const StepSpec& spec, const StepGroups& groups, std::uint32_t rank)
      : s_(spec), groups_(groups), rank_(rank), place_(place_of(spec, rank)), cost_(spec) {}

  std::vector<NodeSpec> run() {
    const auto order = passes(s_.pipeline, place_.stage);
    std::vector<std::uint32_t> left(s_.pipeline.chunks, s_.pipeline.microbatches);
    for (const Pass& p : order) {
      if (!p.backward)
        forward(p);
      else
        backward(p, --left[p.chunk] == 0);
    }
    tied_weights();
    return std::move(nodes_);
  }

 private:
  std::uint32_t virtual_stage(std::uint32_t chunk) const { return chunk * s_.pipeline.stages + place_.stage; }
  bool first(const Pass& p) const { return virtual_stage(p.chunk) == 0; }
  bool last(const Pass& p) const { return virtual_stage(p.chunk) + 1 == s_.pipeline.virtual_stages(); }

  std::string name(const Pass& p, std::string_view what, std::int64_t layer = -1) const {
    std::string text = fmt::format("mb{}.{}", p.microbatch, p.backward ? "bwd" : "fwd");
    if (layer >= 0) text += fmt::format(".layer{}", layer);
    return text + "." + std::string(what);
  }

  NodeSpec& add(NodeType type, std::string node_name, std::vector<std::uint64_t> after) {
    NodeSpec n;
    n.id = nodes_.size() + 1;
    n.name = std::move(node_name);
    n.type = type;
    n.is_cpu_op = false;
    n.data_deps = std::move(after);
    nodes_.push_back(std::move(n));
    return nodes_.back();
  }

  /// Appends to the chain of computation.
  void chain(const NodeSpec& n) { tail_ = {n.id}; }

  void compute(std::string node_name, std::uint64_t ops, std::uint64_t moved) {
    NodeSpec& n = add(NodeType::comp, std::move(node_name), tail_);
    n.num_ops = ops;
    n.tensor_size = moved;
    if (s_.tflops > 0) {
      const double us = static_cast<double>(ops) / (s_.tflops * 1e6);
      n.duration_us = static_cast<std::uint64_t>(std::max(1.0, std::round(us)));
    }
    chain(n);
  }

  /// @return its id, or 0 if this rank is alone in the group.
  std::uint64_t collective(std::string node_name, CollectiveKind kind, std::uint64_t bytes, Kind group,
                           std::vector<std::uint64_t> after) {
    const std::string& which = groups_.name(group, rank_);
    if (which.empty()) return 0;
    NodeSpec& n = add(NodeType::comm_coll, std::move(node_name), std::move(after));
    n.collective = kind;
    n.comm_size = static_cast<std::int64_t>(bytes);
    n.pg_name = which;
    return n.id;
  }
  void blocking(std::string node_name, CollectiveKind kind, std::uint64_t bytes, Kind group) {
    if (const std::uint64_t id = collective(std::move(node_name), kind, bytes, group, tail_)) tail_ = {id};
  }

  /// The sum over tensor-parallel ranks that ends a block, or its two halves around the block.
  void enter_block(const Pass& p, std::int64_t layer, const char* block) {
    if (s_.sequence_parallel)
      blocking(name(p, fmt::format("{}.gather", block), layer), CollectiveKind::all_gather, cost_.activation / s_.tp,
               Kind::tensor);
  }
  void leave_block(const Pass& p, std::int64_t layer, const char* block) {
    if (s_.sequence_parallel)
      blocking(name(p, fmt::format("{}.scatter", block), layer), CollectiveKind::reduce_scatter, cost_.activation,
               Kind::tensor);
    else
      blocking(name(p, fmt::format("{}.reduce", block), layer), CollectiveKind::all_reduce, cost_.activation,
               Kind::tensor);
  }

  void attention(const Pass& p, std::int64_t layer) {
    const std::uint64_t times = p.backward ? 2 : 1;
    enter_block(p, layer, "attention");
    compute(name(p, "attention", layer), times * cost_.attention_ops, times * cost_.attention_moved);
    leave_block(p, layer, "attention");
  }

  void feed_forward(const Pass& p, std::int64_t layer) {
    const std::uint64_t times = p.backward ? 2 : 1;
    const bool moe = s_.model.experts != 0;
    if (moe) {
      if (!p.backward) compute(name(p, "router", layer), cost_.router_ops, cost_.activation);
      blocking(name(p, p.backward ? "combine" : "dispatch", layer), CollectiveKind::all_to_all, cost_.dispatch,
               Kind::expert);
    }
    enter_block(p, layer, "ffn");
    compute(name(p, moe ? "experts" : "ffn", layer), times * cost_.block_ops, times * cost_.block_moved);
    leave_block(p, layer, "ffn");
    if (moe) {
      blocking(name(p, p.backward ? "dispatch" : "combine", layer), CollectiveKind::all_to_all, cost_.dispatch,
               Kind::expert);
      if (p.backward) compute(name(p, "router", layer), 2 * cost_.router_ops, 2 * cost_.activation);
    }
  }

  /// Gradients of `weights` over the ranks that hold the same weights, beside the further computation.
  void gradients(const Pass& p, std::string_view what, std::int64_t layer, std::uint64_t weights, Kind group) {
    const std::uint64_t size = weights * s_.bytes;
    if (!s_.sharded_optimizer) {
      collective(name(p, fmt::format("{}.grads", what), layer), CollectiveKind::all_reduce, size, group, tail_);
      return;
    }
    const std::uint64_t sharers = group == Kind::data ? s_.dp : std::uint64_t{s_.dp} * s_.ep;
    const std::uint64_t id =
        collective(name(p, fmt::format("{}.grads", what), layer), CollectiveKind::reduce_scatter, size, group, tail_);
    if (id)
      collective(name(p, fmt::format("{}.weights", what), layer), CollectiveKind::all_gather,
                 (size + sharers - 1) / sharers, group, {id});
  }

  /// Chunk on the earlier side of the boundary that `p` receives or sends over.
  std::uint32_t boundary(const Pass& p, bool sends) const {
    const bool above = p.backward == sends;  // towards the earlier stage
    return above && place_.stage == 0 ? p.chunk - 1 : p.chunk;
  }
  std::int32_t stage_rank(std::int64_t by) const {
    Place p = place_;
    const auto n = static_cast<std::int64_t>(s_.pipeline.stages);
    p.stage = static_cast<std::uint32_t>((p.stage + by + n) % n);
    return static_cast<std::int32_t>(rank_of(s_, p));
  }

  void receive(const Pass& p) {
    if (p.backward ? last(p) : first(p)) return;
    NodeSpec& n = add(NodeType::comm_recv, name(p, "recv"), {});
    n.comm_src = stage_rank(p.backward ? 1 : -1);
    n.comm_dst = static_cast<std::int32_t>(rank_);
    n.comm_size = static_cast<std::int64_t>(cost_.boundary);
    n.comm_tag = boundary_tag(s_.pipeline, s_.one_tag, p, boundary(p, false));
    tail_.push_back(n.id);
  }
  void send(const Pass& p) {
    if (p.backward ? first(p) : last(p)) return;
    NodeSpec& n = add(NodeType::comm_send, name(p, "send"), tail_);
    n.comm_src = static_cast<std::int32_t>(rank_);
    n.comm_dst = stage_rank(p.backward ? -1 : 1);
    n.comm_size = static_cast<std::int64_t>(cost_.boundary);
    n.comm_tag = boundary_tag(s_.pipeline, s_.one_tag, p, boundary(p, true));
  }

  std::int64_t first_layer(std::uint32_t chunk) const {
    std::uint64_t at = 0;
    for (std::uint32_t k = 0; k < virtual_stage(chunk); ++k) at += s_.layers_of(k);
    return static_cast<std::int64_t>(at);
  }

  void forward(const Pass& p) {
    receive(p);
    const std::int64_t from = first_layer(p.chunk);
    const auto layers = static_cast<std::int64_t>(s_.layers_of(virtual_stage(p.chunk)));
    if (first(p)) compute(name(p, "embedding"), 0, 2 * cost_.activation);
    for (std::int64_t l = from; l < from + layers; ++l) {
      attention(p, l);
      feed_forward(p, l);
    }
    if (last(p)) compute(name(p, "logits"), cost_.logits_ops, cost_.logits_moved);
    send(p);
  }

  void backward(const Pass& p, bool last_of_chunk) {
    receive(p);
    const std::int64_t from = first_layer(p.chunk);
    const auto layers = static_cast<std::int64_t>(s_.layers_of(virtual_stage(p.chunk)));
    const ModelShape& m = s_.model;
    if (last(p)) {
      compute(name(p, "logits"), 2 * cost_.logits_ops, 2 * cost_.logits_moved);
      if (last_of_chunk && !(first(p) && m.tied))
        gradients(p, "logits", -1, cost_.vocabulary_weights, Kind::data_expert);
    }
    for (std::int64_t l = from + layers; l-- > from;) {
      feed_forward(p, l);
      if (last_of_chunk && m.experts != 0) gradients(p, "experts", l, cost_.block_weights, Kind::data);
      attention(p, l);
      const std::uint64_t dense =
          cost_.attention_weights + m.norm_weights() + (m.experts != 0 ? m.router_weights() : cost_.block_weights);
      if (last_of_chunk) gradients(p, "layer", l, dense, Kind::data_expert);
    }
    if (first(p)) {
      compute(name(p, "embedding"), 0, 2 * cost_.activation);
      if (last_of_chunk) gradients(p, "embedding", -1, cost_.vocabulary_weights, Kind::data_expert);
    }
    send(p);
  }

  /// Tied weights lie on the first and the last stage, which add up their gradients after all else: a collective that
  /// waits for another stage must not stand before messages of this one.
  void tied_weights() {
    const std::uint32_t stage = place_.stage, stages = s_.pipeline.stages;
    if (s_.model.tied && stages > 1 && (stage == 0 || stage + 1 == stages))
      collective("tied.grads", CollectiveKind::all_reduce, cost_.vocabulary_weights * s_.bytes, Kind::embedding, tail_);
  }

  const StepSpec& s_;
  const StepGroups& groups_;
  const std::uint32_t rank_;
  const Place place_;
  const Costs cost_;
  std::vector<NodeSpec> nodes_;
  std::vector<std::uint64_t> tail_;  ///< what the next computation waits for
};

}  // namespace

std::vector<NodeSpec> step_trace(const StepSpec& spec, const StepGroups& groups, std::uint32_t rank) {
  return Writer(spec, groups, rank).run();
}

}  // namespace tutti::workload::gen
