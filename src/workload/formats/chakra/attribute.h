#pragma once
#include <cstdint>
#include <string_view>

#include "workload/trace_node.h"

namespace tutti::workload::chakra {

/// One attribute as written, of any generation.
struct Value {
  enum class Kind : std::uint8_t { none, integer, real, text, bools, other_list };
  std::string_view name;
  Kind kind = Kind::none;
  std::uint32_t field = 0;   ///< number of the value's field in AttributeProto
  std::int64_t integer = 0;  ///< integer kinds, two's complement of the written width
  std::string_view text;     ///< text
  std::uint32_t mask = 0;    ///< bools: bit i = element i, first 32
  std::uint8_t count = 0;    ///< bools: length, saturated at 255

  void add_bool(bool b);
};

/// @throws protozero::exception for bytes that are no message.
Value read_attribute(Schema schema, std::string_view bytes);

/// Stores `value` in `node` if its name has a meaning; the first of a name wins. Group names are left to the caller:
/// @return true if the value is the node's group name.
bool apply(Schema schema, const Value& value, Node& node);
/// The same for an attribute whose name is known.
bool apply_known(Schema schema, Attribute attribute, const Value& value, Node& node);

}  // namespace tutti::workload::chakra
