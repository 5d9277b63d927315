#include "app/cli/run_json.h"

#include <sys/resource.h>

#include "base/json_writer.h"
#include "base/version.h"

namespace tutti::app {
namespace {

const char* status(ExitCode code) {
  switch (code) {
    case ExitCode::ok:
      return "completed";
    case ExitCode::mismatch:
      return "mismatch";
    case ExitCode::deadlock:
      return "deadlock";
    case ExitCode::violation:
      return "violation";
    default:
      return "error";
  }
}

void head(JsonWriter& json, const char* state) {
  json.begin_object().field("schema", 1).field("tool", "tutti").field("version", version);
  json.field("command", "run").field("status", state);
}

void rank(JsonWriter& json, std::size_t r, const host::RankResult& one, Time makespan) {
  const auto& t = one.time;
  json.begin_object().field("rank", r).field("finish_ns", one.finish);
  json.field("compute_ns", t.reduction).field("comm_ns", t.total() - t.reduction);
  json.field("exposed_comm_ns", t.credit + t.credit_emit + t.data() + t.barrier);
  if (one.finish) json.field("idle_ns", makespan - *one.finish);
  json.field("bytes_sent", one.bytes_sent).field("bytes_received", one.bytes_received).end_object();
}

}  // namespace

std::string run_json(const host::BenchmarkResult& r, double wall_s) {
  JsonWriter json;
  head(json, status(r.status));
  if (!r.error.empty()) json.field("error", r.error);
  write_inputs(json, r.inputs);
  json.field("makespan_ns", r.makespan);
  json.key("ranks").begin_array();
  for (std::size_t i = 0; i < r.rank.size(); ++i) rank(json, i, r.rank[i], r.makespan);
  json.end_array();
  json.key("collective").begin_object().field("name", r.algorithm).field("kind", r.collective);
  json.field("ranks", r.ranks).field("bytes", r.bytes);
  if (r.algbw > 0) json.field("algbw_gbps", r.algbw).field("busbw_gbps", r.busbw);
  json.end_object();
  if (!r.bounds.all.empty()) {
    json.key("bounds").begin_array();
    for (const auto& b : r.bounds.all)
      json.begin_object().field("name", b.name).field("ns", b.time).field("formula", b.why).end_object();
    json.end_array();
    const auto& binding = r.bounds.binding();
    json.field("binding_bound", binding.name);
    if (binding.time > Time()) json.field("gap", r.makespan.ns() / binding.time.ns());
  }
  json.key("verification").begin_object().field("checked", r.reference.has_value());
  if (r.reference) {
    json.field("max_abs_error", r.reference->max_abs_error).field("max_ulp", r.reference->max_ulp);
    json.field("max_error_in_ulp_of_largest", r.reference->error_in_ulp(r.dtype));
    json.field("largest", r.reference->largest).field("share_of_tolerance", r.reference->max_share);
    json.field("elements", r.reference->elements).field("replay_identical", r.replay_identical);
  }
  json.end_object();
  if (!r.waits.empty()) {
    json.key("waits").begin_array();
    for (const auto& w : r.waits) {
      json.begin_object().field("who", "rank " + std::to_string(w.rank) + " " + w.pe).field("for", w.what);
      if (w.on) json.field("on", "rank " + std::to_string(*w.on));
      json.field("since_ns", w.since).end_object();
    }
    json.end_array();
  }
  if (!r.cycle.empty()) {
    json.key("cycle").begin_array();
    for (const std::string& name : r.cycle) json.value(name);
    json.end_array();
  }
  json.key("links").begin_array();
  for (const auto& l : r.links) {
    json.begin_object().field("id", l.id).field("bytes", l.bytes).field("busy_ns", l.busy);
    if (r.makespan > Time()) json.field("utilization", l.busy.ns() / r.makespan.ns());
    json.end_object();
  }
  json.end_array();
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  json.field("events", r.events).field("wall_s", wall_s).field("peak_rss_bytes", usage.ru_maxrss * 1024L).end_object();
  return json.take();
}

std::string run_error_json(const std::string& error) {
  JsonWriter json;
  head(json, "error");
  json.field("error", error).end_object();
  return json.take();
}

}  // namespace tutti::app
