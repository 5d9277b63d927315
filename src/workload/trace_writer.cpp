#include "workload/trace_writer.h"

#include <fstream>
#include <iterator>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

#include "base/error.h"

namespace tutti::workload {
namespace {

using protozero::pbf_writer;

/// Writes attributes with the value field numbers of one generation.
class Attributes {
 public:
  Attributes(Schema schema, pbf_writer& node) : schema_(schema), node_(node) {}

  /// @param field  number of the value field in schema 0.0.4.
  void integer(std::string_view name, std::uint32_t field, std::int64_t value) {
    with(name, [&](pbf_writer& a) {
      a.add_int64(schema_ >= Schema::v0_0_4 ? field : schema_ == Schema::v0_0_3 ? 6 : 5, value);
    });
  }
  void text(std::string_view name, const std::string& value) {
    with(name, [&](pbf_writer& a) {
      a.add_string(schema_ >= Schema::v0_0_4 ? 29 : schema_ == Schema::v0_0_3 ? 7 : 6, value);
    });
  }
  void bools(std::string_view name, const std::vector<bool>& values) {
    with(name, [&](pbf_writer& a) {
      if (schema_ >= Schema::v0_0_4) {
        pbf_writer list(a, 28);
        list.add_packed_bool(1, values.begin(), values.end());
      } else {
        for (const bool b : values) a.add_bool(8, b);
      }
    });
  }

 private:
  template <class Body>
  void with(std::string_view name, Body body) {
    pbf_writer a(node_, schema_ >= Schema::v0_0_4 ? 10 : 11);
    a.add_string(1, name.data(), name.size());
    body(a);
  }
  Schema schema_;
  pbf_writer& node_;
};

std::int64_t collective_number(Schema schema, CollectiveKind kind) {
  if (schema >= Schema::v0_0_4) return static_cast<std::int64_t>(kind);
  using enum CollectiveKind;
  const std::int64_t n = kind == all_reduce       ? 0
                         : kind == all_to_all     ? 1
                         : kind == all_gather     ? 2
                         : kind == reduce_scatter ? 3
                                                  : -1;
  if (n < 0)
    throw ConfigError("schema " + std::string(to_string(schema)) + " has no collective " +
                      std::string(to_string(kind)));
  return schema == Schema::v0_0_1 ? n + 1 : n;
}

std::uint32_t type_number(Schema schema, NodeType type) {
  const auto n = static_cast<std::uint32_t>(type);
  return schema <= Schema::v0_0_2 && n > 0 ? n - 1 : n;
}

void write_flat(const NodeSpec& n, pbf_writer& w) {
  for (const auto p : n.data_deps) w.add_uint64(4, p);
  if (n.tensor_size) w.add_uint64(6, *n.tensor_size);
  if (n.duration_us) w.add_uint64(7, n.duration_us * 1000);
  if (n.num_ops) w.add_uint64(12, *n.num_ops);
  if (n.collective) w.add_int64(13, collective_number(Schema::v0_0_1, *n.collective));
  for (const bool b : n.involved_dim) w.add_bool(14, b);
  if (n.comm_src) w.add_int64(16, *n.comm_src);
  if (n.comm_dst) w.add_int64(17, *n.comm_dst);
  if (n.comm_size) w.add_int64(18, *n.comm_size);
  if (n.comm_tag) w.add_int64(19, *n.comm_tag);
  if (n.comm_priority) w.add_int64(20, *n.comm_priority);
}

void write_attributes(Schema schema, const NodeSpec& n, pbf_writer& w) {
  Attributes a(schema, w);
  if (schema < Schema::v0_0_4 && n.duration_us)
    a.integer("runtime", 9, static_cast<std::int64_t>(n.duration_us * 1000));
  if (n.is_cpu_op) a.integer("is_cpu_op", 27, *n.is_cpu_op);
  if (n.num_ops) a.integer("num_ops", 9, static_cast<std::int64_t>(*n.num_ops));
  if (n.tensor_size) a.integer("tensor_size", 13, static_cast<std::int64_t>(*n.tensor_size));
  if (n.collective) a.integer("comm_type", 9, collective_number(schema, *n.collective));
  if (n.comm_size) a.integer("comm_size", 9, *n.comm_size);
  if (n.comm_src) a.integer("comm_src", 7, *n.comm_src);
  if (n.comm_dst) a.integer("comm_dst", 7, *n.comm_dst);
  if (n.comm_tag) a.integer("comm_tag", 7, *n.comm_tag);
  if (n.comm_priority) a.integer("comm_priority", 7, *n.comm_priority);
  if (n.msg_chunk_cnt) a.integer("msg_chunk_cnt", 7, *n.msg_chunk_cnt);
  if (n.total_chunk_cnt) a.integer("total_chunk_cnt", 7, *n.total_chunk_cnt);
  if (n.pg_name) a.text("pg_name", *n.pg_name);
  if (!n.involved_dim.empty()) a.bools("involved_dim", n.involved_dim);
}

}  // namespace

TraceWriter::TraceWriter(Schema schema, bool metadata) : schema_(schema) {
  if (!metadata || schema < Schema::v0_0_4) return;
  std::string frame;
  pbf_writer(frame).add_string(1, std::string(to_string(schema)));
  raw_frame(frame);
}

void TraceWriter::raw_frame(std::string_view bytes) {
  protozero::write_varint(std::back_inserter(bytes_), bytes.size());
  bytes_.append(bytes);
}

void TraceWriter::add(const NodeSpec& n) {
  std::string frame;
  pbf_writer w(frame);
  if (n.id != 0 || schema_ < Schema::v0_0_4) w.add_uint64(1, n.id);
  if (!n.name.empty()) w.add_string(2, n.name);
  w.add_uint32(3, type_number(schema_, n.type));
  if (schema_ == Schema::v0_0_1) {
    write_flat(n, w);
  } else if (schema_ < Schema::v0_0_4) {
    for (const auto p : n.data_deps) w.add_uint64(4, p);
    write_attributes(schema_, n, w);
  } else {
    w.add_packed_uint64(4, n.ctrl_deps.begin(), n.ctrl_deps.end());
    w.add_packed_uint64(5, n.data_deps.begin(), n.data_deps.end());
    if (n.duration_us) w.add_uint64(7, n.duration_us);
    write_attributes(schema_, n, w);
  }
  raw_frame(frame);
}

void TraceWriter::save(const std::string& path) const {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
  if (!out.flush()) throw ConfigError(path + ": cannot be written");
}

}  // namespace tutti::workload
