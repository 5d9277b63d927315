#pragma once
#include <string>
#include <vector>

#include "base/config.h"
#include "base/config_tree.h"

namespace tutti::config {

/// The state behind a Config and its handles.
struct Document {
  std::vector<Source> sources;
  Node root;
  std::vector<Fault> faults;
  std::vector<Setting> settings;

  void fault(const Place& place, std::string message) { faults.push_back({place, std::move(message)}); }
};

}  // namespace tutti::config

namespace tutti {

struct ConfigOverlay::One {
  config::Source source;
  std::size_t equals = 0;  // position of '=' in the text
};

}  // namespace tutti
