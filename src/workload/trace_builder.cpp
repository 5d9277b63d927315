#include "workload/trace_builder.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <utility>

namespace tutti::workload {
namespace {

constexpr std::uint32_t missing = UINT32_MAX;

/// Id to index: a table when the ids are dense enough, a hash map otherwise. Only looked up, never iterated.
class IdMap {
 public:
  explicit IdMap(const std::vector<Node>& nodes) {
    if (nodes.empty()) return;
    const auto [low, high] =
        std::minmax_element(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.id < b.id; });
    low_ = low->id;
    const std::uint64_t span = high->id - low_;
    if (span < 4 * nodes.size() + 64)
      table_.assign(static_cast<std::size_t>(span) + 1, missing);
    else
      map_.reserve(nodes.size());
  }
  std::uint32_t find(std::uint64_t id) const {
    if (!table_.empty()) return id >= low_ && id - low_ < table_.size() ? table_[id - low_] : missing;
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
  std::uint64_t low_ = 0;
  std::vector<std::uint32_t> table_;
  tsl::robin_map<std::uint64_t, std::uint32_t> map_;
};

}  // namespace

void TraceBuilder::add(Node node) {
  node.first_dep = parents_.size();
  node.data_deps = static_cast<std::uint32_t>(data_.size());
  node.ctrl_deps = static_cast<std::uint32_t>(ctrl_.size());
  parents_.insert(parents_.end(), data_.begin(), data_.end());
  parents_.insert(parents_.end(), ctrl_.begin(), ctrl_.end());
  data_.clear();
  ctrl_.clear();
  trace_.nodes.push_back(node);
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

void TraceBuilder::finish() {
  IdMap ids(trace_.nodes);
  for (std::uint32_t i = 0; i < trace_.nodes.size(); ++i) {
    const Node& n = trace_.nodes[i];
    const std::uint32_t first = ids.find(n.id);
    if (first != missing && faults_.full())
      faults_.count_only(true);
    else if (first != missing)
      fault("duplicate-id", n,
            "this id is already used by node '" + std::string(trace_.name(trace_.nodes[first])) + "'");
    ids.set(n.id, i);
  }
  trace_.deps.resize(parents_.size());
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
  parents_ = {};
}

}  // namespace tutti::workload
