#pragma once
#include <cstdint>

namespace tutti::net::packet {

struct Context;
struct Flow;
struct Settings;

/// HPCC's rate: proportional to target / load above the target or after enough additive steps, else one step up.
class WindowRate {
 public:
  WindowRate() = default;
  explicit WindowRate(std::uint64_t rate) : current_(rate) {}
  std::uint64_t current() const { return current_; }
  /// The rate for `load`, between the settings' minimum and `most`. `keep`: later ones start from it.
  std::uint64_t next(double load, const Settings& settings, std::uint64_t most, bool keep);

 private:
  std::uint64_t current_ = 0;
  std::uint32_t stage_ = 0;
};

/// Sets the rate, and moves the time at which the flow may send next as if its last packet had gone out at that rate.
void change_rate_now(Context& context, Flow& flow, std::uint64_t rate);

}  // namespace tutti::net::packet
