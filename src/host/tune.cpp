#include "host/tune.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/random.h"
#include "plan/algorithm.h"

namespace tutti::host {
namespace {

Trial run_trial(const TuneSettings& s, const Choice& choice, Bytes size) {
  BenchmarkSettings one = s.base;
  one.bytes = size, one.verify = false;
  for (std::size_t d = 0; d < choice.size(); ++d)
    one.overlay.add(s.space.dimensions[d].path + "=" + s.space.dimensions[d].values[choice[d]], "tune");
  try {
    const BenchmarkResult r = run_benchmark(one);
    if (r.status != ExitCode::ok) return {};
    Trial t{r.makespan, "", Time()};
    if (!r.bounds.all.empty()) t.binding = r.bounds.binding().name, t.bound = r.bounds.binding().time;
    return t;
  } catch (const ConfigError&) {
    return {};  // slots that do not fit, an algorithm that cannot serve so many ranks
  } catch (const ModelError&) {
    return {};  // tensors and scratch that do not fit
  }
}

class Search {
 public:
  Search(const TuneSettings& s, Bytes size, std::map<std::string, Trial>& known,
         const std::function<void(const std::string&, const Trial&)>& done)
      : settings_(s), size_(size), known_(known), done_(done) {}

  Tuned run() {
    const auto& dimensions = settings_.space.dimensions;
    Choice standard;
    for (const auto& d : dimensions) standard.push_back(d.standard);
    Tuned out{size_, standard, trial(standard), trial(standard), ""};
    // The algorithm first, since most else depends on it; the rest in an order of the seed.
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < dimensions.size(); ++d) order.push_back(d);
    Random random(settings_.seed + static_cast<std::uint64_t>(size_.count()));
    for (std::size_t i = order.size(); i > 2; --i) std::swap(order[i - 1], order[1 + random.below(i - 1)]);
    for (int round = 0; round < settings_.rounds; ++round) {
      bool changed = false;
      for (const std::size_t d : order)
        for (std::size_t v = 0; v < dimensions[d].values.size(); ++v) {
          Choice next = out.choice;
          next[d] = v;
          const Trial t = trial(next);
          if (!t.time || (out.best.time && *out.best.time <= *t.time)) continue;
          out.choice = next, out.best = t, changed = true;
        }
      if (!changed) break;
    }
    if (!out.best.time) throw ConfigError(fmt::format("error: no choice runs with {} a rank", to_string(size_)));
    explain(out, standard);
    return out;
  }

 private:
  Trial trial(const Choice& choice) {
    const std::string key = trial_key(settings_.space, choice, size_);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    const Trial t = run_trial(settings_, choice, size_);
    known_[key] = t;
    done_(key, t);
    return t;
  }

  void explain(Tuned& out, const Choice& standard) {
    double most = 0;
    for (std::size_t d = 0; d < standard.size(); ++d) {
      if (out.choice[d] == standard[d]) continue;
      Choice back = out.choice;
      back[d] = standard[d];
      const Trial t = trial(back);
      const auto& dimension = settings_.space.dimensions[d];
      const double gain = t.time ? t.time->ns() / out.best.time->ns() : 1e9;
      if (gain <= most) continue;
      most = gain;
      out.why = fmt::format("{} {} instead of {}", dimension.path.substr(dimension.path.find('.') + 1),
                            dimension.values[out.choice[d]], dimension.values[standard[d]]);
      if (t.time)
        out.why += fmt::format(": {:.2f} x faster", gain);
      else
        out.why += ", which cannot run";
      if (t.time && !t.binding.empty())
        out.why += fmt::format("; {} bound {} there, {} bound {} here", t.binding, to_string(t.bound), out.best.binding,
                               to_string(out.best.bound));
    }
    if (out.why.empty()) out.why = "nothing tried is better than the standard";
  }

  const TuneSettings& settings_;
  Bytes size_;
  std::map<std::string, Trial>& known_;
  const std::function<void(const std::string&, const Trial&)>& done_;
};

}  // namespace

TuneSpace tune_space(std::string_view collective) {
  TuneSpace s;
  TuneSpace::Dimension algorithms{"defaults.algorithm", {}, 0};
  if (collective == "all_reduce")
    algorithms.values = {"ring_allreduce", "ring_allreduce_bidir", "tree_allreduce", "mesh_allreduce"};
  for (const plan::Algorithm& a : plan::algorithms())
    if (plan::name(a.kind) == collective) algorithms.values.emplace_back(a.name);
  if (algorithms.values.empty()) throw ConfigError(fmt::format("error: no algorithm does '{}'", collective));
  s.dimensions = {algorithms,
                  {"defaults.n_slots", {"2", "4", "8", "12", "16", "32"}, 2},
                  {"defaults.slot_size", {"1024", "2048", "4096", "8192", "16384"}, 2},
                  {"defaults.vc_chunk_size", {"128", "256", "1024"}, 1},
                  {"defaults.credit.mode", {"fast_path", "vc_mux", "piggyback"}, 0},
                  {"defaults.credit.wait", {"blocking", "posted"}, 0},
                  {"defaults.buffer_kind", {"tcm", "sram", "hbm"}, 0}};
  return s;
}

std::string trial_key(const TuneSpace& space, const Choice& choice, Bytes size) {
  std::string key = std::to_string(size.count());
  for (std::size_t d = 0; d < choice.size(); ++d)
    key += " " + space.dimensions[d].path + "=" + space.dimensions[d].values[choice[d]];
  return key;
}

std::vector<Tuned> tune(const TuneSettings& settings, std::map<std::string, Trial>& known,
                        const std::function<void(const std::string&, const Trial&)>& done) {
  std::vector<Tuned> out;
  for (const Bytes size : settings.sizes) out.push_back(Search(settings, size, known, done).run());
  return out;
}

std::string tuned_yaml(const TuneSpace& space, const std::vector<Tuned>& tuned) {
  CHECK(!tuned.empty(), "nothing was tuned");
  std::string text = fmt::format("defaults:\n  algorithm: tuned_{}\nalgorithms:\n", tuned.back().size.count());
  for (const Tuned& t : tuned) {
    text +=
        fmt::format("  # {}: {}; {}\n  tuned_{}:\n", to_string(t.size), to_string(*t.best.time), t.why, t.size.count());
    std::string credit;
    for (std::size_t d = 0; d < t.choice.size(); ++d) {
      const auto& dimension = space.dimensions[d];
      const std::string key = dimension.path.substr(dimension.path.find('.') + 1),
                        &value = dimension.values[t.choice[d]];
      if (key == "algorithm")
        text += fmt::format("    module: {}{}\n", plan::algorithms().find(value) ? "plan:" : "", value);
      else if (key.starts_with("credit."))
        credit += fmt::format("{}{}: {}", credit.empty() ? "" : ", ", key.substr(7), value);
      else
        text += fmt::format("    {}: {}\n", key, value);
    }
    if (!credit.empty()) text += fmt::format("    credit: {{{}}}\n", credit);
  }
  return text;
}

}  // namespace tutti::host
