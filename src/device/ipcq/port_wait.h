#pragma once
#include <optional>
#include <string>

#include <fmt/format.h>

#include "device/ipcq/controller.h"
#include "sim/wait.h"

namespace tutti::device {

/// Why a kernel waits at a port: for a free slot at the peer, or for data of one port or of any. Says who can end the
/// wait, and what the queue pair's pointers are, when somebody asks.
class PortWait final : public sim::Awaited {
 public:
  PortWait(const IpcqController& c, std::optional<Direction> port, bool sends, Time began)
      : controller_(c), port_(port), sends_(sends), began_(began) {}
  Time began() const { return began_; }

  std::string what() const override {
    if (!port_) return "data of any port (recv)";
    return fmt::format("{} {}", sends_ ? "a free slot to send to" : "data to receive from", name(*port_));
  }
  std::string on() const override { return port_ ? controller_.wiring(*port_)->peer->name() : controller_.name(); }
  std::string state() const override {
    std::string text;
    for_ports([&](Direction d) { text += (text.empty() ? "" : "; ") + controller_.queue_pair(d).describe(); });
    return text;
  }
  void suppliers(sim::Suppliers& s) const override {
    for_ports([&](Direction d) {
      const Wiring& w = *controller_.wiring(d);
      const IpcqQueuePair& mine = controller_.queue_pair(d);
      const IpcqQueuePair& theirs = w.peer->queue_pair(w.peer_port);
      if (sends_ ? theirs.credited() != mine.peer_tail_cache || !mine.full()
                 : theirs.my_head != mine.peer_head_cache || mine.can_receive())
        s.under_way = true;
      if (const sim::Root* process = w.peer->kernel_process())
        s.processes.push_back(process);
      else
        s.unknown = true;
    });
  }

 private:
  template <class F>
  void for_ports(F f) const {
    if (port_) return f(*port_);
    for (std::size_t i = 0; i < controller_.ports(); ++i)
      if (controller_.has(static_cast<Direction>(i))) f(static_cast<Direction>(i));
  }
  const IpcqController& controller_;
  std::optional<Direction> port_;
  bool sends_;
  Time began_;
};

}  // namespace tutti::device
