#pragma once
#include <cstdint>
#include <vector>

namespace tutti::net::packet {

/// The memory of a switch, shared by its ports: who holds how much of it, whether a packet may come in, and when the
/// neighbour must pause.
///
/// A packet counts on the port and class that it came in by. The first 4096 bytes are the port's own reserve, then the
/// shared pool is used up to a threshold that is a part (2^-shift) of what is left of it, then the port's headroom.
class SharedBuffer {
 public:
  static constexpr unsigned classes = 8;
  static constexpr std::uint32_t reserve = 4096, resume_offset = 3072;
  struct PortSpec {
    std::uint64_t headroom = 0;  ///< bytes for what still comes after a pause was sent
    unsigned shift = 3;
  };

  /// @param wrap  thresholds are computed modulo 2^32: where the headrooms exceed the buffer they are huge and no pause
  ///              is ever sent, as in the reference. Otherwise the caller has checked with lacking().
  SharedBuffer(std::uint64_t bytes, const std::vector<PortSpec>& ports, bool wrap);
  /// Bytes by which reserves and headrooms exceed a buffer of `bytes`; 0 if they fit.
  static std::uint64_t lacking(std::uint64_t bytes, const std::vector<PortSpec>& ports);

  bool admits(unsigned port, unsigned cls, std::uint32_t size) const;
  void enter(unsigned port, unsigned cls, std::uint32_t size);
  void leave(unsigned port, unsigned cls, std::uint32_t size);
  bool should_pause(unsigned port, unsigned cls) const;
  bool should_resume(unsigned port, unsigned cls) const;
  void set_paused(unsigned port, unsigned cls, bool paused) { use(port, cls).paused = paused; }
  /// The neighbour at `port` has been told to pause.
  bool paused(unsigned port, unsigned cls) const { return use(port, cls).paused; }
  std::uint64_t shared() const { return shared_; }
  std::uint64_t held(unsigned port, unsigned cls) const { return use(port, cls).ingress + use(port, cls).headroom; }

 private:
  struct Use {
    std::uint64_t ingress = 0, headroom = 0;
    bool paused = false;
  };
  Use& use(unsigned port, unsigned cls) { return uses_[port * classes + cls]; }
  const Use& use(unsigned port, unsigned cls) const { return uses_[port * classes + cls]; }
  static std::uint64_t above_reserve(const Use& u) { return u.ingress > reserve ? u.ingress - reserve : 0; }
  std::uint64_t threshold(unsigned port) const;

  std::vector<PortSpec> ports_;
  std::vector<Use> uses_;
  std::uint64_t pool_, shared_ = 0;
  bool wrap_;
};

}  // namespace tutti::net::packet
