#include <algorithm>

#include "net/backends/packet/congestion/algorithms.h"
#include "net/backends/packet/context.h"

namespace tutti::net::packet {
namespace {

constexpr double low_ns = 50'000, high_ns = 500'000, least_ns = 20'000;
constexpr double new_weight = 0.875, decrease = 0.8;

class Timely final : public CongestionControl {
 public:
  Timely(Context& context, const Flow& flow) : context_(context), current_(flow.rate) {}

  void acknowledged(Flow& flow, const Packet& ack) override {
    if (ack.sequence <= updated_) return;  // once a window
    const std::uint64_t rtt = static_cast<std::uint64_t>(context_.now_ps() - ack.sent_ps) / 1000;
    if (updated_ != 0) update(flow, rtt);
    if (flow.next > updated_) {
      updated_ = flow.next;
      last_rtt_ = rtt;
    }
  }

 private:
  void update(Flow& flow, std::uint64_t rtt_ns) {
    const Settings& s = context_.settings;
    const auto rtt = static_cast<double>(rtt_ns);
    const double change = static_cast<double>(static_cast<std::int64_t>(rtt_ns - last_rtt_));
    difference_ = (1 - new_weight) * difference_ + new_weight * change;
    const double gradient = difference_ / least_ns;
    if (rtt < low_ns || (rtt <= high_ns && gradient <= 0)) {
      current_ = std::min(current_ + (stage_ < 5 ? s.additive_increase : s.hyper_increase), flow.line_rate);
      ++stage_;
    } else {
      const double keep = rtt > high_ns ? 1 - decrease * (1 - high_ns / rtt) : std::max(0.0, 1 - decrease * gradient);
      current_ = std::max(s.min_rate, static_cast<std::uint64_t>(static_cast<double>(current_) * keep));
      stage_ = 0;
    }
    set_rate(context_, flow, current_);
  }

  Context& context_;
  std::uint64_t current_;
  std::uint64_t updated_ = 0;  ///< what was next to send at the last update
  std::uint64_t last_rtt_ = 0;
  double difference_ = 0;
  std::uint32_t stage_ = 0;
};

}  // namespace

std::unique_ptr<CongestionControl> make_timely(Context& context, Flow& flow) {
  return std::make_unique<Timely>(context, flow);
}

}  // namespace tutti::net::packet
