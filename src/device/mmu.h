#pragma once
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <unordered_map>

#include "device/machine_spec.h"
#include "device/memory_system.h"

namespace tutti::device {

/// A virtual address, 48 bits. A type of its own: it is never taken for a physical one.
struct VirtAddr {
  std::uint64_t value = 0;
  auto operator<=>(const VirtAddr&) const = default;
};

/// A kernel maps a page twice, or names an address that no page maps.
class MmuError : public ModelError {
 public:
  explicit MmuError(const std::string& what) : ModelError("MmuError: " + what) {}
};

/// The MMU of a PE: pages of one size, a TLB of the pages used last. A page belongs to one range, so that two shards
/// never share one (spec 3.2, traps 5 and 10 of 2.4). Without entries everything runs on physical addresses.
class Mmu {
 public:
  /// @param path  of the PE, for messages. @throws ModelError  pages that are no power of two, a TLB without entries.
  Mmu(std::string path, const MachineSpec::Mmu& spec);

  /// Maps [at, at + bytes) to the physical range at `to`.
  /// @throws MmuError  addresses or size that are no multiples of a page, beyond 48 bits, or a page that is mapped.
  void map(VirtAddr at, Address to, std::uint64_t bytes);
  /// @throws MmuError  a page that is not mapped.
  void unmap(VirtAddr at, std::uint64_t bytes);

  struct Translation {
    Address address;
    Time time;  ///< of the look-up: a hit, or a hit and a walk
  };
  /// The physical address, and the TLB's time. @param bytes  that lie there; each page of them is looked up in turn.
  /// @throws MmuError  not mapped, or pages that do not lie one behind the other in memory.
  Translation translate(VirtAddr at, std::uint64_t bytes = 1);

  std::uint64_t hits() const { return hits_; }
  std::uint64_t walks() const { return walks_; }
  std::size_t pages() const { return table_.size(); }

 private:
  std::uint64_t page_of(VirtAddr at) const { return at.value / page_; }
  void check_range(const char* what, VirtAddr at, std::uint64_t bytes) const;
  Time look_up(std::uint64_t page);
  std::string path_;
  MachineSpec::Mmu spec_;
  std::uint64_t page_;
  std::map<std::uint64_t, Address> table_;  ///< page number to the address of its first byte
  std::list<std::uint64_t> recent_;         ///< pages in the TLB, last used first
  std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> in_tlb_;
  std::uint64_t hits_ = 0, walks_ = 0;
};

}  // namespace tutti::device
