#include "workload/trace_builder.h"

#include <sys/mman.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <utility>

namespace tutti::workload {
namespace {
constexpr std::uint32_t missing = UINT32_MAX;
}

/// Id to index: a subtraction if the ids are consecutive, a table if they are dense, a hash map otherwise. Only looked
/// up, never iterated.
class TraceBuilder::IdMap {
 public:
  IdMap(const std::vector<Node>& nodes, bool consecutive) {
    if (nodes.empty()) return;
    low_ = nodes.front().id;
    if (consecutive) {
      count_ = nodes.size();
      return;
    }
    const auto [low, high] =
        std::minmax_element(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.id < b.id; });
    low_ = low->id;
    const std::uint64_t span = high->id - low_;
    if (span < 4 * nodes.size() + 64)
      table_.assign(static_cast<std::size_t>(span) + 1, missing);
    else
      map_.reserve(nodes.size());
  }
  bool complete() const { return count_ != 0; }
  std::uint32_t find(std::uint64_t id) const {
    if (count_ != 0) return id - low_ < count_ ? static_cast<std::uint32_t>(id - low_) : missing;
    if (!table_.empty()) return id - low_ < table_.size() ? table_[id - low_] : missing;
    const auto it = map_.find(id);
    return it == map_.end() ? missing : it->second;
  }
  void set(std::uint64_t id, std::uint32_t index) {
    if (!table_.empty())
      table_[id - low_] = index;
    else
      map_[id] = index;
  }

 private:
  std::uint64_t low_ = 0, count_ = 0;
  std::vector<std::uint32_t> table_;
  tsl::robin_map<std::uint64_t, std::uint32_t> map_;
};

void TraceBuilder::expect(std::size_t nodes) {
  trace_.nodes.reserve(nodes);
  // A node is larger than most of what is read for it: large pages halve the cost of touching them first.
  constexpr std::size_t large = std::size_t{1} << 21;
  const auto begin = (reinterpret_cast<std::uintptr_t>(trace_.nodes.data()) + large - 1) / large * large;
  const auto end = reinterpret_cast<std::uintptr_t>(trace_.nodes.data() + nodes) / large * large;
  if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

void TraceBuilder::end() {
  Node& node = trace_.nodes.back();
  node.first_dep = first_;
  node.data_deps = static_cast<std::uint32_t>(parents_.size() - first_);
  node.ctrl_deps = static_cast<std::uint32_t>(ctrl_.size());
  if (!ctrl_.empty()) {
    parents_.insert(parents_.end(), ctrl_.begin(), ctrl_.end());
    ctrl_.clear();
  }
  first_ = parents_.size();
  consecutive_ = consecutive_ && node.id - trace_.nodes.front().id == trace_.nodes.size() - 1;
}

void TraceBuilder::drop() {
  drop_parents();
  trace_.nodes.pop_back();
}

void TraceBuilder::drop_parents() {
  parents_.resize(first_);
  ctrl_.clear();
}

std::uint32_t TraceBuilder::group(std::string_view name) {
  if (trace_.groups[last_group_] == name) return last_group_;
  const auto it = std::find(trace_.groups.begin(), trace_.groups.end(), name);
  last_group_ = static_cast<std::uint32_t>(it - trace_.groups.begin());
  if (it == trace_.groups.end()) trace_.groups.emplace_back(name);
  return last_group_;
}

void TraceBuilder::fault(const char* rule, const Node& node, std::string message) {
  Fault f;
  f.rule = rule;
  f.file = trace_.file;
  f.node = node.id;
  f.name = std::string(trace_.name(node));
  f.message = std::move(message);
  faults_.add(std::move(f));
}

bool TraceBuilder::resolve_all(const IdMap& ids) {
  trace_.deps.resize(parents_.size());
  bool all = true;
  for (std::size_t i = 0; i < parents_.size(); ++i) {
    const std::uint32_t index = ids.find(parents_[i]);
    trace_.deps[i] = index;
    all = all && index != missing;
  }
  return all;
}

void TraceBuilder::resolve_and_report(const IdMap& ids) {
  std::size_t out = 0;
  for (Node& n : trace_.nodes) {
    auto in = static_cast<std::size_t>(n.first_dep);
    const std::uint32_t counts[2] = {n.data_deps, n.ctrl_deps};
    n.first_dep = out;
    n.data_deps = n.ctrl_deps = 0;
    for (int kind = 0; kind < 2; ++kind)
      for (std::uint32_t k = 0; k < counts[kind]; ++k, ++in) {
        const std::uint32_t index = ids.find(parents_[in]);
        if (index != missing) {
          trace_.deps[out++] = index;
          ++(kind ? n.ctrl_deps : n.data_deps);
        } else if (faults_.full()) {
          faults_.count_only(true);
        } else {
          fault("dangling-dependency", n,
                std::string(kind ? "control" : "data") + " dependency on node " + std::to_string(parents_[in]) +
                    ", which is not in this file");
        }
      }
  }
  trace_.deps.resize(out);
}

void TraceBuilder::finish() {
  IdMap ids(trace_.nodes, consecutive_);
  for (std::uint32_t i = 0; !ids.complete() && i < trace_.nodes.size(); ++i) {
    const Node& n = trace_.nodes[i];
    const std::uint32_t first = ids.find(n.id);
    if (first != missing && faults_.full())
      faults_.count_only(true);
    else if (first != missing)
      fault("duplicate-id", n,
            "this id is already used by node '" + std::string(trace_.name(trace_.nodes[first])) + "'");
    ids.set(n.id, i);
  }
  if (!resolve_all(ids)) resolve_and_report(ids);
  parents_ = {};
}

}  // namespace tutti::workload
