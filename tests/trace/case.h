#pragma once
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "workload/runner.h"
#include "workload/trace_writer.h"

namespace tutti::workload {

/// A run of small traces, written to a folder of its own that goes away with it.
struct Case {
  /// Nodes by rank.
  std::map<std::uint32_t, std::vector<NodeSpec>> nodes;
  std::string network, system, groups, memory;  ///< texts; empty system: the file below
  RunSettings settings;

  explicit Case(std::string network_text) : network(std::move(network_text)) {
    settings.backend = "unaware";
    settings.astra = true;
  }
  ~Case() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  RunResult run() {
    make_folder();
    for (const auto& [rank, list] : nodes) {
      TraceWriter w;
      for (const NodeSpec& n : list) w.add(n);
      w.save(folder_ + "/w." + std::to_string(rank) + ".et");
    }
    settings.workload = folder_ + "/w";
    settings.network = file("network.yml", network);
    settings.system = system.empty() ? "" : file("system.json", system);
    settings.comm_group = groups.empty() ? "" : file("group.json", groups);
    settings.remote_memory = memory.empty() ? "" : file("memory.json", memory);
    return run_traces(settings);
  }
  /// Finish times of all ranks in ns; -1 for one that did not finish.
  std::vector<double> finishes() {
    std::vector<double> all;
    for (const RankResult& r : run().ranks) all.push_back(r.finish ? r.finish->ns() : -1);
    return all;
  }
  /// What run() throws, or "".
  std::string error() {
    try {
      run();
    } catch (const std::exception& e) {
      return e.what();
    }
    return {};
  }
  std::string file(const std::string& name, const std::string& text) {
    make_folder();
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
    return folder_ + "/" + name;
  }

 private:
  void make_folder() {
    if (!folder_.empty()) return;
    std::string name = (std::filesystem::temp_directory_path() / "tutti-trace-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  std::string folder_;
};

inline NodeSpec collective(std::uint64_t id, CollectiveKind kind, std::int64_t bytes, std::vector<std::uint64_t> after = {}) {
  NodeSpec n;
  n.id = id;
  n.name = "coll" + std::to_string(id);
  n.type = NodeType::comm_coll;
  n.collective = kind;
  n.comm_size = bytes;
  n.data_deps = std::move(after);
  return n;
}
inline NodeSpec send(std::uint64_t id, std::int32_t to, std::int64_t bytes, std::int32_t tag = 0, std::vector<std::uint64_t> after = {}) {
  NodeSpec n;
  n.id = id;
  n.name = "send" + std::to_string(id);
  n.type = NodeType::comm_send;
  n.comm_dst = to;
  n.comm_size = bytes;
  n.comm_tag = tag;
  n.data_deps = std::move(after);
  return n;
}
inline NodeSpec receive(std::uint64_t id, std::int32_t from, std::int64_t bytes, std::int32_t tag = 0, std::vector<std::uint64_t> after = {}) {
  NodeSpec n = send(id, 0, bytes, tag, std::move(after));
  n.name = "receive" + std::to_string(id);
  n.type = NodeType::comm_recv;
  n.comm_dst.reset();
  n.comm_src = from;
  return n;
}
inline NodeSpec compute(std::uint64_t id, std::uint64_t us, std::vector<std::uint64_t> after = {}) {
  NodeSpec n;
  n.id = id;
  n.name = "comp" + std::to_string(id);
  n.type = NodeType::comp;
  n.duration_us = us;
  n.data_deps = std::move(after);
  return n;
}

/// A network of one dimension at 50 GB/s and 500 ns, or of the given lists.
inline std::string network_text(const std::string& shapes, const std::string& sizes, const std::string& bandwidths = "50.0", const std::string& latencies = "500.0") {
  return "topology: [ " + shapes + " ]\nnpus_count: [ " + sizes + " ]\nbandwidth: [ " + bandwidths + " ]\nlatency: [ " + latencies + " ]\n";
}

/// The system file of the specification's examples: endpoint-delay 10, local-mem-bw 50; `more` adds keys ("\"k\": 1").
struct SystemText {
  std::string algorithms = "\"ring\"";
  int splits = 1, active = 1, endpoint = 10;
  std::string memory = "50", optimization = "baseline", more{};
  std::string text() const {
    std::string all = "{\n";
    for (const char* kind : {"all-reduce", "all-gather", "reduce-scatter", "all-to-all"}) all += std::string(" \"") + kind + "-implementation\": [" + algorithms + "],\n";
    if (!memory.empty()) all += " \"local-mem-bw\": " + memory + ",\n";
    if (!more.empty()) all += " " + more + ",\n";
    return all + " \"scheduling-policy\": \"LIFO\", \"endpoint-delay\": " + std::to_string(endpoint) + ",\n \"collective-optimization\": \"" + optimization +
           "\",\n \"active-chunks-per-dimension\": " + std::to_string(active) + ", \"preferred-dataset-splits\": " + std::to_string(splits) + "\n}\n";
  }
};

/// One collective on all ranks.
inline void all_ranks(Case& c, std::uint32_t ranks, CollectiveKind kind, std::int64_t bytes) {
  for (std::uint32_t r = 0; r < ranks; ++r) c.nodes[r] = {collective(1, kind, bytes)};
}

}  // namespace tutti::workload
