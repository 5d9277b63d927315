#include "workload/check.h"

#include <fmt/format.h>

#include <deque>
#include <filesystem>
#include <initializer_list>
#include <optional>

#include "base/error.h"
#include "net/network_file.h"
#include "workload/check_collectives.h"
#include "workload/check_deadlock.h"
#include "workload/check_graph.h"
#include "workload/check_log.h"
#include "workload/check_matching.h"
#include "workload/check_nodes.h"
#include "workload/comm_groups.h"
#include "workload/remote_memory.h"
#include "workload/system_config.h"
#include "workload/trace_format.h"

namespace tutti::workload {
namespace {

class Check {
 public:
  Check(const CheckSettings& settings, CheckReport& report)
      : settings_(settings), report_(report), log_(report, settings.listed) {
    options_.schema = settings.schema;
    options_.max_faults = 1U << 20;
  }

  void run() {
    configuration();
    for (const std::string& path : settings_.traces) single(path);
    if (!settings_.workload.empty()) set();
  }

 private:
  /// Reads a file of settings; each line of a reader's error is a fault.
  template <class Read>
  void read(const std::string& path, Read&& reader) {
    if (path.empty()) return;
    report_.looked_at.push_back(path);
    try {
      reader();
    } catch (const Error& e) {
      std::string_view text = e.what();
      while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        constexpr std::string_view mark = ": error: ";
        const auto at = line.find(mark);
        log_.file(true, "configuration", at == std::string_view::npos ? path : std::string(line.substr(0, at)),
                  std::string(at == std::string_view::npos ? line : line.substr(at + mark.size())));
      }
    }
  }

  void configuration() {
    const Rules rules = Rules::tutti();
    read(settings_.network, [&] { network_ = net::read_network_file(settings_.network); });
    if (network_) {
      context_.ranks = network_->ranks();
      context_.dimensions = static_cast<std::uint32_t>(network_->dimensions.size());
      options_.expected_ranks = static_cast<std::int32_t>(context_.ranks);
    }
    read(settings_.system, [&] {
      if (!network_)
        throw ConfigError(settings_.system +
                          ": error: a system file is checked against a network, which "
                          "is missing or damaged");
      system_ = read_system_file(settings_.system, network_->dimensions.size(), 1, rules);
    });
    if (system_) {
      context_.system = &*system_;
      for (const std::string& w : system_->warnings) log_.file(false, "configuration", settings_.system, w);
    }
  }

  /// Files whose meaning depends on the number of ranks.
  void rank_files(std::uint32_t ranks) {
    const Rules rules = Rules::tutti();
    read(settings_.comm_group, [&] { groups_ = CommGroups::from_file(settings_.comm_group, ranks, rules); });
    if (settings_.comm_group.empty()) {
      groups_.emplace(ranks);
      const std::string beside = settings_.workload + ".json";
      std::error_code failed;
      context_.group_hint =
          "no communicator file is given: --comm-group " + (std::filesystem::exists(beside, failed) ? beside : "FILE");
    }
    if (groups_) context_.groups = &*groups_;
    bool memory = false;
    read(settings_.remote_memory, [&] {
      memory = read_remote_memory_file(settings_.remote_memory, ranks, rules).kind != RemoteMemoryConfig::Kind::none;
    });
    context_.no_remote_memory = network_ && !memory;
  }

  void single(const std::string& path) {
    report_.looked_at.push_back(path);
    ReadResult one = read_trace(path, options_);
    log_.add(one.faults);
    ++report_.counts.ranks;
    CheckNotes notes;
    check_nodes(one.trace, {}, log_, report_.counts, notes);
    report_notes(notes, path, log_);
    check_cycles(one.trace, DependencyGraph(one.trace), log_);
  }

  bool any(std::initializer_list<const char*> rules) const {
    for (const char* const r : rules)
      if (report_.rules.count(r) != 0) return true;
    return false;
  }

  void set() {
    report_.looked_at.push_back(settings_.workload);
    TraceSet traces = read_trace_set(settings_.workload, options_);
    log_.add(traces.faults);
    if (context_.ranks == 0) context_.ranks = static_cast<std::uint32_t>(traces.ranks.size());
    if (context_.ranks == 0) return;
    rank_files(context_.ranks);
    report_.counts.ranks += traces.ranks.size();
    std::deque<DependencyGraph> graphs;
    CheckNotes notes;
    for (const Trace& t : traces.ranks) {
      check_nodes(t, context_, log_, report_.counts, notes);
      graphs.emplace_back(t);
      check_cycles(t, graphs.back(), log_);
    }
    report_notes(notes, settings_.workload, log_);
    if (any({"missing-file", "extra-file", "truncated", "not-a-trace", "unreadable", "empty-file", "gzip",
             "damaged-node", "unknown-format", "cycle", "self-dependency"})) {
      log_.file(false, "not-checked", settings_.workload,
                "messages and collectives across ranks were not looked at, because of the faults above");
      return;
    }
    if (system_ && system_->replay_only) return;  // no message is sent
    across(traces.ranks, graphs);
  }

  void across(const std::vector<Trace>& traces, const std::deque<DependencyGraph>& graphs) {
    std::vector<std::vector<std::uint32_t>> order;
    for (const DependencyGraph& g : graphs) order.push_back(g.communication());
    const MessageKeys keys(traces, order);
    check_matching(traces, keys, settings_.messages, log_);
    CommGroups everyone(static_cast<std::uint32_t>(traces.size()));
    const CollectiveCalls calls(traces, order, groups_ ? *groups_ : everyone);
    check_collectives(traces, graphs, calls, log_);
    check_deadlock(traces, graphs, order, keys, calls, settings_.rendezvous, log_);
  }

  const CheckSettings& settings_;
  CheckReport& report_;
  CheckLog log_;
  ReadOptions options_;
  NodeContext context_;
  std::optional<net::NetworkFile> network_;
  std::optional<SystemConfig> system_;
  std::optional<CommGroups> groups_;
};

}  // namespace

CheckReport check_inputs(const CheckSettings& settings) {
  CheckReport report;
  Check(settings, report).run();
  return report;
}

void check_before_run(const std::vector<Trace>& traces, std::uint32_t dimensions, const CommGroups& groups,
                      const SystemConfig& system, bool remote_memory) {
  CheckReport report;
  CheckLog log(report, 100);
  NodeContext context;
  context.ranks = static_cast<std::uint32_t>(traces.size());
  context.dimensions = dimensions;
  context.groups = &groups;
  context.system = &system;
  context.no_remote_memory = !remote_memory;
  CheckNotes notes;
  for (const Trace& t : traces) {
    check_nodes(t, context, log, report.counts, notes);
    check_cycles(t, DependencyGraph(t), log);
  }
  if (!report.ok()) throw ConfigError(report.faults.text());
}

}  // namespace tutti::workload
