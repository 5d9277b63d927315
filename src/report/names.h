#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tutti::report {

/// Texts that many rows share, each kept once.
class Names {
 public:
  explicit Names(std::vector<std::string>& all) : all_(all) {}
  std::uint32_t add(std::string_view text) {
    const auto [at, fresh] = known_.try_emplace(std::string(text), static_cast<std::uint32_t>(all_.size()));
    if (fresh) all_.emplace_back(text);
    return at->second;
  }

 private:
  std::vector<std::string>& all_;
  std::unordered_map<std::string, std::uint32_t> known_;
};

}  // namespace tutti::report
