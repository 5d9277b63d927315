// Chakra execution traces (.et): varint-framed protobuf messages, schemas 0.0.1 to 1.0.0.
// Nothing in the file names the schema before 0.0.4, so chakra/schema.cpp infers it from field numbers and wire types.

#include <algorithm>
#include <limits>
#include <protozero/pbf_reader.hpp>
#include <utility>

#include "workload/formats/chakra/attribute.h"
#include "workload/formats/chakra/fast.h"
#include "workload/formats/chakra/schema.h"
#include "workload/trace_builder.h"
#include "workload/trace_format.h"

namespace tutti::workload {
namespace {

using chakra::Frames;
using protozero::pbf_wire_type;

std::string_view view_of(protozero::pbf_reader& m) {
  const auto v = m.get_view();
  return {v.data(), v.size()};
}

std::uint64_t micros_to_ns(std::uint64_t us) {
  return us > std::numeric_limits<std::uint64_t>::max() / 1000 ? std::numeric_limits<std::uint64_t>::max() : us * 1000;
}

/// Parses the frames of one file into a builder.
class Reader {
 public:
  Reader(const FileContent& content, Trace& trace, Faults& faults)
      : content_(content), trace_(trace), faults_(faults), builder_(trace, faults) {}

  void expect(std::size_t nodes) { builder_.expect(nodes); }

  void node(std::string_view frame, std::uint64_t offset) {
    Node& n = builder_.begin();
    try {
      if (trace_.schema >= Schema::v0_0_4) {
        if (chakra::fast_node(frame, content_.bytes.data(), n, builder_)) return builder_.end();
        builder_.drop_parents();
        n = {};
      }
      process_group_ = {};
      protozero::pbf_reader m(frame.data(), frame.size());
      if (trace_.schema == Schema::v0_0_1)
        flat_fields(m, n);
      else
        fields(m, n);
    } catch (const protozero::exception& e) {
      if (faults_.full())
        faults_.count_only(true);
      else
        fault("damaged-node", offset, std::string("this frame is no valid node: ") + e.what(), n.id);
      return builder_.drop();
    }
    if (n.type == NodeType::metadata && !process_group_.empty())
      trace_.process_groups.push_back(
          {static_cast<std::uint32_t>(trace_.nodes.size() - 1), std::string(process_group_)});
    builder_.end();
  }

  void finish() { builder_.finish(); }

  void fault(const char* rule, std::uint64_t offset, std::string message, std::optional<std::uint64_t> id = {},
             std::string hint = {}) {
    Fault f;
    f.rule = rule;
    f.file = trace_.file;
    f.offset = offset;
    f.node = id;
    f.message = std::move(message);
    f.hint = std::move(hint);
    faults_.add(std::move(f));
  }

 private:
  void name(std::string_view text, Node& n) {
    n.name_offset = static_cast<std::uint64_t>(text.data() - content_.bytes.data());
    n.name_length = static_cast<std::uint32_t>(text.size());
  }

  void type(std::uint64_t raw, Node& n) {
    n.raw_type = static_cast<std::uint16_t>(raw > UINT16_MAX ? UINT16_MAX : raw);
    n.type = chakra::node_type(trace_.schema, raw);
  }

  /// Repeated integers, packed or not.
  void parents(protozero::pbf_reader& m, bool control) {
    const auto add = [&](std::uint64_t id) { control ? builder_.ctrl_parent(id) : builder_.data_parent(id); };
    if (m.wire_type() == pbf_wire_type::varint) {
      add(m.get_uint64());
    } else if (m.wire_type() == pbf_wire_type::length_delimited) {
      for (const std::uint64_t v : m.get_packed_uint64()) add(v);
    } else {
      m.skip();
    }
  }

  /// Schemas from 0.0.2 on: few fields and a list of attributes.
  void fields(protozero::pbf_reader& m, Node& n) {
    const bool current = trace_.schema >= Schema::v0_0_4;
    const std::uint32_t attribute = current ? 10 : 11;
    while (m.next()) {
      const auto tag = m.tag();
      const bool varint = m.wire_type() == pbf_wire_type::varint;
      const bool text = m.wire_type() == pbf_wire_type::length_delimited;
      if (tag == attribute && text) {
        const chakra::Value value = chakra::read_attribute(trace_.schema, view_of(m));
        if (chakra::apply(trace_.schema, value, n)) n.group = builder_.group(value.text);
        if (!current && value.kind == chakra::Value::Kind::integer &&
            (value.name == "runtime" || value.name == "simulated_run_time"))
          n.duration_ns = static_cast<std::uint64_t>(value.integer);
      } else if (tag == 1 && varint) {
        n.id = m.get_uint64();
      } else if (tag == 2 && text) {
        name(view_of(m), n);
      } else if (tag == 3 && varint) {
        type(m.get_uint64(), n);
      } else if (tag == 4) {
        parents(m, current);
      } else if (current && tag == 5) {
        parents(m, false);
      } else if (current && tag == 7 && varint) {
        n.duration_ns = micros_to_ns(m.get_uint64());
      } else if (current && tag == 8 && text && n.type == NodeType::metadata) {
        protozero::pbf_reader io = m.get_message();
        while (io.next()) {
          if (io.tag() == 1 && io.wire_type() == pbf_wire_type::length_delimited)
            process_group_ = view_of(io);
          else
            io.skip();
        }
      } else {
        m.skip();
      }
    }
  }

  /// Schema 0.0.1: every value is a field of its own; times are nanoseconds.
  void flat_fields(protozero::pbf_reader& m, Node& n) {
    using enum Attribute;
    chakra::Value dims;
    const auto set = [&](Attribute a) { n.present |= bit(a), n.old_kind |= bit(a); };
    while (m.next()) {
      const auto tag = m.tag();
      const bool varint = m.wire_type() == pbf_wire_type::varint;
      const bool text = m.wire_type() == pbf_wire_type::length_delimited;
      if (tag == 4) {
        parents(m, false);
        continue;
      }
      if (tag == 14 && (varint || text)) {
        set(involved_dim);
        if (varint)
          dims.add_bool(m.get_bool());
        else
          for (const bool b : m.get_packed_bool()) dims.add_bool(b);
        continue;
      }
      if (tag == 2 && text) {
        name(view_of(m), n);
        continue;
      }
      if (!varint) {
        m.skip();
        continue;
      }
      const std::uint64_t v = m.get_uint64();
      const auto signed_v = static_cast<std::int64_t>(v);
      const auto rank = static_cast<std::int32_t>(v > INT32_MAX ? INT32_MAX : v);
      switch (tag) {
        case 1:
          n.id = v;
          break;
        case 3:
          type(v, n);
          break;
        case 6:
          n.tensor_size = v, set(tensor_size);
          break;
        case 7:
          n.duration_ns = v;
          break;
        case 12:
          n.num_ops = v, set(num_ops);
          break;
        case 13:
          n.raw_collective = static_cast<std::uint16_t>(v > UINT16_MAX ? UINT16_MAX : v);
          n.collective = chakra::collective_kind(trace_.schema, signed_v);
          if (v != 0) set(comm_type);
          break;
        case 16:
          n.comm_src = rank, set(comm_src);
          break;
        case 17:
          n.comm_dst = rank, set(comm_dst);
          break;
        case 18:
          n.comm_size = signed_v, set(comm_size);
          break;
        case 19:
          n.comm_tag = signed_v, set(comm_tag);
          break;
        case 20:
          n.comm_priority = static_cast<std::uint32_t>(v), set(comm_priority);
          break;
        default:
          break;
      }
    }
    n.dim_mask = dims.mask;
    n.dim_count = dims.count;
  }

  const FileContent& content_;
  Trace& trace_;
  Faults& faults_;
  TraceBuilder builder_;
  std::string_view process_group_;
};

/// About how many frames a file has: those of its start are counted, and make a bound that garbage cannot raise far.
std::size_t node_count(std::string_view bytes) {
  constexpr std::size_t sample = 4096;
  Frames ahead(bytes);
  std::string_view frame;
  std::size_t count = 0;
  while (count < sample && ahead.next(frame)) ++count;
  if (count < sample) return count;
  const auto looked_at = static_cast<double>(ahead.offset() + 1);
  const auto all = static_cast<std::size_t>(1.02 * static_cast<double>(bytes.size()) / looked_at * sample);
  return std::min(all, sample + bytes.size() / 24);
}

class ChakraFormat final : public TraceFormat {
 public:
  std::string_view name() const override { return "chakra"; }
  bool detect(std::string_view bytes) const override {
    return !bytes.starts_with('{') || chakra::detect_schema(bytes).has_value();
  }

  void read(const FileContent& content, const ReadOptions& options, Trace& trace, Faults& faults) const override {
    trace.text = content.bytes;
    trace.text_owner = content.owner;
    Reader reader(content, trace, faults);
    const auto detected = chakra::detect_schema(content.bytes);
    Frames frames(content.bytes);
    std::string_view frame;
    if (!detected) {
      reader.fault("not-a-trace", 0,
                   frames.next(frame) ? "the first frame is neither metadata nor a node" : frames.why());
      return;
    }
    trace.schema = options.schema.value_or(detected->schema);
    trace.has_metadata = detected->has_metadata;
    trace.version = detected->version;
    if (!options.schema && trace.schema >= Schema::v0_0_4 && !detected->has_metadata)
      reader.fault("no-metadata", 0,
                   "the first frame is a node, not metadata: readers that expect metadata lose this node", {},
                   "if that is meant, tell the schema: --schema 0.0.4");
    reader.expect(node_count(content.bytes));
    bool first = true;
    while (frames.next(frame)) {
      if (!first || !detected->has_metadata) reader.node(frame, frames.offset());
      first = false;
    }
    if (!frames.why().empty())
      reader.fault("truncated", frames.offset(),
                   frames.why() + "; after " + std::to_string(trace.nodes.size()) + " nodes");
    reader.finish();
  }
};

}  // namespace

const TraceFormat& chakra_trace_format() {
  static const ChakraFormat format;
  return format;
}

}  // namespace tutti::workload
