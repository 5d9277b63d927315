#pragma once
#include <string>
#include <vector>

#include "net/backends/packet/settings.h"

namespace tutti::net::packet {

/// What an ns-3 config.txt says, in KEY value pairs in any order.
struct Ns3Config {
  Settings settings;
  std::string topology_file;                   ///< as found: relative to the configuration's folder
  std::string fct_file, pfc_file, queue_file;  ///< where the reference would write
  std::vector<std::string> warnings;           ///< keys without effect here
};

/// @param astra  the reference's defaults for absent keys, and its arithmetic; else the model without its faults.
/// @throws ConfigError  lists every fault with file:line: unknown keys, values that are none, missing keys.
Ns3Config read_ns3_config(const std::string& path, bool astra);
/// The same from text; `path` is for messages and for files named in it.
Ns3Config parse_ns3_config(const std::string& text, const std::string& path, bool astra);
/// True if `text` looks like one.
bool is_ns3_config(const std::string& text);

}  // namespace tutti::net::packet
