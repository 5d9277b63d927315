// The hot path of reading: field and attribute tags are compared as bytes, values are taken where they stand, and
// nothing is allocated but the parents and the first of each group name. Its results are held against the full parser
// in fast_test.cpp.
#include "workload/formats/chakra/fast.h"

#include <algorithm>
#include <cstring>

#include "workload/formats/chakra/attribute.h"

namespace tutti::workload::chakra {
namespace {

/// Bytes that are left of a message.
struct Cursor {
  const char* at;
  const char* end;

  bool done() const { return at == end; }
  /// @return false at the end of the message, or after ten bytes.
  bool varint(std::uint64_t& out) {
    if (at == end) return false;
    auto byte = static_cast<unsigned char>(*at++);
    out = byte;
    if (byte < 0x80) [[likely]]
      return true;
    out &= 0x7F;
    for (unsigned shift = 7; shift < 70; shift += 7) {
      if (at == end) return false;
      byte = static_cast<unsigned char>(*at++);
      out |= std::uint64_t{byte & 0x7FU} << std::min(shift, 63U);
      if (byte < 0x80) return shift < 63 || byte <= 1;
    }
    return false;
  }
  bool bytes(std::string_view& out) {
    std::uint64_t size = 0;
    if (!varint(size) || size > static_cast<std::uint64_t>(end - at)) return false;
    out = {at, static_cast<std::size_t>(size)};
    at += size;
    return true;
  }
};

template <std::size_t N>
bool is(std::string_view name, const char (&text)[N]) {
  return std::memcmp(name.data(), text, N - 1) == 0;
}

enum class Name : std::uint8_t { unknown, known, group };

/// Attribute of this name. Names are told apart by their length first, as all of one length begin alike.
Name known_name(std::string_view name, Attribute& out) {
  using enum Attribute;
  switch (name.size()) {
    case 7:
      if (is(name, "pg_name")) return out = pg_name, Name::group;
      return is(name, "num_ops") ? (out = num_ops, Name::known) : Name::unknown;
    case 8:
      if (!is(name, "comm_")) return Name::unknown;
      name.remove_prefix(5);
      if (is(name, "tag")) return out = comm_tag, Name::known;
      if (is(name, "src")) return out = comm_src, Name::known;
      if (is(name, "dst")) return out = comm_dst, Name::known;
      return Name::unknown;
    case 9:
      if (is(name, "comm_size")) return out = comm_size, Name::known;
      if (is(name, "comm_type")) return out = comm_type, Name::known;
      return is(name, "is_cpu_op") ? (out = is_cpu_op, Name::known) : Name::unknown;
    case 11:
      return is(name, "tensor_size") ? (out = tensor_size, Name::known) : Name::unknown;
    case 12:
      return is(name, "involved_dim") ? (out = involved_dim, Name::known) : Name::unknown;
    case 13:
      if (is(name, "msg_chunk_cnt")) return out = msg_chunk_cnt, Name::known;
      return is(name, "comm_priority") ? (out = comm_priority, Name::known) : Name::unknown;
    case 15:
      return is(name, "total_chunk_cnt") ? (out = total_chunk_cnt, Name::known) : Name::unknown;
    default:
      return Name::unknown;
  }
}

/// The integer that ends the attribute. @return false if it is no varint kind or does not end it.
bool integer(Cursor a, Value& v) {
  std::uint64_t tag = 0, raw = 0;
  if (!a.varint(tag) || (tag & 7) != 0 || !a.varint(raw) || !a.done()) return false;
  v.field = static_cast<std::uint32_t>(tag >> 3);
  switch (v.field) {
    case 7:
      v.integer = static_cast<std::int32_t>(raw);
      break;
    case 9:
    case 13:
      v.integer = static_cast<std::int64_t>(raw);
      break;
    case 11:
      v.integer = static_cast<std::uint32_t>(raw);
      break;
    case 27:
      v.integer = raw != 0;
      break;
    default:
      return false;
  }
  v.kind = Value::Kind::integer;
  return true;
}

bool attribute(std::string_view bytes, Node& node, TraceBuilder& builder) {
  Cursor a{bytes.data(), bytes.data() + bytes.size()};
  Value v;
  if (a.done() || *a.at++ != '\x0a' || !a.bytes(v.name)) return false;
  Attribute which{};
  const Name name = known_name(v.name, which);
  if (name == Name::unknown) return true;
  if (name == Name::known && integer(a, v)) {
    apply_known(Schema::v0_0_4, which, v, node);
    return true;
  }
  const Value full = read_attribute(Schema::v0_0_4, bytes);
  if (apply(Schema::v0_0_4, full, node)) node.group = builder.group(full.text);
  return true;
}

}  // namespace

bool fast_node(std::string_view frame, const char* text, Node& n, TraceBuilder& builder) {
  Cursor c{frame.data(), frame.data() + frame.size()};
  std::uint64_t value = 0;
  std::string_view part;
  while (!c.done()) {
    switch (static_cast<unsigned char>(*c.at++)) {
      case 0x08:
        if (!c.varint(n.id)) return false;
        break;
      case 0x12:
        if (!c.bytes(part)) return false;
        n.name_offset = static_cast<std::uint64_t>(part.data() - text);
        n.name_length = static_cast<std::uint32_t>(part.size());
        break;
      case 0x18:
        if (!c.varint(value) || value > 7 || value == static_cast<std::uint64_t>(NodeType::metadata)) return false;
        n.raw_type = static_cast<std::uint16_t>(value);
        n.type = static_cast<NodeType>(value);
        break;
      case 0x22:
      case 0x2A: {
        const bool data = c.at[-1] == 0x2A;
        if (!c.bytes(part)) return false;
        for (Cursor list{part.data(), part.data() + part.size()}; !list.done();) {
          if (!list.varint(value)) return false;
          data ? builder.data_parent(value) : builder.ctrl_parent(value);
        }
        break;
      }
      case 0x20:
        if (!c.varint(value)) return false;
        builder.ctrl_parent(value);
        break;
      case 0x28:
        if (!c.varint(value)) return false;
        builder.data_parent(value);
        break;
      case 0x30:  // start time
        if (!c.varint(value)) return false;
        break;
      case 0x38:
        if (!c.varint(value)) return false;
        n.duration_ns = value > UINT64_MAX / 1000 ? UINT64_MAX : value * 1000;
        break;
      case 0x42:  // inputs, outputs
      case 0x4A:
        if (!c.bytes(part)) return false;
        break;
      case 0x52:
        if (!c.bytes(part) || !attribute(part, n, builder)) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

}  // namespace tutti::workload::chakra
