#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace tutti::workload::convert {

enum class Wire : std::uint8_t {
  f64,
  f32,
  i32,
  i64,
  u32,
  u64,
  s32,
  s64,
  fix32,
  fix64,
  sfix32,
  sfix64,
  boolean,
  text,
  bytes
};

/// A kind of attribute value of schema 1.0.0: its field number, and the one of lists, which is one more.
struct ValueKind {
  std::uint32_t field;
  Wire wire;
  const char* scalar;
  const char* list;
  const char* scalar_proto;
  const char* list_proto;
};

inline constexpr std::array<ValueKind, 15> value_kinds = {{
    {3, Wire::f64, "doubleVal", "doubleList", "double_val", "double_list"},
    {5, Wire::f32, "floatVal", "floatList", "float_val", "float_list"},
    {7, Wire::i32, "int32Val", "int32List", "int32_val", "int32_list"},
    {9, Wire::i64, "int64Val", "int64List", "int64_val", "int64_list"},
    {11, Wire::u32, "uint32Val", "uint32List", "uint32_val", "uint32_list"},
    {13, Wire::u64, "uint64Val", "uint64List", "uint64_val", "uint64_list"},
    {15, Wire::s32, "sint32Val", "sint32List", "sint32_val", "sint32_list"},
    {17, Wire::s64, "sint64Val", "sint64List", "sint64_val", "sint64_list"},
    {19, Wire::fix32, "fixed32Val", "fixed32List", "fixed32_val", "fixed32_list"},
    {21, Wire::fix64, "fixed64Val", "fixed64List", "fixed64_val", "fixed64_list"},
    {23, Wire::sfix32, "sfixed32Val", "sfixed32List", "sfixed32_val", "sfixed32_list"},
    {25, Wire::sfix64, "sfixed64Val", "sfixed64List", "sfixed64_val", "sfixed64_list"},
    {27, Wire::boolean, "boolVal", "boolList", "bool_val", "bool_list"},
    {29, Wire::text, "stringVal", "stringList", "string_val", "string_list"},
    {31, Wire::bytes, "bytesVal", "bytesList", "bytes_val", "bytes_list"},
}};

}  // namespace tutti::workload::convert
