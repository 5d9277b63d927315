#pragma once
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "device/conformance.h"
#include "device/machine.h"

namespace tutti::device {

/// For tests: a simulation and a machine on it, in an order in which processes die before the machine.
class TestMachine {
 public:
  explicit TestMachine(const fabric::Topology& topology = fabric::profile("tiny"), const MachineSpec& spec = {},
                       const fabric::FabricSpec& fabric = {})
      : machine_holder_(nullptr) {
    machine_holder_ = std::make_unique<Machine>(simulation, topology, spec, fabric);
    machine_holder_->listen(conformance_);
  }
  Machine& machine() { return *machine_holder_; }
  std::uint64_t transitions() const { return conformance_.transitions(); }
  Pe& pe(std::int32_t i) { return machine_holder_->pe(i); }

  /// Two PEs joined by E of the first and W of the second; with `both`, also W of the first and E of the second.
  void pair(std::int32_t a, std::int32_t b, const IpcqConfig& config = {}, bool both = false) {
    GroupPlan plan{{a, b}, {{{Direction::E, 1, Direction::W}}, {{Direction::W, 0, Direction::E}}}, config};
    if (both) {
      plan.ports[0].push_back({Direction::W, 1, Direction::E});
      plan.ports[1].push_back({Direction::E, 0, Direction::W});
    }
    machine().install(plan);
  }
  /// `bytes` bytes of the pattern seed, seed + 1, ... in a memory of a PE.
  Address tensor(BufferKind kind, std::int32_t i, std::uint64_t bytes, unsigned seed = 1) {
    const Address at = machine().allocate(kind, i, bytes);
    machine().memory().write(at, pattern(bytes, seed));
    return at;
  }
  static std::vector<std::byte> pattern(std::uint64_t bytes, unsigned seed) {
    std::vector<std::byte> data(bytes);
    for (std::uint64_t k = 0; k < bytes; ++k) data[k] = static_cast<std::byte>((seed + k) % 251);
    return data;
  }
  std::vector<std::byte> bytes(Address at, std::uint64_t n) {
    std::vector<std::byte> out(n);
    machine().memory().read(at, out);
    return out;
  }

 private:
  std::unique_ptr<Machine> machine_holder_;
  /// Every run of a test is one of the model's.
  ConformanceChecker conformance_{[this](std::int32_t i, Direction) {
    const IpcqConfig& c = pe(i).ipcq().config();
    return ConformanceChecker::Ring{c.n_slots, c.first_sequence};
  }};

 public:
  sim::Simulation simulation;
};

}  // namespace tutti::device
