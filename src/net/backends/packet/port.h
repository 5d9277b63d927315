#pragma once
#include <cstdint>

#include "net/backends/packet/context.h"

namespace tutti::net::packet {

/// One end of a cable: sends packets one after another and takes what the other end sends. The Event is the end of the
/// transmission under way.
class Port : public sim::Event {
 public:
  /// What went out here, and what became of what came in.
  struct Counters {
    std::uint64_t packets = 0, bytes = 0;   ///< sent, pauses included
    std::int64_t busy_ps = 0;               ///< time spent sending
    std::uint64_t lost = 0;                 ///< arrived damaged, or over a cable that is down
    std::uint64_t pauses = 0, resumes = 0;  ///< received
    std::int64_t paused_ps = 0;             ///< time in which a class was paused (the last ended pause included)
  };

  Port(Context& context, int node, int index, std::uint64_t rate, std::int64_t delay_ps, double loss);
  virtual ~Port() = default;
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  void connect(Port& peer) { peer_ = &peer; }
  Port& peer() const { return *peer_; }
  int node() const { return node_; }
  int index() const { return index_; }
  std::uint64_t rate() const { return rate_; }
  std::int64_t delay_ps() const { return delay_ps_; }
  const Counters& counters() const { return counters_; }
  bool up() const { return up_; }
  void set_up(bool up);
  bool paused(unsigned traffic_class) const { return (paused_ >> traffic_class & 1) != 0; }
  std::int64_t paused_since_ps() const { return paused_since_ps_; }

  /// Sends the next packet if nothing is being sent and one may go.
  void transmit();

 protected:
  /// Takes the next packet that may go out; null if there is none.
  virtual Packet* next() = 0;
  /// A packet other than a pause has arrived whole.
  virtual void receive(Packet& p) = 0;

  Context& context_;
  std::uint8_t paused_ = 0;  ///< a bit a class

 private:
  static void done(sim::Event& e);
  static void arrived(sim::Event& e);
  void arrive(Packet& p);
  void obey(const Packet& p);

  Port* peer_ = nullptr;
  bool busy_ = false, up_ = true;
  int node_, index_;
  std::uint64_t rate_;
  std::int64_t delay_ps_;
  std::int64_t paused_since_ps_ = 0;
  double loss_;
  TransmissionCache transmission_;
  Counters counters_;
};

}  // namespace tutti::net::packet
