#include "device/ipcq/port_set.h"

#include <algorithm>

#include <fmt/format.h>

#include "device/ipcq/errors.h"

namespace tutti::device {

IpcqPortSet::IpcqPortSet(std::string path, const IpcqInitMsg& init, Bytes region, std::uint64_t start)
    : path_(std::move(path)) {
  std::int64_t total = 0;
  for (const auto& e : init.entries) ports_.resize(std::max(ports_.size(), static_cast<std::size_t>(e.direction) + 1));
  served_.resize(ports_.size());
  last_polled_dir_ = ports_.empty() ? 0 : ports_.size() - 1;
  for (const auto& e : init.entries) {
    auto& port = ports_[static_cast<std::size_t>(e.direction)];
    if (port) throw ModelError(fmt::format("{}: port {} is installed twice", path_, name(e.direction)));
    const std::int64_t size = std::int64_t{e.n_slots} * e.slot_size;
    total += size;
    for (const auto& other : ports_)
      if (other && other->rx_base < e.my_rx_base_pa + static_cast<std::uint64_t>(size) &&
          other->owns(std::max(e.my_rx_base_pa, other->rx_base)))
        throw ModelError(
            fmt::format("{}: the rings of ports {} and {} overlap", path_, name(other->direction), name(e.direction)));
    port.emplace(e, start);
  }
  if (total > region.count())
    throw IpcqRegionOverflow(fmt::format("{}: {} ports need {} of {}", path_, init.entries.size(),
                                         to_string(Bytes(total)), to_string(region)));
}

IpcqQueuePair& IpcqPortSet::at(Direction d) {
  const auto i = static_cast<std::size_t>(d);
  if (i >= ports_.size() || !ports_[i])
    throw IpcqInvalidDirection(fmt::format("{} has no neighbour at port {}", path_, name(d)));
  return *ports_[i];
}

IpcqQueuePair& IpcqPortSet::ring_of(std::uint64_t dst_addr) {
  for (auto& port : ports_)
    if (port && port->owns(dst_addr)) return *port;
  throw ViolationError(fmt::format("{}: an arrival at {:#x} is in no ring", path_, dst_addr));
}

IpcqQueuePair& IpcqPortSet::sender_of(const IpcqCreditMetadata& credit) {
  for (auto& port : ports_)
    if (port && port->peer.rx_base_pa == credit.dst_rx_base_pa) return *port;
  throw ViolationError(fmt::format("{}: a credit for the ring at {:#x} is of no port", path_, credit.dst_rx_base_pa));
}

std::optional<Direction> IpcqPortSet::next_any(Fairness fairness, const std::function<bool(Direction)>& eligible) {
  const std::size_t none = ports_.size();
  std::size_t best = none;
  for (std::size_t step = 1; step <= none; ++step) {
    const std::size_t i = (last_polled_dir_ + step) % none;
    if (!ports_[i] || !ports_[i]->can_receive()) continue;
    if (eligible && !eligible(static_cast<Direction>(i))) continue;
    if (best == none || served_[i] < served_[best]) best = i;
    if (fairness == Fairness::weak) break;
  }
  if (best == none) return std::nullopt;
  last_polled_dir_ = best;
  ++served_[best];
  return static_cast<Direction>(best);
}

void IpcqPortSet::check_no_leak() const {
  std::string leaks;
  for (const auto& port : ports_)
    if (port && port->unread() + port->unreleased() != 0)
      leaks += fmt::format("\n  {} unread, {} unreleased: {}", port->unread(), port->unreleased(), port->describe());
  if (!leaks.empty()) throw IpcqLeak(path_ + " ended with slots in use" + leaks);
}

}  // namespace tutti::device
