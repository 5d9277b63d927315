#pragma once
#include <cstdint>
#include <vector>

#include "base/pool.h"
#include "match/matcher.h"
#include "net/backend.h"
#include "workload/recorder.h"

namespace tutti::workload {

/// Size and key of one send or receive.
struct Envelope {
  match::Key key;
  std::uint64_t bytes = 0;
  std::uint64_t node = 0;  ///< trace node behind it, for reports
};

/// Called when a send or a receive is complete.
struct Completion {
  void (*call)(void* owner, std::uint32_t note) = nullptr;
  void* owner = nullptr;
  std::uint32_t note = 0;
};

/// Sends over a network and pairs what arrives with posted receives, for all ranks.
///
/// A receive that finds its bytes there completes in a new event of the same instant (or inside the call, if the
/// network says so). With rendezvous, a receive first sends 8192 bytes back to the sender and is posted when those are
/// sent; a send starts when they have come.
class Messenger {
 public:
  /// Set in the key space of requests for a rendezvous.
  static constexpr std::uint64_t request_space = std::uint64_t{1} << 63;

  Messenger(sim::Simulation& simulation, net::Backend& network, match::Policy policy, bool rendezvous);

  void send(const Envelope& e, Completion sent);
  void receive(const Envelope& e, Completion received);

  void listen(Recorder* recorder) { recorder_ = recorder; }

  const match::Matcher& matcher() const { return matcher_; }
  std::uint64_t bytes_sent(std::uint32_t rank) const { return sent_[rank]; }
  std::uint64_t bytes_received(std::uint32_t rank) const { return received_[rank]; }
  std::uint64_t messages() const { return messages_; }
  /// True if no message is under way.
  bool idle() const { return parcels_.out() == 0; }
  bool rendezvous() const { return rendezvous_; }
  net::Backend& network() { return network_; }
  /// Counts messages whose times were computed instead of sending them.
  void account(std::uint32_t source, std::uint32_t destination, std::uint64_t bytes, std::uint64_t messages);

 private:
  struct Posted : match::Receive, sim::Event {
    Posted() : sim::Event(nullptr) {}
    Completion done;
    Messenger* messenger = nullptr;
  };
  /// What goes on when a request for a rendezvous has come, or has been sent.
  struct Deferred {
    Messenger* messenger;
    Envelope envelope;
    Completion done;
  };
  void start(const Envelope& e, Completion sent);
  void post(const Envelope& e, Completion received);
  void complete(Posted& p);
  static void on_sent(net::Message& m);
  static void on_delivered(net::Message& m);

  struct Parcel : net::Message {
    Completion done;
    std::uint64_t node = 0;
    Time posted;
    std::uint8_t calls = 0;
  };
  void release(Parcel& p) {
    if (++p.calls == 2) parcels_.give(&p);
  }

  sim::Simulation& simulation_;
  net::Backend& network_;
  Recorder* recorder_ = nullptr;
  bool rendezvous_;
  match::Matcher matcher_;
  Pool<Parcel> parcels_;
  Pool<Posted> posted_;
  Pool<Deferred> deferred_;
  std::vector<std::uint64_t> sent_, received_;
  std::uint64_t messages_ = 0;
};

}  // namespace tutti::workload
