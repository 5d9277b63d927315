#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include "app/cli/command.h"
#include "app/cli/options.h"
#include "base/error.h"
#include "base/units.h"
#include "workload/gen/simple.h"
#include "workload/gen/step.h"

namespace tutti::app {
namespace {

namespace gen = workload::gen;

constexpr const char* help = R"(usage: tutti gen collective|pipeline|step --out PREFIX [options]
       tutti gen models
Writes traces PREFIX.<rank>.et and, where there are groups, communicators PREFIX.json.

  --out PREFIX               the folder is made if it is missing
  --schema VERSION           0.0.1 to 1.0.0, default 0.0.4

collective: one collective again and again
  --kind NAME                all-reduce, all-gather, reduce-scatter, all-to-all; default all-reduce
  --ranks N                  default 8
  --bytes SIZE               default 1 MiB; what each rank gives (all-gather) or its whole input
  --count N                  default 1
  --group N                  groups of N adjacent ranks; default all together
  --compute-us N             computation before each, default 0

pipeline: a rank a stage, a compute node a pass
  --stages N, --microbatches M, --schedule gpipe|1f1b|interleaved, --chunks V    default 4, 8, 1f1b, 1
  --bytes SIZE, --forward-us N, --backward-us N                                  default 1 MiB, 100, 200
  --one-tag                  all microbatches use one tag

step: a training step of a transformer (docs/gen.md)
  --model NAME               tutti gen models lists them; default tiny
  --tp N, --pp N, --dp N, --ep N                   ranks = tp x ep x pp x dp, default 1 each
  --microbatches M, --schedule ..., --chunks V     default 8, 1f1b, 1
  --micro-batch N, --sequence N, --value-bytes N   default 1, the model's, 2
  --layers N                 instead of the model's
  --sequence-parallel        all-gather and reduce-scatter over tp instead of all-reduce
  --sharded-optimizer        gradients are reduce-scattered, weights gathered
  --one-tag                  all microbatches use one tag
  --tflops X                 durations for this rate, default 100; 0 writes none (roofline computes them)
  --rank-order LIST          adjacent ranks first, default tp,ep,pp,dp
)";

struct Arguments {
  std::string what, out;
  workload::Schema schema = workload::Schema::v0_0_4;
  gen::CollectiveSpec collective;
  gen::PipelineSpec pipeline;
  gen::StepSpec step;
  bool help = false;
};

std::array<gen::Axis, 4> rank_order(const std::string& text) {
  std::array<gen::Axis, 4> order{};
  std::size_t n = 0;
  std::string_view left = text;
  bool good = true;
  while (!left.empty()) {
    const std::string_view word = left.substr(0, left.find(','));
    left.remove_prefix(std::min(left.size(), word.size() + 1));
    const gen::Axis axis = word == "tp"   ? gen::Axis::tensor
                           : word == "ep" ? gen::Axis::expert
                           : word == "pp" ? gen::Axis::pipeline
                                          : gen::Axis::data;
    good = good && n < 4 && (axis != gen::Axis::data || word == "dp");
    if (n < 4) order[n++] = axis;
  }
  if (!good || n != 4)
    throw ConfigError(fmt::format("error: --rank-order: tp, ep, pp and dp in some order are needed, not '{}'", text));
  return order;
}

Arguments read_arguments(const std::vector<std::string_view>& words) {
  Arguments a;
  Options o;
  std::string schema = "0.0.4", kind = "all-reduce", bytes = "1 MiB", schedule = "1f1b", model = "tiny",
              order = "tp,ep,pp,dp", layers, tflops = "100";
  struct Number {
    const char* option;
    std::string text;
    std::function<void(std::uint64_t)> store;
  };
  const auto narrow = [](std::uint32_t& to) { return [&to](std::uint64_t v) { to = static_cast<std::uint32_t>(v); }; };
  const auto wide = [](std::uint64_t& to) { return [&to](std::uint64_t v) { to = v; }; };
  gen::Pipeline pipe;
  std::uint32_t pp = 1;
  std::vector<Number> numbers = {{"--ranks", "8", narrow(a.collective.ranks)},
                                 {"--count", "1", narrow(a.collective.count)},
                                 {"--group", "0", narrow(a.collective.group)},
                                 {"--compute-us", "0", wide(a.collective.compute_us)},
                                 {"--stages", "4", narrow(pipe.stages)},
                                 {"--microbatches", "8", narrow(pipe.microbatches)},
                                 {"--chunks", "1", narrow(pipe.chunks)},
                                 {"--forward-us", "100", wide(a.pipeline.forward_us)},
                                 {"--backward-us", "200", wide(a.pipeline.backward_us)},
                                 {"--tp", "1", narrow(a.step.tp)},
                                 {"--pp", "1", narrow(pp)},
                                 {"--dp", "1", narrow(a.step.dp)},
                                 {"--ep", "1", narrow(a.step.ep)},
                                 {"--micro-batch", "1", wide(a.step.micro_batch)},
                                 {"--sequence", "0", wide(a.step.sequence)},
                                 {"--value-bytes", "2", wide(a.step.bytes)}};
  for (Number& n : numbers) o.value({n.option}, n.text);
  o.value({"--out"}, a.out);
  o.value({"--schema"}, schema);
  o.value({"--kind"}, kind);
  o.value({"--bytes"}, bytes);
  o.value({"--schedule"}, schedule);
  o.value({"--model"}, model);
  o.value({"--layers"}, layers);
  o.value({"--tflops"}, tflops);
  o.value({"--rank-order"}, order);
  o.flag({"--sequence-parallel"}, a.step.sequence_parallel);
  o.flag({"--sharded-optimizer"}, a.step.sharded_optimizer);
  o.flag({"--one-tag"}, a.step.one_tag);
  o.flag({"--help"}, a.help);
  if (words.empty() || words[0] == "--help" || words[0] == "-h") return a.help = true, a;
  if (words[0].starts_with("--")) {
    o.parse(words);
    throw ConfigError("error: what is to be written: collective, pipeline, step or models?");
  }
  a.what = words[0];
  if (a.what != "collective" && a.what != "pipeline" && a.what != "step" && a.what != "models")
    throw ConfigError(fmt::format("error: unknown '{}'; known: collective, pipeline, step, models", a.what));
  o.parse({words.begin() + 1, words.end()});
  if (a.help || a.what == "models") return a;
  for (const Number& n : numbers) n.store(whole(n.option, n.text, 0, 1U << 30));
  if (!workload::parse(schema, a.schema))
    throw ConfigError(fmt::format("error: --schema: unknown '{}'; known: 0.0.1, 0.0.2, 0.0.3, 0.0.4, 1.0.0", schema));
  if (a.out.empty()) throw ConfigError("error: --out PREFIX is needed");
  pipe.schedule = gen::parse_schedule(schedule);
  a.collective.kind = gen::parse_collective(kind);
  Bytes size;
  std::string why;
  if (!parse(bytes, size, why) || size < Bytes(0)) throw ConfigError(fmt::format("error: --bytes: {}", why));
  a.collective.bytes = a.pipeline.bytes = static_cast<std::uint64_t>(size.count());
  a.pipeline.pipeline = pipe;
  a.pipeline.one_tag = a.step.one_tag;
  a.step.pipeline = pipe;
  a.step.pipeline.stages = pp;
  a.step.model = gen::model(model);
  if (!layers.empty()) a.step.model.layers = whole("--layers", layers, 1, 1U << 16);
  a.step.tflops = number("--tflops", tflops);
  if (a.step.tflops < 0) throw ConfigError("error: --tflops: a number of 0 or more is needed");
  a.step.order = rank_order(order);
  return a;
}

int list_models() {
  fmt::print("{:<14} {:>6} {:>6} {:>5} {:>8} {:>6} {:>7} {:>8} {:>7} {:>14}  {}\n", "name", "layers", "hidden", "heads",
             "kv heads", "ffn", "vocab", "sequence", "experts", "weights", "source");
  for (const gen::ModelShape& m : gen::models())
    fmt::print("{:<14} {:>6} {:>6} {:>5} {:>8} {:>6} {:>7} {:>8} {:>7} {:>14}  {}\n", m.name, m.layers, m.hidden,
               m.heads, m.kv_heads, m.ffn, m.vocabulary, m.sequence,
               m.experts ? fmt::format("{}/{}", m.top_k, m.experts) : "", m.weights(), m.source);
  return 0;
}

void write(const Arguments& a, std::uint32_t ranks, const std::string& groups,
           const std::function<std::vector<workload::NodeSpec>(std::uint32_t)>& trace) {
  const std::filesystem::path folder = std::filesystem::path(a.out).parent_path();
  std::error_code failed;
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  std::uint64_t nodes = 0, bytes = 0;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    workload::TraceWriter w(a.schema);
    for (const workload::NodeSpec& n : trace(r)) {
      w.add(n);
      ++nodes;
    }
    bytes += w.bytes().size();
    w.save(fmt::format("{}.{}.et", a.out, r));
  }
  if (!groups.empty()) {
    std::ofstream out(a.out + ".json", std::ios::binary);
    if (!(out << groups) || !out.flush()) throw ConfigError(fmt::format("error: {}.json cannot be written", a.out));
  }
  fmt::print("{}.0.et to {}.{}.et: {} nodes, {} bytes\n", a.out, a.out, ranks - 1, nodes, bytes);
  if (!groups.empty()) fmt::print("{}.json: communicators, for --comm-group\n", a.out);
}

int run(const std::vector<std::string_view>& words) {
  const Arguments a = read_arguments(words);
  if (a.help) return std::fputs(help, stdout), 0;
  if (a.what == "models") return list_models();
  if (a.what == "collective") {
    a.collective.check();
    write(a, a.collective.ranks, a.collective.groups(), [&](auto r) { return collective_trace(a.collective, r); });
  } else if (a.what == "pipeline") {
    a.pipeline.pipeline.check();
    write(a, a.pipeline.pipeline.stages, "", [&](auto r) { return pipeline_trace(a.pipeline, r); });
  } else {
    a.step.check();
    const gen::StepGroups groups(a.step);
    write(a, a.step.ranks(), groups.groups().empty() ? "" : groups.json(),
          [&](auto r) { return step_trace(a.step, groups, r); });
  }
  return static_cast<int>(ExitCode::ok);
}

}  // namespace

Command gen_command() { return {"gen", "writes traces of collectives, pipelines and training steps", &run}; }

}  // namespace tutti::app
