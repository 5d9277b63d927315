#include "plan/formats/msccl_xml.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "base/error.h"

namespace tutti::plan {
namespace {

struct File {
  std::string path, text;

  [[noreturn]] void fault(std::ptrdiff_t offset, const std::string& why) const {
    const auto end = text.begin() + std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(text.size()));
    throw ConfigError(fmt::format("{}:{}: error: {}", path, 1 + std::count(text.begin(), end, '\n'), why));
  }
  [[noreturn]] void fault(const pugi::xml_node& at, const std::string& why) const { fault(at.offset_debug(), why); }

  std::int64_t number(const pugi::xml_node& at, const char* name, std::int64_t low, std::int64_t high) const {
    const pugi::xml_attribute a = at.attribute(name);
    if (!a) fault(at, fmt::format("<{}> without '{}'", at.name(), name));
    std::size_t used = 0;
    std::int64_t value = 0;
    const std::string written = a.value();
    try {
      value = std::stoll(written, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used == 0 || used != written.size()) fault(at, fmt::format("{}=\"{}\" is no number", name, written));
    if (value < low || value > high)
      fault(at, fmt::format("{}=\"{}\"; {} to {} is possible", name, written, low, high));
    return value;
  }
};

constexpr std::int64_t most = 1 << 24;

struct Block {
  int send = -1, receive = -1, channel = 0;
  std::vector<Step> steps;
  std::vector<std::int64_t> last;  ///< expanded number of the last step of each XML step
};
struct Gpu {
  std::int64_t scratch = 0, extra = 0;
  std::vector<Block> blocks;
  std::map<std::int64_t, int> position;  ///< thread block id -> stream
};

class Reader {
 public:
  explicit Reader(const File& f) : file_(f) {}

  Gpu gpu(const pugi::xml_node& node, int ranks) {
    Gpu g;
    g.scratch = file_.number(node, "s_chunks", 0, most);
    for (const auto& tb : node.children("tb")) {
      const std::int64_t id = file_.number(tb, "id", 0, most);
      if (!g.position.emplace(id, static_cast<int>(g.blocks.size())).second)
        file_.fault(tb, fmt::format("thread block {} is there twice", id));
      g.blocks.push_back({static_cast<int>(file_.number(tb, "send", -1, ranks - 1)),
                          static_cast<int>(file_.number(tb, "recv", -1, ranks - 1)),
                          static_cast<int>(file_.number(tb, "chan", 0, 65535)),
                          {},
                          {}});
    }
    std::size_t i = 0;
    std::vector<std::pair<pugi::xml_node, std::size_t>> places;
    for (const auto& tb : node.children("tb")) block(tb, g, g.blocks[i++]);
    i = 0;
    for (const auto& tb : node.children("tb")) dependencies(tb, g, g.blocks[i++]);
    return g;
  }

 private:
  Slice side(const pugi::xml_node& step, const char* buffer, const char* offset) const {
    const std::string b = step.attribute(buffer).value();
    const Buffer which = b == "i" ? Buffer::input : b == "o" ? Buffer::output : Buffer::scratch;
    if (b != "i" && b != "o" && b != "s") file_.fault(step, fmt::format("{}=\"{}\"; i, o or s is possible", buffer, b));
    return {which, file_.number(step, offset, 0, most), file_.number(step, "cnt", 0, most)};
  }

  void block(const pugi::xml_node& tb, Gpu& g, Block& b) const {
    for (const auto& s : tb.children("step")) {
      const auto n = static_cast<std::int64_t>(b.last.size());
      if (file_.number(s, "s", 0, most) != n) file_.fault(s, fmt::format("step {} is expected here", n));
      const std::string type = s.attribute("type").value();
      const bool receives = type == "r" || type == "rcs" || type == "rrc" || type == "rrs" || type == "rrcs";
      const bool sends = type == "s" || type == "rcs" || type == "rrs" || type == "rrcs";
      if (!receives && !sends && type != "cpy" && type != "re" && type != "nop")
        file_.fault(s, fmt::format("unknown step type '{}'; known: s, r, rcs, rrc, rrs, rrcs, cpy, re, nop", type));
      if (receives && b.receive < 0)
        file_.fault(s, fmt::format("'{}' in a thread block that receives from nobody", type));
      if (sends && b.send < 0) file_.fault(s, fmt::format("'{}' in a thread block that sends to nobody", type));
      if (type == "nop") {
        b.steps.push_back({});
      } else {
        const Slice source = side(s, "srcbuf", "srcoff"), target = side(s, "dstbuf", "dstoff");
        if (type == "s") b.steps.push_back(send(b.send, source, b.channel));
        if (type == "cpy") b.steps.push_back(copy(source, target));
        if (type == "re") b.steps.push_back(reduce(source, target));
        if (type == "r" || type == "rcs") b.steps.push_back(receive(b.receive, target, b.channel));
        if (type == "rcs") b.steps.push_back(send(b.send, target, b.channel));
        if (type.starts_with("rr")) {
          Slice sum = target;
          if (type == "rrs") {  // the sum is only sent on: it needs a place of its own here
            sum = {Buffer::scratch, g.scratch + g.extra, source.count};
            g.extra += source.count;
          }
          if (!(source == sum)) b.steps.push_back(copy(source, sum));
          b.steps.push_back(receive_reduce(b.receive, sum, b.channel));
          if (type != "rrc") b.steps.push_back(send(b.send, sum, b.channel));
        }
      }
      b.last.push_back(static_cast<std::int64_t>(b.steps.size()) - 1);
    }
  }

  void dependencies(const pugi::xml_node& tb, const Gpu& g, Block& b) const {
    std::size_t n = 0;
    for (const auto& s : tb.children("step")) {
      const std::int64_t id = file_.number(s, "depid", -1, most), step = file_.number(s, "deps", -1, most);
      const auto first = static_cast<std::size_t>(n == 0 ? 0 : b.last[n - 1] + 1);
      ++n;
      if (id < 0) continue;
      const auto found = g.position.find(id);
      if (found == g.position.end()) file_.fault(s, fmt::format("depends on thread block {}, which is not there", id));
      const auto& other = g.blocks[static_cast<std::size_t>(found->second)].last;
      if (step < 0 || step >= static_cast<std::int64_t>(other.size()))
        file_.fault(s, fmt::format("depends on step {} of thread block {}, which has {}", step, id, other.size()));
      b.steps[first] = after(b.steps[first], found->second, other[static_cast<std::size_t>(step)]);
    }
  }

  const File& file_;
};

Generator<Step> replay(std::shared_ptr<const std::vector<Gpu>> gpus, std::size_t rank, std::size_t stream) {
  const auto& blocks = (*gpus)[rank].blocks;
  if (stream >= blocks.size()) co_return;
  for (const Step& s : blocks[stream].steps) co_yield s;
}

CollectiveKind kind_of(const File& f, const pugi::xml_node& algo) {
  const std::string coll = algo.attribute("coll").value();
  const std::map<std::string, CollectiveKind> known = {{"allreduce", CollectiveKind::all_reduce},
                                                       {"allgather", CollectiveKind::all_gather},
                                                       {"reducescatter", CollectiveKind::reduce_scatter},
                                                       {"reduce_scatter", CollectiveKind::reduce_scatter},
                                                       {"alltoall", CollectiveKind::all_to_all},
                                                       {"broadcast", CollectiveKind::broadcast},
                                                       {"custom", CollectiveKind::all_to_next}};
  const auto found = known.find(coll);
  if (found == known.end()) f.fault(algo, fmt::format("unknown collective '{}'", coll));
  return found->second;
}

}  // namespace

Schedule read_msccl_xml(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw ConfigError(fmt::format("{}: error: cannot be read", path));
  std::ostringstream text;
  text << in.rdbuf();
  const File file{path, text.str()};
  pugi::xml_document document;
  const auto parsed = document.load_buffer(file.text.data(), file.text.size());
  if (!parsed) file.fault(parsed.offset, parsed.description());
  if (const std::size_t end = file.text.rfind("</algo>"); end != std::string::npos)
    if (const std::size_t more = file.text.find_first_not_of(" \t\r\n", end + 7); more != std::string::npos)
      file.fault(static_cast<std::ptrdiff_t>(more), "text after the end of <algo>");
  const pugi::xml_node algo = document.child("algo");
  if (!algo) file.fault(0, "no <algo>: this is no MSCCL algorithm");

  Schedule s;
  s.algorithm = algo.attribute("name").value();
  s.collective.kind = kind_of(file, algo);
  const int ranks = s.collective.ranks = static_cast<int>(file.number(algo, "ngpus", 1, 65536));
  s.in_place = s.collective.can_be_in_place() && algo.attribute("inplace").as_int() == 1;
  auto gpus = std::make_shared<std::vector<Gpu>>(static_cast<std::size_t>(ranks));
  std::vector<bool> there(gpus->size());
  for (const auto& node : algo.children("gpu")) {
    const auto id = static_cast<std::size_t>(file.number(node, "id", 0, ranks - 1));
    if (there[id]) file.fault(node, fmt::format("gpu {} is there twice", id));
    there[id] = true;
    (*gpus)[id] = Reader(file).gpu(node, ranks);
    s.streams = std::max(s.streams, static_cast<int>((*gpus)[id].blocks.size()));
  }
  if (const auto gone = std::find(there.begin(), there.end(), false); gone != there.end())
    file.fault(algo, fmt::format("gpu {} is missing", gone - there.begin()));
  const std::int64_t chunks = file.number(algo, "nchunksperloop", 1, most);
  s.collective.count = chunks;
  s.scratch = [gpus](int rank) {
    const Gpu& g = (*gpus)[static_cast<std::size_t>(rank)];
    return g.scratch + g.extra;
  };
  s.steps = [gpus](int rank, int stream) {
    return replay(gpus, static_cast<std::size_t>(rank), static_cast<std::size_t>(stream));
  };
  return s;
}

}  // namespace tutti::plan
