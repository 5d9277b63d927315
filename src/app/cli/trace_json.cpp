#include "app/cli/trace_json.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "base/version.h"

namespace tutti::app {
namespace {

using workload::RunResult;

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Appends to a text; lists are written an entry a line.
class Writer {
 public:
  template <class... A>
  void add(fmt::format_string<A...> format, A&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<A>(arguments)...);
  }
  template <class List, class F>
  void list(const char* name, const List& entries, F&& one) {
    add(",\n \"{}\": [", name);
    bool first = true;
    for (const auto& e : entries) {
      add("{}", first ? "\n  " : ",\n  ");
      first = false;
      one(e);
    }
    add("]");
  }
  std::string take() { return fmt::to_string(text_); }

 private:
  fmt::memory_buffer text_;
};

void head(Writer& w, const char* status, const std::vector<InputSetting>& inputs) {
  w.add(
      "{{\"schema\": 1, \"tool\": \"tutti\", \"version\": \"{}\", \"command\": \"trace\", \"status\": \"{}\",\n "
      "\"inputs\": {{",
      version, status);
  bool first = true;
  for (const InputSetting& i : inputs) {
    w.add("{}{}: {{\"value\": {}, \"origin\": {}}}", first ? "\n  " : ",\n  ", quoted(i.name), quoted(i.value),
          quoted(i.origin));
    first = false;
  }
  w.add("}}");
}

void rank(Writer& w, std::size_t r, const workload::RankResult& one) {
  const auto& t = one.time;
  w.add("{{\"rank\": {}", r);
  if (one.finish) w.add(", \"finish_ns\": {}", to_ns(*one.finish));
  w.add(
      ", \"compute_ns\": {}, \"comm_ns\": {}, \"exposed_comm_ns\": {}, \"overlap_ns\": {}, \"memory_ns\": {}, "
      "\"idle_ns\": {}",
      to_ns(t.compute()), to_ns(t.comm), to_ns(t.exposed_comm), to_ns(t.overlap), to_ns(t.memory_only), to_ns(t.idle));
  w.add(", \"bytes_sent\": {}, \"bytes_received\": {}, \"nodes\": {}, \"nodes_done\": {}}}", one.bytes_sent,
        one.bytes_received, one.nodes, one.nodes_done);
}

void unmatched(Writer& w, const workload::Unmatched& u) {
  w.add("{{\"kind\": \"{}\", \"rank\": {}", u.kind, u.rank);
  if (u.node) w.add(", \"node\": {}, \"name\": {}", *u.node, quoted(u.name));
  w.add(
      ", \"tag\": {}, \"source\": {}, \"destination\": {}, \"bytes_expected\": {}, \"bytes_arrived\": {}, \"hint\": "
      "{}}}",
      u.tag, u.source, u.destination, u.bytes_expected, u.bytes_arrived, quoted(u.hint));
}

}  // namespace

std::string trace_json(const RunResult& result, const std::vector<InputSetting>& inputs, double wall_s) {
  Writer w;
  head(w,
       result.status == RunResult::Status::completed    ? "completed"
       : result.status == RunResult::Status::incomplete ? "deadlock"
                                                        : "error",
       inputs);
  if (result.status == RunResult::Status::interrupted) w.add(",\n \"partial\": true, \"error\": \"interrupted\"");
  w.add(",\n \"makespan_ns\": {}", to_ns(result.makespan));
  std::size_t r = 0;
  w.list("ranks", result.ranks, [&](const auto& one) { rank(w, r++, one); });
  w.list("unmatched", result.unmatched, [&](const auto& u) { unmatched(w, u); });
  w.list("waits", result.waits, [&](const auto& wait) {
    w.add("{{\"who\": \"rank {}\", \"for\": {}", wait.rank, quoted(wait.what));
    if (wait.on) w.add(", \"on\": \"rank {}\"", *wait.on);
    w.add(", \"since_ns\": {}}}", to_ns(wait.since));
  });
  if (!result.cycle.empty()) w.list("cycle", result.cycle, [&](const auto& who) { w.add("{}", quoted(who)); });
  if (!result.size_errors.empty()) w.list("errors", result.size_errors, [&](const auto& e) { w.add("{}", quoted(e)); });
  const double span = result.makespan.ns();
  w.list("links", result.links, [&](const auto& l) {
    w.add("{{\"id\": {}, \"bytes\": {}, \"busy_ns\": {}, \"utilization\": {:.6g}}}", quoted(l.id), l.bytes,
          to_ns(l.busy), span > 0 ? l.busy.ns() / span : 0.0);
  });
  if (!result.warnings.empty())
    w.list("warnings", result.warnings, [&](const auto& text) { w.add("{}", quoted(text)); });
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  w.add(",\n \"messages\": {}, \"events\": {}, \"wall_s\": {:.6g}, \"peak_rss_bytes\": {}}}\n", result.messages,
        result.events, wall_s, static_cast<std::uint64_t>(used.ru_maxrss) * 1024);
  return w.take();
}

std::string trace_error_json(const std::string& error, const std::vector<InputSetting>& inputs) {
  Writer w;
  head(w, "error", inputs);
  w.add(",\n \"error\": {}}}\n", quoted(error));
  return w.take();
}

}  // namespace tutti::app
