#include <algorithm>

#include "net/backends/packet/congestion/algorithms.h"
#include "net/backends/packet/context.h"

namespace tutti::net::packet {
namespace {

class Dcqcn final : public CongestionControl {
 public:
  Dcqcn(Context& context, Flow& flow) : context_(context), flow_(flow), target_(flow.rate) {}

  void acknowledged(Flow&, const Packet& ack) override {
    if (!ack.marked) return;
    for_alpha_ = for_cut_ = true;
    if (seen_) return;
    // The first report starts the clocks; the cut follows an interval later, just after alpha's first update.
    seen_ = true;
    for_alpha_ = false;
    alpha_ = 1;
    target_ = flow_.rate;
    update_alpha_later();
    check_later(1000);
  }
  void stop() override {
    Timers::cancel(alpha_timer_);
    Timers::cancel(cut_timer_);
    Timers::cancel(increase_timer_);
  }

 private:
  Timer* in(std::int64_t us, std::int64_t ps, Timer::Ring ring) {
    return context_.timers.set(context_.now_ps() + us * 1'000'000 + ps, ring, this);
  }
  void update_alpha_later() {
    alpha_timer_ = in(parameters().alpha_interval_us, 0, [](void* self) { static_cast<Dcqcn*>(self)->update_alpha(); });
  }
  void check_later(std::int64_t ps) {
    cut_timer_ = in(parameters().decrease_interval_us, ps, [](void* self) { static_cast<Dcqcn*>(self)->check(); });
  }
  void increase_later() {
    increase_timer_ = in(parameters().increase_timer_us, 0, [](void* self) { static_cast<Dcqcn*>(self)->increase(); });
  }

  void update_alpha() {
    const double g = context_.settings.gain;
    alpha_ = for_alpha_ ? (1 - g) * alpha_ + g : (1 - g) * alpha_;
    for_alpha_ = false;
    update_alpha_later();
  }
  void check() {
    check_later(0);
    if (!for_cut_) return;
    if (parameters().clamp_target || stage_ > 0) target_ = flow_.rate;
    const auto cut = static_cast<std::uint64_t>(static_cast<double>(flow_.rate) * (1 - alpha_ / 2));
    set_rate(context_, flow_, std::max(context_.settings.min_rate, cut));
    stage_ = 0;
    for_cut_ = false;
    Timers::cancel(increase_timer_);
    increase_later();
  }
  void increase() {
    increase_later();
    const Settings& s = context_.settings;
    if (stage_ >= parameters().fast_recovery_times) {
      target_ += stage_ == parameters().fast_recovery_times ? s.additive_increase : s.hyper_increase;
      target_ = std::min(target_, flow_.line_rate);
    }
    set_rate(context_, flow_, flow_.rate / 2 + target_ / 2);
    ++stage_;
  }
  const DcqcnSettings& parameters() const { return context_.settings.dcqcn; }

  Context& context_;
  Flow& flow_;
  std::uint64_t target_;
  double alpha_ = 1;
  std::uint32_t stage_ = 0;  ///< increases since the last cut
  bool seen_ = false, for_alpha_ = false, for_cut_ = false;
  Timer* alpha_timer_ = nullptr;
  Timer* cut_timer_ = nullptr;
  Timer* increase_timer_ = nullptr;
};

}  // namespace

std::unique_ptr<CongestionControl> make_dcqcn(Context& context, Flow& flow) {
  return std::make_unique<Dcqcn>(context, flow);
}

}  // namespace tutti::net::packet
