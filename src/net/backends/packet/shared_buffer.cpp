#include "net/backends/packet/shared_buffer.h"

#include <algorithm>

namespace tutti::net::packet {
namespace {
std::uint64_t bound(const std::vector<SharedBuffer::PortSpec>& ports) {
  std::uint64_t sum = 0;
  for (const auto& p : ports) sum += p.headroom + SharedBuffer::reserve;
  return sum;
}
}  // namespace

SharedBuffer::SharedBuffer(std::uint64_t bytes, const std::vector<PortSpec>& ports, bool wrap)
    : ports_(ports), uses_(ports.size() * classes), pool_(bytes - bound(ports)), wrap_(wrap) {}

std::uint64_t SharedBuffer::lacking(std::uint64_t bytes, const std::vector<PortSpec>& ports) {
  const std::uint64_t needed = bound(ports);
  return needed > bytes ? needed - bytes : 0;
}

std::uint64_t SharedBuffer::threshold(unsigned port) const {
  const std::uint64_t left = pool_ - shared_;
  return (wrap_ ? left & 0xffffffffu : left) >> ports_[port].shift;
}

bool SharedBuffer::admits(unsigned port, unsigned cls, std::uint32_t size) const {
  const Use& u = use(port, cls);
  return u.headroom + size <= ports_[port].headroom || above_reserve(u) + size <= threshold(port);
}

void SharedBuffer::enter(unsigned port, unsigned cls, std::uint32_t size) {
  Use& u = use(port, cls);
  const std::uint64_t held = u.ingress + size;
  if (held <= reserve) {
    u.ingress = held;
  } else if (held - reserve > threshold(port)) {
    u.headroom += size;
  } else {
    u.ingress = held;
    shared_ += std::min<std::uint64_t>(size, held - reserve);
  }
}

void SharedBuffer::leave(unsigned port, unsigned cls, std::uint32_t size) {
  Use& u = use(port, cls);
  const std::uint64_t from_headroom = std::min<std::uint64_t>(u.headroom, size);
  const std::uint64_t rest = size - from_headroom;
  const std::uint64_t from_shared = std::min(rest, above_reserve(u));
  u.headroom -= from_headroom;
  u.ingress -= rest;
  shared_ -= from_shared;
}

bool SharedBuffer::should_pause(unsigned port, unsigned cls) const {
  const Use& u = use(port, cls);
  return !u.paused && (u.headroom > 0 || above_reserve(u) >= threshold(port));
}

bool SharedBuffer::should_resume(unsigned port, unsigned cls) const {
  const Use& u = use(port, cls);
  if (!u.paused || u.headroom > 0) return false;
  const std::uint64_t held = above_reserve(u);
  return held == 0 || held + resume_offset <= threshold(port);
}

}  // namespace tutti::net::packet
