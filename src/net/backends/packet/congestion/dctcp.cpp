#include <algorithm>

#include "net/backends/packet/congestion/algorithms.h"
#include "net/backends/packet/context.h"

namespace tutti::net::packet {
namespace {

class Dctcp final : public CongestionControl {
 public:
  explicit Dctcp(Context& context) : context_(context) {}

  void acknowledged(Flow& flow, const Packet& ack) override {
    const Settings& s = context_.settings;
    marks_ += ack.marked;
    const bool window_over = ack.sequence > updated_;
    if (window_over) update_alpha(flow, ack.sequence);
    if (reduced_ && ack.sequence > reduced_upto_) reduced_ = false;
    if (ack.marked && !reduced_) {
      const auto cut = static_cast<std::uint64_t>(static_cast<double>(flow.rate) * (1 - alpha_ / 2));
      set_rate(context_, flow, std::max(s.min_rate, cut));
      reduced_ = true;
      reduced_upto_ = flow.next;
    }
    if (!reduced_ && window_over) set_rate(context_, flow, std::min(flow.line_rate, flow.rate + s.dctcp_increase));
  }

 private:
  void update_alpha(const Flow& flow, std::uint64_t acknowledged) {
    const std::uint64_t payload = context_.settings.payload;
    if (updated_ == 0) {
      in_flight_ = flow.next / payload + 1;
    } else {
      const double g = context_.settings.gain;
      const double part = std::min(1.0, static_cast<double>(marks_) / static_cast<double>(in_flight_));
      alpha_ = (1 - g) * alpha_ + g * part;
      marks_ = 0;
      in_flight_ = (flow.next - std::min(flow.next, acknowledged)) / payload + 1;
    }
    updated_ = flow.next;
  }

  Context& context_;
  double alpha_ = 1;
  std::uint64_t marks_ = 0;      ///< since the last update
  std::uint64_t in_flight_ = 1;  ///< packets, at the last update
  std::uint64_t updated_ = 0;    ///< what was next to send then
  bool reduced_ = false;         ///< the rate has been cut in this window
  std::uint64_t reduced_upto_ = 0;
};

}  // namespace

std::unique_ptr<CongestionControl> make_dctcp(Context& context, Flow&) { return std::make_unique<Dctcp>(context); }

}  // namespace tutti::net::packet
