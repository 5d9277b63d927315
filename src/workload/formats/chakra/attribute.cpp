#include "workload/formats/chakra/attribute.h"

#include <algorithm>
#include <optional>
#include <protozero/pbf_reader.hpp>

#include "workload/formats/chakra/schema.h"

namespace tutti::workload::chakra {
namespace {

using protozero::pbf_wire_type;
using Kind = Value::Kind;

std::string_view view_of(protozero::pbf_reader& m) {
  const auto v = m.get_view();
  return {v.data(), v.size()};
}

/// Bools of field `tag` of `m`, packed or not. @return false if the field is neither.
bool read_bools(protozero::pbf_reader& m, Value& v) {
  if (m.wire_type() == pbf_wire_type::varint) {
    v.add_bool(m.get_bool());
  } else if (m.wire_type() == pbf_wire_type::length_delimited) {
    for (const bool b : m.get_packed_bool()) v.add_bool(b);
  } else {
    return false;
  }
  return true;
}

/// Schemas from 0.0.4: a field whose wire type does not fit its number is skipped, as protobuf does.
void read_new(protozero::pbf_reader& a, Value& v) {
  const auto tag = a.tag();
  const auto integer = [&](std::int64_t x) { v.kind = Kind::integer, v.integer = x, v.field = tag; };
  const auto real = [&] { a.skip(), v.kind = Kind::real, v.field = tag; };
  switch (a.wire_type()) {
    case pbf_wire_type::varint:
      switch (tag) {
        case 7:
          return integer(a.get_int32());
        case 9:
          return integer(a.get_int64());
        case 11:
          return integer(a.get_uint32());
        case 13:
          return integer(static_cast<std::int64_t>(a.get_uint64()));
        case 15:
          return integer(a.get_sint32());
        case 17:
          return integer(a.get_sint64());
        case 27:
          return integer(a.get_bool() ? 1 : 0);
        default:
          return a.skip();
      }
    case pbf_wire_type::fixed32:
      switch (tag) {
        case 5:
          return real();
        case 19:
          return integer(a.get_fixed32());
        case 23:
          return integer(a.get_sfixed32());
        default:
          return a.skip();
      }
    case pbf_wire_type::fixed64:
      switch (tag) {
        case 3:
          return real();
        case 21:
          return integer(static_cast<std::int64_t>(a.get_fixed64()));
        case 25:
          return integer(a.get_sfixed64());
        default:
          return a.skip();
      }
    default:
      break;
  }
  const bool list = tag >= 4 && tag <= 32 && tag % 2 == 0;
  if (a.wire_type() != pbf_wire_type::length_delimited || (!list && tag != 29 && tag != 31)) return a.skip();
  v.field = tag;
  v.kind = tag == 28 ? Kind::bools : list ? Kind::other_list : Kind::text;
  if (v.kind != Kind::bools) {
    v.text = view_of(a);
    return;
  }
  protozero::pbf_reader items = a.get_message();
  while (items.next())
    if (items.tag() != 1 || !read_bools(items, v)) items.skip();
}

/// 0.0.2: f=4 i=5 s=6, lists 7 to 9. 0.0.3: b=4 f=5 i=6 s=7 bools=8, lists 9 to 11.
void read_old(Schema schema, protozero::pbf_reader& a, Value& v) {
  const auto tag = a.tag();
  const auto wire = a.wire_type();
  const bool later = schema == Schema::v0_0_3;
  const unsigned shift = later ? 1 : 0;
  if (later && tag == 8) {
    if (!read_bools(a, v)) return a.skip();
    v.kind = Kind::bools;
  } else if (wire == pbf_wire_type::varint && (tag == 5 + shift || (later && tag == 4))) {
    v.kind = Kind::integer;
    v.integer = a.get_int64();
  } else if (wire == pbf_wire_type::fixed32 && tag == 4 + shift) {
    v.kind = Kind::real;
    a.skip();
  } else if (wire == pbf_wire_type::length_delimited && tag == 6 + shift) {
    v.kind = Kind::text;
    v.text = view_of(a);
  } else {
    // 0.0.2 has no list of bools; its integers, one a field, serve for involved_dim.
    if (!later && tag == 8 && (wire == pbf_wire_type::varint || wire == pbf_wire_type::length_delimited)) {
      v.kind = Kind::bools;
      read_bools(a, v);
    } else {
      if (tag >= 7 + shift && v.kind == Kind::none) v.kind = Kind::other_list;
      a.skip();
    }
  }
  v.field = tag;
}

std::optional<Attribute> known(std::string_view name) {
  using enum Attribute;
  switch (name.size()) {
    case 7:
      return name == "num_ops" ? std::optional(num_ops) : name == "pg_name" ? std::optional(pg_name) : std::nullopt;
    case 8:
      if (name == "comm_tag") return comm_tag;
      if (name == "comm_src") return comm_src;
      if (name == "comm_dst") return comm_dst;
      return std::nullopt;
    case 9:
      if (name == "comm_type") return comm_type;
      if (name == "comm_size") return comm_size;
      if (name == "is_cpu_op") return is_cpu_op;
      return std::nullopt;
    case 11:
      return name == "tensor_size" ? std::optional(tensor_size) : std::nullopt;
    case 12:
      return name == "involved_dim" ? std::optional(involved_dim) : std::nullopt;
    case 13:
      return name == "comm_priority"   ? std::optional(comm_priority)
             : name == "msg_chunk_cnt" ? std::optional(msg_chunk_cnt)
                                       : std::nullopt;
    case 15:
      return name == "total_chunk_cnt" ? std::optional(total_chunk_cnt) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// The only value field that the old feeder reads for an attribute.
std::uint32_t old_feeder_field(Attribute a) {
  using enum Attribute;
  switch (a) {
    case is_cpu_op:
      return 27;
    case num_ops:
    case comm_type:
    case comm_size:
      return 9;
    case tensor_size:
      return 13;
    case pg_name:
      return 29;
    case involved_dim:
      return 28;
    default:
      return 7;
  }
}

std::int32_t saturated(std::int64_t v) {
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(v, INT32_MIN, INT32_MAX));
}

}  // namespace

void Value::add_bool(bool b) {
  if (count < 32) mask |= static_cast<std::uint32_t>(b) << count;
  if (count < 255) ++count;
}

Value read_attribute(Schema schema, std::string_view bytes) {
  Value v;
  protozero::pbf_reader a(bytes.data(), bytes.size());
  while (a.next()) {
    const bool text = a.wire_type() == pbf_wire_type::length_delimited;
    if (a.tag() == 1 && text)
      v.name = view_of(a);
    else if (a.tag() <= 2 || (a.tag() == 3 && text))
      a.skip();
    else if (schema >= Schema::v0_0_4)
      read_new(a, v);
    else
      read_old(schema, a, v);
  }
  return v;
}

bool apply(Schema schema, const Value& v, Node& node) {
  const auto found = known(v.name);
  return found && apply_known(schema, *found, v, node);
}

bool apply_known(Schema schema, Attribute a, const Value& v, Node& node) {
  if ((node.present & bit(a)) != 0 || v.kind == Kind::none) return false;
  using enum Attribute;
  node.present |= bit(a);
  if (schema < Schema::v0_0_4 || v.field == old_feeder_field(a)) node.old_kind |= bit(a);
  if (v.kind != (a == pg_name ? Kind::text : a == involved_dim ? Kind::bools : Kind::integer)) {
    node.wrong_kind |= bit(a);
    return false;
  }
  switch (a) {
    case is_cpu_op:
      node.is_cpu_op = v.integer != 0;
      break;
    case num_ops:
    case msg_chunk_cnt:
      node.num_ops = static_cast<std::uint64_t>(v.integer);
      break;
    case tensor_size:
    case total_chunk_cnt:
      node.tensor_size = static_cast<std::uint64_t>(v.integer);
      break;
    case comm_type:
      node.collective = collective_kind(schema, v.integer);
      node.raw_collective = static_cast<std::uint16_t>(std::clamp<std::int64_t>(v.integer, 0, UINT16_MAX));
      break;
    case comm_size:
      node.comm_size = v.integer;
      break;
    case comm_src:
      node.comm_src = saturated(v.integer);
      break;
    case comm_dst:
      node.comm_dst = saturated(v.integer);
      break;
    case comm_tag:
      node.comm_tag = v.integer;
      break;
    case comm_priority:
      node.comm_priority = static_cast<std::uint32_t>(v.integer);
      break;
    case pg_name:
      return true;
    case involved_dim:
      node.dim_mask = v.mask;
      node.dim_count = v.count;
      break;
  }
  return false;
}

}  // namespace tutti::workload::chakra
