#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/error.h"
#include "plan/formats/msccl_xml.h"

namespace tutti::plan {
namespace {

struct Place {
  int block = -1;
  std::int64_t step = -1;
};
struct XmlStep {
  std::string_view type;
  Slice source, target;
  std::vector<Place> needs;  ///< steps of other blocks that must have ended
  std::int64_t number = 0;   ///< in the file, behind the nops that carry all needs but the last
  bool needed = false;
};
struct XmlBlock {
  int send = -1, receive = -1, channel = 0;
  std::vector<XmlStep> steps;
};

/// The thread blocks of one rank. A step begins after the step before it in its stream, but not after sends: those it
/// waits for only if it writes what they send.
class Rank {
 public:
  Rank(const Schedule& schedule, int rank) : schedule_(schedule), rank_(rank) {
    ended_.resize(static_cast<std::size_t>(schedule.streams));
    for (int stream = 0; stream < schedule.streams; ++stream) add_stream(stream);
    for (const Wait& w : waits_)
      for (const Place on : ended_[static_cast<std::size_t>(w.stream)][static_cast<std::size_t>(w.number)])
        need(w.step, on);
    for (auto& b : blocks) {
      std::int64_t number = 0;
      for (auto& s : b.steps) {
        s.number = number + std::max<std::int64_t>(static_cast<std::int64_t>(s.needs.size()) - 1, 0);
        number = s.number + 1;
        for (const Place on : s.needs) at(on).needed = true;
      }
    }
  }
  const XmlStep& at(Place p) const {
    return blocks[static_cast<std::size_t>(p.block)].steps[static_cast<std::size_t>(p.step)];
  }
  std::vector<XmlBlock> blocks;

 private:
  struct Wait {
    Place step;
    int stream;
    std::int64_t number;
  };
  struct Pending {
    Place place;
    Slice source;
  };

  void add_stream(int stream) {
    Place previous;
    std::vector<Pending> sends;
    for (auto steps = schedule_.steps(rank_, stream); const Step* s = steps.next();) {
      if (s->signal) throw ConfigError(fmt::format("error: {}: MSCCL has no signals", schedule_.algorithm));
      if (s->moves() || s->after_stream >= 0) {
        const Place here = add(stream, *s);
        need(here, previous);
        if (s->after_stream >= 0) waits_.push_back({here, s->after_stream, s->after_step});
        if (s->moves() && s->sends()) {
          sends.push_back({here, s->source});
        } else {
          if (s->moves())
            std::erase_if(sends, [&](const Pending& p) {
              const bool hit = overlap(p.source, s->target);
              if (hit) need(here, p.place);
              return hit;
            });
          previous = here;
        }
      }
      auto& ended = ended_[static_cast<std::size_t>(stream)].emplace_back();
      ended.push_back(previous);
      for (const Pending& p : sends) ended.push_back(p.place);
    }
  }
  bool overlap(Slice a, Slice b) const {
    for (Slice* x : {&a, &b})
      if (schedule_.in_place && x->buffer != Buffer::scratch) {
        const Collective& c = schedule_.collective;
        x->begin += x->buffer == Buffer::input ? c.input_offset(rank_) : c.output_offset(rank_);
        x->buffer = Buffer::output;
      }
    return a.buffer == b.buffer && a.begin < b.begin + b.count && b.begin < a.begin + a.count;
  }
  XmlStep& at(Place p) { return blocks[static_cast<std::size_t>(p.block)].steps[static_cast<std::size_t>(p.step)]; }
  void need(Place step, Place on) {
    if (on.block >= 0 && on.block != step.block) at(step).needs.push_back(on);  // a block runs in order anyway
  }
  Place add(int stream, const Step& s) {
    const bool speaks = s.sends() || s.receives();
    const auto key = std::tuple(stream, speaks ? s.peer : -1, speaks ? s.channel : 0, s.sends());
    const auto [found, fresh] = index_.emplace(key, static_cast<int>(blocks.size()));
    if (fresh) blocks.push_back({s.sends() ? s.peer : -1, s.receives() ? s.peer : -1, speaks ? s.channel : 0, {}});
    auto& steps = blocks[static_cast<std::size_t>(found->second)].steps;
    constexpr std::string_view types[] = {"s", "r", "rrc", "cpy", "re", "nop"};  // in the order of Action
    XmlStep x{s.moves() ? types[static_cast<std::size_t>(s.action)] : "nop", s.source, s.target, {}, 0, false};
    if (s.sends()) x.target = x.source;
    if (s.receives()) x.source = x.target;
    steps.push_back(std::move(x));
    return {found->second, static_cast<std::int64_t>(steps.size()) - 1};
  }

  const Schedule& schedule_;
  int rank_;
  std::vector<std::vector<std::vector<Place>>> ended_;  ///< [stream][step]: what has ended with it
  std::vector<Wait> waits_;
  std::map<std::tuple<int, int, int, bool>, int> index_;
};

std::string_view msccl_name(const Collective& c) {
  switch (c.kind) {
    case CollectiveKind::all_reduce:
      return "allreduce";
    case CollectiveKind::all_gather:
      return "allgather";
    case CollectiveKind::reduce_scatter:
      return "reducescatter";
    case CollectiveKind::all_to_all:
      return "alltoall";
    case CollectiveKind::all_to_next:
      return "custom";
    case CollectiveKind::broadcast:
      if (c.root == 0) return "broadcast";
      throw ConfigError("error: an MSCCL broadcast begins at rank 0");
    default:
      throw ConfigError(fmt::format("error: MSCCL has no {}", name(c.kind)));
  }
}

char letter(Buffer b) { return "ios"[static_cast<std::size_t>(b)]; }

}  // namespace

std::string write_msccl_xml(const Schedule& s) {
  const Collective& c = s.collective;
  const std::string_view coll = msccl_name(c);
  std::vector<Rank> ranks;
  int channels = 1;
  for (int r = 0; r < c.ranks; ++r) {
    ranks.emplace_back(s, r);
    for (const auto& b : ranks.back().blocks) channels = std::max(channels, b.channel + 1);
  }
  std::string out = fmt::format(
      "<algo name=\"{}\" proto=\"Simple\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" "
      "inplace=\"{}\">\n",
      s.algorithm, channels, c.count, c.ranks, coll, s.in_place ? 1 : 0);
  for (int r = 0; r < c.ranks; ++r) {
    out += fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", r, c.input_size(r),
                       c.output_size(r), s.scratch(r));
    int id = 0;
    for (const auto& b : ranks[static_cast<std::size_t>(r)].blocks) {
      out +=
          fmt::format("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", id++, b.send, b.receive, b.channel);
      const auto line = [&](std::int64_t number, std::string_view type, const XmlStep& x, Place on, bool needed) {
        const std::int64_t there = on.block < 0 ? -1 : std::as_const(ranks[static_cast<std::size_t>(r)]).at(on).number;
        out += fmt::format(
            "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"{}\" "
            "depid=\"{}\" deps=\"{}\" hasdep=\"{}\"/>\n",
            number, type, letter(x.source.buffer), x.source.begin, letter(x.target.buffer), x.target.begin,
            type == "nop" ? 0 : x.source.count, on.block, there, needed ? 1 : 0);
      };
      for (const auto& x : b.steps) {
        std::int64_t number = x.number - std::max<std::int64_t>(static_cast<std::int64_t>(x.needs.size()) - 1, 0);
        for (std::size_t i = 0; i + 1 < x.needs.size(); ++i) line(number++, "nop", x, x.needs[i], false);
        line(x.number, x.type, x, x.needs.empty() ? Place() : x.needs.back(), x.needed);
      }
      out += "    </tb>\n";
    }
    out += "  </gpu>\n";
  }
  return out + "</algo>\n";
}

}  // namespace tutti::plan
