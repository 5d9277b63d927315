#include "net/backends/packet/ns3/topology_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "net/backends/packet/ns3/words.h"

namespace tutti::net::packet {
namespace {

using Word = Words::Word;
constexpr std::uint64_t most_nodes = 1u << 24;

/// One link's line. Faults are added to `words`.
Cable read_link(Words& words, const Word& first, std::uint64_t nodes) {
  Cable c;
  std::uint64_t a = 0, b = 0;
  const Word second = words.next(), rate = words.next(), delay = words.next(), loss = words.next();
  for (const auto& [w, id] : {std::pair(first, &a), std::pair(second, &b)})
    if (!parse_whole(w.text, *id) || *id >= nodes)
      words.fault(w, fmt::format("'{}' is not a node; nodes are 0 to {}", w.text, nodes - 1));
  c.a = static_cast<int>(a % most_nodes);
  c.b = static_cast<int>(b % most_nodes);
  if (c.a == c.b && !words.has_faults()) words.fault(first, fmt::format("node {} is linked to itself", c.a));
  if (!parse_rate(rate.text, c.rate) || c.rate == 0)
    words.fault(rate, fmt::format("'{}' is not a rate above 0 with a unit, such as 400Gbps", rate.text));
  if (!parse_delay(delay.text, c.delay_ns))
    words.fault(delay, fmt::format("'{}' is not a delay with a unit, such as 0.0005ms", delay.text));
  if (!parse_number(loss.text, c.loss) || c.loss < 0 || c.loss > 1)
    words.fault(loss, fmt::format("'{}' is not an error rate from 0 to 1", loss.text));
  return c;
}

}  // namespace

Topology parse_ns3_topology(const std::string& text, const std::string& path) {
  Words words(text, path);
  std::uint64_t count[3] = {};
  const char* const name[3] = {"nodes", "switches", "links"};
  for (int k = 0; k < 3; ++k) {
    const Word w = words.next();
    if (!w || !parse_whole(w.text, count[k]) || count[k] > most_nodes) {
      words.fault(w, fmt::format("the number of {} is needed first, not '{}'", name[k], w.text));
      throw ConfigError(words.faults());
    }
  }
  const auto [nodes, switches, links] = count;
  Topology t{static_cast<int>(nodes), std::vector<bool>(nodes), {}};
  for (std::uint64_t i = 0; i < switches; ++i) {
    const Word w = words.next();
    std::uint64_t id = 0;
    if (!w) {
      words.fault(0, fmt::format("{} switches are announced, {} ids follow", switches, i));
      break;
    }
    if (!parse_whole(w.text, id) || id >= nodes)
      words.fault(w, fmt::format("'{}' is not a node; nodes are 0 to {}", w.text, nodes == 0 ? 0 : nodes - 1));
    else if (t.is_switch[id])
      words.fault(w, fmt::format("switch {} is listed twice", id));
    else
      t.is_switch[id] = true;
  }
  std::uint64_t found = 0;
  std::size_t last_line = 0;
  while (const Word first = words.next()) {
    if (words.left_on_line(first) != 4) {
      words.fault(first, fmt::format("a link has five words (from to rate delay error-rate), here are {}",
                                     words.left_on_line(first) + 1));
      words.skip_line(first);
      continue;
    }
    t.cables.push_back(read_link(words, first, nodes));
    ++found;
    last_line = first.line;
  }
  if (found != links && !words.has_faults())
    words.fault(last_line, fmt::format("{} links are announced in the first line, {} follow", links, found));
  if (words.has_faults()) throw ConfigError(words.faults());
  return t;
}

Topology read_ns3_topology(const std::string& path) {
  const Words words = Words::from_file(path);
  return parse_ns3_topology(words.text(), path);
}

LogicalTopology parse_logical_topology(const std::string& text, const std::string& path, const Topology& topology) {
  LogicalTopology out;
  const auto fail = [&](const std::string& what) { throw ConfigError(fmt::format("{}: error: {}", path, what)); };
  const auto whole = [&](const nlohmann::json& v, const char* key) {
    std::uint64_t n = 0;
    if (v.is_number_unsigned())
      n = v.get<std::uint64_t>();
    else if (!v.is_string() || !parse_whole(v.get_ref<const std::string&>(), n))
      fail(fmt::format("{}: {} is not a whole number", key, v.dump()));
    return n;
  };
  std::uint64_t hosts = 0;
  for (std::size_t n = 0; n < topology.is_switch.size(); ++n) hosts += !topology.is_switch[n];
  std::uint64_t ranks = 1;
  if (path.empty()) {
    ranks = hosts;
    out.dimensions = {static_cast<std::uint32_t>(hosts)};
    for (std::size_t n = 0; n < topology.is_switch.size(); ++n)
      if (!topology.is_switch[n]) out.hosts.push_back(static_cast<int>(n));
    return out;
  }
  nlohmann::json root;
  try {
    root = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& e) {
    fail(e.what());
  }
  if (!root.is_object() || !root.contains("logical-dims") || !root["logical-dims"].is_array() ||
      root["logical-dims"].empty())
    fail("\"logical-dims\" is needed: a list of the sizes of the dimensions, such as [\"8\", \"2\"]");
  for (const auto& [key, value] : root.items())
    if (key != "logical-dims" && key != "hosts") fail(fmt::format("unknown key '{}'; known: logical-dims, hosts", key));
  for (const auto& v : root["logical-dims"]) {
    const std::uint64_t n = whole(v, "logical-dims");
    if (n == 0 || n > most_nodes || (ranks *= n) > most_nodes)
      fail(fmt::format("logical-dims: {} is out of range", v.dump()));
    out.dimensions.push_back(static_cast<std::uint32_t>(n));
  }
  if (ranks > hosts) fail(fmt::format("logical-dims: {} ranks, but the topology has {} hosts", ranks, hosts));
  std::vector<std::int64_t> rank_of(topology.is_switch.size(), -1);
  if (root.contains("hosts") && (!root["hosts"].is_array() || root["hosts"].size() != ranks))
    fail(fmt::format("hosts: a list of {} nodes is needed, one a rank", ranks));
  for (std::uint64_t r = 0; r < ranks; ++r) {
    const std::uint64_t host = root.contains("hosts") ? whole(root["hosts"][r], "hosts") : r;
    if (host >= topology.is_switch.size() || topology.is_switch[host])
      fail(fmt::format("rank {} is node {}, which is {}; give \"hosts\": a node for each rank", r, host,
                       host >= topology.is_switch.size() ? "not in the topology" : "a switch"));
    if (rank_of[host] >= 0) fail(fmt::format("hosts: ranks {} and {} are both node {}", rank_of[host], r, host));
    rank_of[host] = static_cast<std::int64_t>(r);
    out.hosts.push_back(static_cast<int>(host));
  }
  return out;
}

LogicalTopology read_logical_topology(const std::string& path, const Topology& topology) {
  if (path.empty()) return parse_logical_topology("", path, topology);
  const Words words = Words::from_file(path);
  return parse_logical_topology(words.text(), path, topology);
}

}  // namespace tutti::net::packet
