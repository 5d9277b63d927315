#include "net/network_file.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "base/error.h"

namespace tutti::net {
namespace {

constexpr std::uint64_t max_ranks = 1U << 24;

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  void fault(const YAML::Mark& at, const std::string& what) {
    faults_ += faults_.empty() ? "" : "\n";
    faults_ += at.is_null() ? fmt::format("{}: error: {}", path_, what)
                            : fmt::format("{}:{}:{}: error: {}", path_, at.line + 1, at.column + 1, what);
  }
  void finish() const {
    if (!faults_.empty()) throw ConfigError(faults_);
  }

  /// The list `key` of `root`, or nothing after a fault.
  std::optional<YAML::Node> list(const YAML::Node& root, const char* key) {
    const YAML::Node node = root[key];
    if (!node) {
      fault(YAML::Mark::null_mark(), fmt::format("key '{}' is missing: a list with one entry a dimension", key));
    } else if (!node.IsSequence()) {
      fault(node.Mark(), fmt::format("{}: a list is needed, one entry a dimension", key));
    } else if (node.size() == 0) {
      fault(node.Mark(), fmt::format("{}: the list is empty", key));
    } else {
      return node;
    }
    return {};
  }

  std::optional<double> number(const YAML::Node& node) {
    double value = 0;
    if (!node.IsScalar() || !YAML::convert<double>::decode(node, value) || !std::isfinite(value)) return {};
    return value;
  }

 private:
  const std::string& path_;
  std::string faults_;
};

std::optional<Shape> shape_of(const std::string& name) {
  for (const Shape s : {Shape::ring, Shape::fully_connected, Shape::switched})
    if (name == to_string(s)) return s;
  return {};
}

void read_bandwidth(Reader& reader, const YAML::Node& node, Dimension& out) {
  std::string why;
  if (const auto gib = reader.number(node)) {
    if (!(*gib > 0) || *gib > 1e9)
      return reader.fault(node.Mark(), "bandwidth: a number above 0 is needed, in GB/s of 2^30 bytes");
    out.bytes_per_ns = *gib * 1073741824.0 / 1e9;
    out.rate = Bandwidth::bits_per_second(std::llround(*gib * 8589934592.0));
  } else if (!node.IsScalar() || !parse(node.Scalar(), out.rate, why) || out.rate.bits_per_second() <= 0) {
    return reader.fault(node.Mark(),
                        "bandwidth: a number (GB/s of 2^30 bytes) or text with a unit such as 400Gbps is needed" +
                            (why.empty() ? "" : ": " + why));
  } else {
    out.bytes_per_ns = out.rate.bytes_per_ns();
  }
  if (out.rate.bits_per_second() <= 0) reader.fault(node.Mark(), "bandwidth: less than one bit a second");
}

void read_latency(Reader& reader, const YAML::Node& node, Dimension& out) {
  std::string why;
  if (const auto ns = reader.number(node)) {
    if (!(*ns >= 0) || *ns > 1e15) return reader.fault(node.Mark(), "latency: a number of ns, 0 or more, is needed");
    out.latency_ns = *ns;
    out.latency = Time::from_ns(*ns);
  } else if (!node.IsScalar() || !parse(node.Scalar(), out.latency, why) || out.latency < Time()) {
    reader.fault(node.Mark(), "latency: a number of ns or text with a unit such as 1.5us is needed" +
                                  (why.empty() ? "" : ": " + why));
  } else {
    out.latency_ns = out.latency.ns();
  }
}

void check_keys(Reader& reader, const YAML::Node& root) {
  std::set<std::string> seen;
  for (const auto& entry : root) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "?";
    if (!seen.insert(key).second) reader.fault(entry.first.Mark(), fmt::format("key '{}' occurs twice", key));
  }
}

}  // namespace

std::string_view to_string(Shape shape) {
  switch (shape) {
    case Shape::ring:
      return "Ring";
    case Shape::fully_connected:
      return "FullyConnected";
    case Shape::switched:
      return "Switch";
  }
  return "?";
}

std::uint32_t NetworkFile::ranks() const {
  std::uint32_t n = 1;
  for (const Dimension& d : dimensions) n *= d.size;
  return n;
}

NetworkFile parse_network_file(const std::string& text, const std::string& path) {
  Reader reader(path);
  YAML::Node root;
  try {
    root = YAML::Load(text);
  } catch (const YAML::Exception& e) {
    reader.fault(e.mark, e.msg);
    reader.finish();
  }
  if (!root.IsMap()) {
    const bool ns3 =
        text.find("PACKET_PAYLOAD_SIZE") != std::string::npos || text.find("TOPOLOGY_FILE") != std::string::npos;
    reader.fault(
        YAML::Mark::null_mark(),
        ns3 ? "this is an ns-3 configuration; the backends 'unaware' and 'aware' take an analytical network.yml"
            : "not an analytical network file: topology, npus_count, bandwidth and latency are needed");
    reader.finish();
  }
  check_keys(reader, root);
  const auto shapes = reader.list(root, "topology"), counts = reader.list(root, "npus_count");
  const auto bandwidths = reader.list(root, "bandwidth"), latencies = reader.list(root, "latency");
  reader.finish();
  const std::size_t n = shapes->size();
  for (const auto& [key, list] :
       {std::pair("npus_count", &counts), std::pair("bandwidth", &bandwidths), std::pair("latency", &latencies)})
    if ((*list)->size() != n)
      reader.fault((*list)->Mark(), fmt::format("{}: {} entries, but topology has {}", key, (*list)->size(), n));
  if (n > 32) reader.fault(shapes->Mark(), fmt::format("topology: {} dimensions; at most 32", n));
  reader.finish();

  NetworkFile file{path, std::vector<Dimension>(n)};
  std::uint64_t ranks = 1;
  for (std::size_t k = 0; k < n; ++k) {
    Dimension& d = file.dimensions[k];
    const YAML::Node shape = (*shapes)[k], count = (*counts)[k];
    const auto known = shape.IsScalar() ? shape_of(shape.Scalar()) : std::nullopt;
    if (known)
      d.shape = *known;
    else
      reader.fault(shape.Mark(), fmt::format("topology: unknown shape '{}'; known: Ring, FullyConnected, Switch",
                                             shape.IsScalar() ? shape.Scalar() : "(list)"));
    std::int64_t size = 0;
    if (!count.IsScalar() || !YAML::convert<std::int64_t>::decode(count, size) || size < 2) {
      reader.fault(count.Mark(), "npus_count: a whole number above 1 is needed");
    } else if (ranks *= static_cast<std::uint64_t>(std::min<std::int64_t>(size, max_ranks + 1)); ranks > max_ranks) {
      reader.fault(count.Mark(), fmt::format("npus_count: more than {} ranks", max_ranks));
      ranks = max_ranks;
    } else {
      d.size = static_cast<std::uint32_t>(size);
    }
    read_bandwidth(reader, (*bandwidths)[k], d);
    read_latency(reader, (*latencies)[k], d);
  }
  reader.finish();
  return file;
}

NetworkFile read_network_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) throw ConfigError(path + ": error: the network file cannot be read");
  return parse_network_file(text.str(), path);
}

}  // namespace tutti::net
