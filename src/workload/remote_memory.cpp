#include "workload/remote_memory.h"

#include <fmt/format.h>

#include <cmath>

#include "workload/json_input.h"

namespace tutti::workload {
namespace {

RemoteMemoryConfig read(JsonInput in, std::uint32_t ranks, const Rules& rules) {
  using Kind = RemoteMemoryConfig::Kind;
  RemoteMemoryConfig c;
  const auto number = [&](const char* key, double low, double otherwise) {
    const auto it = in.root().find(key);
    if (it == in.root().end()) {
      if (otherwise < low) in.fault(key, fmt::format("{} is missing", key));
      return otherwise;
    }
    if (!it->is_number() || !(it->get<double>() >= low) || it->get<double>() > 1e15)
      return in.fault(key, fmt::format("{}: a number of at least {} is needed", key, low)), low;
    return it->get<double>();
  };
  const auto type = in.root().find("memory-type");
  const std::string name = type != in.root().end() && type->is_string() ? type->get<std::string>() : "";
  if (name == "NO_MEMORY_EXPANSION")
    c.kind = Kind::none;
  else if (name == "PER_NPU_MEMORY_EXPANSION")
    c.kind = Kind::per_rank;
  else if (name == "PER_NODE_MEMORY_EXPANSION")
    c.kind = Kind::per_node;
  else if (name == "MEMORY_POOL")
    c.kind = Kind::pool;
  else
    in.fault("memory-type", fmt::format("memory-type: unknown value '{}'; known: NO_MEMORY_EXPANSION, "
                                        "PER_NPU_MEMORY_EXPANSION, PER_NODE_MEMORY_EXPANSION, MEMORY_POOL",
                                        name));
  if (c.kind != Kind::none) {
    c.latency_ns = static_cast<std::uint64_t>(number("remote-mem-latency", 0, 0));
    c.bytes_per_ns = number("remote-mem-bw", rules.astra ? 1 : 1e-9, -1);
    if (rules.astra) c.bytes_per_ns = std::floor(c.bytes_per_ns);
  }
  if (c.kind == Kind::per_node) {
    c.nodes = static_cast<std::uint32_t>(number("num-nodes", 1, -1));
    c.ranks_per_node = static_cast<std::uint32_t>(number("num-npus-per-node", 1, -1));
    if (std::uint64_t{c.nodes} * c.ranks_per_node < ranks)
      in.fault("num-nodes", fmt::format("num-nodes * num-npus-per-node is {}, but there are {} ranks",
                                        std::uint64_t{c.nodes} * c.ranks_per_node, ranks));
  }
  static const std::vector<std::string> known = {"memory-type", "remote-mem-latency", "remote-mem-bw", "num-nodes",
                                                 "num-npus-per-node"};
  for (const auto& [key, value] : in.root().items())
    if (!rules.loose_json && std::find(known.begin(), known.end(), key) == known.end())
      in.fault(key, fmt::format("unknown key '{}'", key));
  in.finish();
  return c;
}

}  // namespace

RemoteMemoryConfig parse_remote_memory(const std::string& text, const std::string& path, std::uint32_t ranks,
                                       const Rules& rules) {
  return read(JsonInput(text, path), ranks, rules);
}
RemoteMemoryConfig read_remote_memory_file(const std::string& path, std::uint32_t ranks, const Rules& rules) {
  return read(JsonInput::from_file(path), ranks, rules);
}

RemoteMemory::RemoteMemory(const RemoteMemoryConfig& config, const Rules& rules)
    : config_(config), whole_ns_(rules.astra) {
  ports_.resize(config.kind == RemoteMemoryConfig::Kind::per_node ? config.nodes : 1);
}

Time RemoteMemory::duration(std::uint64_t bytes) const {
  const double ns = static_cast<double>(bytes) / config_.bytes_per_ns;
  if (!(ns < 4.6e15))
    throw ModelError("a remote memory access takes longer than 53 days: more than simulated time holds");
  return Time::ns(static_cast<std::int64_t>(config_.latency_ns)) +
         (whole_ns_ ? Time::ns(static_cast<std::int64_t>(ns)) : Time::from_ns(ns));
}

void RemoteMemory::access(std::uint32_t rank, std::uint64_t bytes, RankClock& clock, Completion done) {
  using Kind = RemoteMemoryConfig::Kind;
  if (config_.kind == Kind::none)
    throw ModelError("the trace accesses remote memory, but there is none (--remote-memory)");
  const std::uint32_t port = config_.kind == Kind::per_node ? rank / config_.ranks_per_node : 0;
  Access* const a = pool_.take(*this, port, duration(bytes), clock, done);
  if (config_.kind == Kind::per_rank) return clock.after(a->time, *a);
  Port& p = ports_[port];
  if (p.busy) return p.waiting.push_back(a);
  p.busy = true;
  clock.after(a->time, *a);
}

void RemoteMemory::finished(RankClock::Item& item) {
  auto& a = static_cast<Access&>(item);
  RemoteMemory& self = *a.memory;
  const Completion done = a.done;
  if (self.config_.kind != RemoteMemoryConfig::Kind::per_rank) {
    Port& p = self.ports_[a.port];
    if (p.waiting.empty()) {
      p.busy = false;
    } else {
      Access& next = *p.waiting.front();
      p.waiting.pop_front();
      next.clock->after(next.time, next);
    }
  }
  self.pool_.give(&a);
  done.call(done.owner, done.note);
}

}  // namespace tutti::workload
