#include "workload/formats/chakra/schema.h"

#include <algorithm>
#include <array>
#include <protozero/pbf_reader.hpp>

namespace tutti::workload::chakra {
namespace {

using protozero::pbf_wire_type;

std::string_view view_of(protozero::pbf_reader& m) {
  const auto v = m.get_view();
  return {v.data(), v.size()};
}

bool is_text(std::string_view s) {
  return std::all_of(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) >= 32 && c != 127; });
}

/// What one frame says about the generation of its file, from fields that only one generation has.
struct Votes {
  std::array<int, 4> count{};
  bool metadata = true;  ///< the frame can be GlobalMetadata
  std::string version;
  bool old_metadata = false;  ///< attr = 1 instead of version = 1
  void add(Schema s) { ++count[static_cast<std::size_t>(s)]; }
};

/// Value fields of 0.0.2 (f=4 i=5 s=6) and 0.0.3 (b=4 f=5 i=6 s=7) differ in wire type at each number.
void vote_old_attribute(std::string_view bytes, Votes& votes) {
  protozero::pbf_reader a(bytes.data(), bytes.size());
  while (a.next()) {
    const auto wire = a.wire_type();
    const auto tag = a.tag();
    const bool varint = wire == pbf_wire_type::varint;
    const bool fixed = wire == pbf_wire_type::fixed32;
    const bool text = wire == pbf_wire_type::length_delimited;
    if ((tag == 4 && fixed) || (tag == 5 && varint) || (tag == 6 && text)) votes.add(Schema::v0_0_2);
    if ((tag == 4 && varint) || (tag == 5 && fixed) || (tag == 6 && varint) || (tag == 7 && text))
      votes.add(Schema::v0_0_3);
    a.skip();
  }
}

/// @throws protozero::exception for bytes that are no message.
Votes vote(std::string_view frame) {
  Votes votes;
  protozero::pbf_reader m(frame.data(), frame.size());
  while (m.next()) {
    const auto wire = m.wire_type();
    const auto tag = m.tag();
    const bool text = wire == pbf_wire_type::length_delimited;
    if (tag > 2 || !text) votes.metadata = false;
    if (text && (tag == 1 || tag == 2 || tag == 10 || tag == 11)) {
      const std::string_view value = view_of(m);
      const bool attribute = value.starts_with('\x0a');  // the tag byte of an attribute's name
      if (tag == 1 && attribute) votes.old_metadata = true;
      if (tag == 1 && is_text(value)) votes.version = std::string(value);
      if (tag == 2 && !attribute) votes.metadata = false;
      if (tag == 10 && attribute) votes.add(Schema::v0_0_4);
      if (tag == 11) vote_old_attribute(value, votes);
      continue;
    }
    if (wire == pbf_wire_type::varint && (tag == 9 || tag == 11 || (tag >= 12 && tag <= 20))) votes.add(Schema::v0_0_1);
    m.skip();
  }
  return votes;
}

std::string schema_attribute(std::string_view frame) {
  protozero::pbf_reader m(frame.data(), frame.size());
  while (m.next(2, pbf_wire_type::length_delimited)) {
    protozero::pbf_reader a = m.get_message();
    std::string name, value;
    while (a.next()) {
      const bool text = a.wire_type() == pbf_wire_type::length_delimited;
      if (a.tag() == 1 && text)
        name = a.get_string();
      else if (a.tag() == 29 && text)
        value = a.get_string();
      else
        a.skip();
    }
    if (name == "schema") return value;
  }
  return {};
}

}  // namespace

bool Frames::next(std::string_view& frame) {
  start_ = at_;
  if (at_ == bytes_.size()) return false;
  std::uint64_t length = 0;
  for (unsigned k = 0;; ++k) {
    if (k == 5) return why_ = "the frame length is longer than 5 bytes: garbage, or not a trace", false;
    if (at_ == bytes_.size()) return why_ = "truncated inside a frame length", false;
    const auto byte = static_cast<unsigned char>(bytes_[at_++]);
    length |= std::uint64_t{byte & 0x7FU} << (7 * k);
    if (byte < 0x80) break;
  }
  if (length > UINT32_MAX)
    return why_ = "the frame length " + std::to_string(length) + " is over 32 bits: garbage, or not a trace", false;
  if (length > bytes_.size() - at_) {
    why_ = "truncated frame: its length is " + std::to_string(length) + " bytes, " +
           std::to_string(bytes_.size() - at_) + " are left";
    return false;
  }
  frame = bytes_.substr(at_, length);
  at_ += length;
  return true;
}

std::optional<Detected> detect_schema(std::string_view bytes) {
  constexpr int looked_at = 64;
  Frames frames(bytes);
  Detected out;
  std::string_view frame;
  std::array<int, 4> count{};
  bool old_metadata = false;
  int seen = 0;
  for (; seen < looked_at && frames.next(frame); ++seen) {
    try {
      const Votes votes = vote(frame);
      if (seen == 0 && votes.metadata) {
        out.has_metadata = true;
        out.version = votes.version.empty() ? schema_attribute(frame) : votes.version;
        old_metadata = votes.old_metadata;
        continue;
      }
      for (std::size_t s = 0; s < count.size(); ++s) count[s] += votes.count[s];
    } catch (const protozero::exception&) {
      if (seen == 0) return std::nullopt;
    }
  }
  if (seen == 0) return std::nullopt;
  std::size_t best = 3;
  for (std::size_t s = 0; s < count.size(); ++s)
    if (count[s] > count[best]) best = s;
  out.schema = count[best] == 0 && old_metadata ? Schema::v0_0_3 : static_cast<Schema>(best);
  if (out.schema == Schema::v0_0_4 && out.version.find("1.0.0") != std::string::npos) out.schema = Schema::v1_0_0;
  return out;
}

NodeType node_type(Schema schema, std::uint64_t raw) {
  if (schema == Schema::v0_0_1 || schema == Schema::v0_0_2) {
    if (raw == 0) return NodeType::invalid;
    return raw <= 6 ? static_cast<NodeType>(raw + 1) : NodeType::unknown;
  }
  return raw <= 7 ? static_cast<NodeType>(raw) : NodeType::unknown;
}

CollectiveKind collective_kind(Schema schema, std::int64_t raw) {
  using enum CollectiveKind;
  if (schema >= Schema::v0_0_4) return raw >= 0 && raw <= 9 ? static_cast<CollectiveKind>(raw) : unknown;
  constexpr std::array old = {all_reduce, all_to_all, all_gather, reduce_scatter};
  const std::int64_t first = schema == Schema::v0_0_1 ? 1 : 0;
  return raw >= first && raw < first + 4 ? old[static_cast<std::size_t>(raw - first)] : unknown;
}

}  // namespace tutti::workload::chakra
