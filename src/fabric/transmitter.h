#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "fabric/fabric_spec.h"
#include "fabric/link_statistics.h"
#include "fabric/rate.h"
#include "sim/simulation.h"

namespace tutti::fabric {

struct Flight;

/// A packet's place in the queue of one link.
struct Claim {
  Flight* flight = nullptr;
  Claim* next = nullptr;
  Time since;
  std::uint64_t bytes = 0;
  std::uint64_t order = 0;  ///< of two that arrive at one instant, the lower goes first
  std::uint32_t hop = 0;
  std::uint8_t lane = 0;
};

/// Hears of the packets of a transmitter.
class TransmitterOwner {
 public:
  virtual void first_byte(Claim&) = 0;
  /// The claim is free again after this.
  virtual void last_byte(Claim&) = 0;

 protected:
  ~TransmitterOwner() = default;
};

/// Sending end of a link: serves its lanes (virtual channels) chunk by chunk.
///
/// Arbitration happens in the late phase of an instant, when all arrivals of that instant are known. Between two
/// arbitrations the order of chunks is fixed, so the time at which the next packet starts or ends is computed in one
/// step; a lane that wakes in between cuts that plan at the next chunk boundary. In naive mode each chunk is a plan.
class Transmitter {
 public:
  /// @param lanes  indexes into spec.channels, in the order in which they take turns.
  Transmitter(sim::Simulation& simulation, TransmitterOwner& owner, const FabricSpec& spec,
              const std::vector<std::uint8_t>& lanes, Bandwidth bandwidth);

  /// The head of a packet is here: it wants the link from now on.
  void request(std::uint8_t lane, Claim& claim);

  void add_to(LinkStatistics& statistics) const;
  std::uint64_t chunks() const { return chunks_; }

 private:
  struct Lane {
    Claim* first = nullptr;
    Claim* last = nullptr;
    std::uint32_t weight = 1;
    std::uint8_t channel = 0;
    bool started = false;  ///< the first claim's first byte is out
    LinkStatistics::Channel statistics;
  };
  /// Where the service stands at a chunk boundary.
  struct Cursor {
    Time base;
    std::uint64_t beyond = 0;                        ///< bytes sent since `base`
    std::array<std::uint64_t, max_channels> left{};  ///< bytes of each lane's first packet
    std::uint64_t chunks = 0;
    std::uint32_t credit = 0;  ///< chunks left in this turn
    std::uint8_t turn = 0;
    std::uint8_t ended = none;  ///< lane whose packet ended at this boundary
  };
  static constexpr std::uint8_t none = 0xff;

  Time boundary(const Cursor& c) const {
    const Time sent = rate_.time(c.beyond);
    return sent > sim::Simulation::horizon() - c.base ? Time::max() : c.base + sent;
  }
  bool active(std::uint8_t lane) const { return lanes_[lane].first != nullptr; }
  std::uint64_t chunks_of(std::uint64_t bytes) const { return bytes == 0 ? 1 : (bytes - 1) / chunk_ + 1; }

  void line_up(Claim& claim);
  void decide();
  void enqueue_pending();
  void arbitrate();
  void plan(Time limit);
  void commit();
  void boundary_reached();
  void schedule_decision();
  std::uint8_t pick(const Cursor& c) const;
  void serve(Cursor& c, std::uint8_t lane, std::uint64_t chunks) const;
  std::uint64_t chunks_until(const Cursor& c, Time limit) const;
  void skip_rounds(Cursor& c, std::uint8_t first, Time limit) const;

  sim::Simulation& simulation_;
  TransmitterOwner& owner_;
  Rate rate_;
  std::uint64_t chunk_;
  std::array<Lane, max_channels> lanes_{};
  std::uint8_t count_;
  std::uint8_t priority_ = 0;  ///< bit a lane
  bool naive_;
  bool busy_ = false;  ///< a plan is under way, until due_
  bool cut_ = false;   ///< it ends at the next chunk boundary
  bool idle_ = true;
  bool decision_scheduled_ = false;
  Claim* pending_ = nullptr;  ///< arrived in this instant, lowest order first
  Time due_;
  Cursor now_, planned_;
  Time busy_time_;
  std::uint64_t chunks_ = 0;
  sim::MemberEvent<Transmitter, &Transmitter::boundary_reached> reached_{*this};
  sim::MemberEvent<Transmitter, &Transmitter::decide> decide_{*this};
};

}  // namespace tutti::fabric
