#include "net/backends/packet/switch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "net/backends/packet/congestion/pint_code.h"

namespace tutti::net::packet {
namespace {
__extension__ using Wide = unsigned __int128;

/// Fields of in-band telemetry in the reference's packet: 24 bits of ns, 20 bits of 128 bytes, 17 bits of 80 bytes.
/// Rates are taken from a table, and one that is not in it counts as its first.
Hop narrow(const Hop& h, std::uint64_t unit) {
  constexpr std::uint64_t known[] = {25, 50, 100, 200, 400, 1200, 2400};
  const std::uint64_t gbps = h.rate / 1'000'000'000;
  const bool listed = std::ranges::find(known, gbps) != std::end(known) && gbps * 1'000'000'000 == h.rate;
  return {h.time_ns & 0xffffff, (h.bytes / (128 * unit)) & 0xfffff, (h.queue / (80 * unit) & 0x1ffff) * 80 * unit,
          listed ? h.rate : 25'000'000'000};
}
}  // namespace

void SwitchPort::enqueue(Packet& p) { push(p, p.traffic_class); }

void SwitchPort::send_control(Packet& p) { push(p, 0); }

void SwitchPort::push(Packet& p, unsigned cls) {
  queues_[cls].push(p);
  queued_[cls] += p.size;
  total_ += p.size;
  waiting_ |= static_cast<std::uint8_t>(1u << cls);
  transmit();
}

Packet* SwitchPort::next() {
  const unsigned ready = waiting_ & ~static_cast<unsigned>(paused_ & 0xfe);
  if (ready == 0) return nullptr;
  unsigned cls = 0;
  if (!(ready & 1)) {  // the first after the one that went last
    const unsigned turned = std::rotr(static_cast<std::uint8_t>(ready), static_cast<int>((turn_ + 1) % classes));
    cls = (static_cast<unsigned>(std::countr_zero(turned)) + turn_ + 1) % classes;
    turn_ = cls;
  }
  Packet* const p = queues_[cls].pop();
  queued_[cls] -= p->size;
  total_ -= p->size;
  if (queues_[cls].empty()) waiting_ &= static_cast<std::uint8_t>(~(1u << cls));
  owner_.leaving(*this, *p);
  return p;
}

bool SwitchPort::should_mark(unsigned cls) {
  const std::uint64_t q = queued_[cls];
  if (q > ecn_.kmax) return true;
  if (q <= ecn_.kmin) return false;
  const double p = ecn_.pmax * static_cast<double>(q - ecn_.kmin) / static_cast<double>(ecn_.kmax - ecn_.kmin);
  return context_.draws.mark() < p;
}

void SwitchPort::receive(Packet& p) { owner_.forward(*this, p); }

void SwitchPort::empty(std::uint64_t& dropped) {
  for (unsigned cls = 0; cls < classes; ++cls)
    while (!queues_[cls].empty()) {
      Packet* const p = queues_[cls].pop();
      queued_[cls] -= p->size;
      total_ -= p->size;
      if (cls != 0) {
        const auto in = static_cast<unsigned>(p->port->index());
        owner_.buffer_->leave(in, cls, p->size);
        if (owner_.buffer_->should_resume(in, cls)) owner_.send_pause(*owner_.ports_[in], cls, Packet::Kind::resume);
      }
      ++dropped;
      context_.drop(*p);
    }
  waiting_ = 0;
}

SwitchPort& Switch::add_port(std::uint64_t rate, std::int64_t delay_ps, double loss) {
  ports_.push_back(
      std::make_unique<SwitchPort>(context_, *this, id_, static_cast<int>(ports_.size()), rate, delay_ps, loss));
  return *ports_.back();
}

SharedBuffer::PortSpec Switch::buffer_spec(const SwitchPort& port, std::uint64_t host_rate) const {
  const Settings& s = context_.settings;
  const std::uint64_t rate = port.rate();
  SharedBuffer::PortSpec spec;
  if (s.astra) {
    spec.headroom =
        static_cast<std::uint32_t>(rate * static_cast<std::uint64_t>(port.delay_ps() / 1000) / 8 / 1'000'000'000 * 3);
  } else if (s.pfc) {
    // What may still come: the packet that made us pause, one that the pause waits for, the pause itself, a round of
    // the cable, and the packet that the neighbour is sending when it hears of it.
    const std::uint64_t packet = s.payload + context_.header.data;
    const Wide in_flight = Wide{rate} * 2 * static_cast<std::uint64_t>(port.delay_ps()) / 8 / 1'000'000'000'000u;
    spec.headroom = static_cast<std::uint64_t>(in_flight) + 1 + 3 * packet + Packet::pause_frame;
  }
  for (std::uint64_t r = rate; r > host_rate && spec.shift > 0; r /= 2) --spec.shift;
  return spec;
}

void Switch::finish(std::uint64_t host_rate) {
  const Settings& s = context_.settings;
  std::vector<SharedBuffer::PortSpec> specs;
  for (const auto& p : ports_) specs.push_back(buffer_spec(*p, host_rate));
  if (const std::uint64_t lacking = SharedBuffer::lacking(s.buffer, specs); lacking != 0 && !s.astra && s.pfc)
    throw ConfigError(
        fmt::format("switch {}: its {} ports need {} bytes of headroom and reserve to lose nothing, the buffer has {}: "
                    "{} bytes are "
                    "missing",
                    id_, ports_.size(), s.buffer + lacking, s.buffer, lacking));
  buffer_ = std::make_unique<SharedBuffer>(s.buffer, specs, s.astra);
}

void Switch::forward(SwitchPort& in, Packet& p) {
  const auto& way = p.kind == Packet::Kind::data ? p.flow->there : p.flow->back;
  SwitchPort* out = p.hop < way.size() ? way[p.hop] : nullptr;
  if (!out || &out->owner() != this || !out->up()) [[unlikely]]
    out = choose_ ? (*choose_)(*this, p) : nullptr;
  ++p.hop;
  if (!out) [[unlikely]]
    return lost(in, p);
  const unsigned cls = p.traffic_class;
  const auto from = static_cast<unsigned>(in.index());
  if (!buffer_->admits(from, cls, p.size)) [[unlikely]]
    return lost(in, p);
  buffer_->enter(from, cls, p.size);
  if (context_.settings.pfc && buffer_->should_pause(from, cls)) [[unlikely]]
    send_pause(in, cls, Packet::Kind::pause);
  out->enqueue(p);
}

void Switch::lost(SwitchPort& in, Packet& p) {
  ++in.drops;
  context_.drop(p);
}

void Switch::send_pause(SwitchPort& to, unsigned cls, Packet::Kind kind) {
  buffer_->set_paused(static_cast<unsigned>(to.index()), cls, kind == Packet::Kind::pause);
  context_.draws.pause();
  Packet& p = context_.make_packet(nullptr);
  p.kind = kind;
  p.traffic_class = static_cast<std::uint8_t>(cls);
  p.size = Packet::pause_frame;
  to.send_control(p);
}

void Switch::leaving(SwitchPort& out, Packet& p) {
  if (p.flow) {
    const unsigned cls = p.traffic_class;
    const auto from = static_cast<unsigned>(p.port->index());
    buffer_->leave(from, cls, p.size);
    out.peak = std::max(out.peak, out.queued_[cls]);
    if (context_.settings.ecn && out.should_mark(cls)) {
      ++out.marks;
      // What an ACK says was seen by its data packet.
      if (p.kind == Packet::Kind::data) p.marked = true;
    }
    if (buffer_->should_resume(from, cls)) [[unlikely]]
      send_pause(*ports_[from], cls, Packet::Kind::resume);
    if (p.kind == Packet::Kind::data) stamp(out, p);
  }
  out.last_size_ = p.size;
  out.last_ps_ = context_.now_ps();
}

void Switch::stamp(SwitchPort& out, Packet& p) {
  const Settings& s = context_.settings;
  if (s.congestion == Congestion::hpcc) {
    Telemetry& t = *p.telemetry;
    const Hop now{context_.now_ns(), out.counters().bytes, out.total_, out.rate()};
    if (t.count < Telemetry::most) t.hop[t.count] = s.astra ? narrow(now, s.hpcc.unit) : now;
    ++t.count;
  } else if (s.congestion == Congestion::pint) {
    // A running average over one round trip of (bytes sent + bytes waiting) / capacity.
    const double round = static_cast<double>(context_.longest_rtt_ns);
    const double dt = std::min(static_cast<double>(context_.now_ps() - out.last_ps_) / 1e3, round);
    const double bytes_per_ns = static_cast<double>(out.rate()) / 8e9;
    const double queue = static_cast<double>(out.total_) * dt / (bytes_per_ns * round * round);
    const double sent = static_cast<double>(out.last_size_) / (bytes_per_ns * round);
    out.utilization_ = queue + sent + out.utilization_ * (round - dt) / round;
    p.utilization = std::max(p.utilization, pint_encode(out.utilization_, s.pint_log_base));
  }
}

}  // namespace tutti::net::packet
