#include "device/mmu.h"

#include <bit>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::device {

Mmu::Mmu(std::string path, const MachineSpec::Mmu& spec)
    : path_(std::move(path)), spec_(spec), page_(static_cast<std::uint64_t>(spec.page.count())) {
  if (!std::has_single_bit(page_)) throw ModelError(path_ + ": the size of a page must be a power of two");
  if (spec.tlb_entries < 1) throw ModelError(path_ + ": a TLB needs an entry");
}

void Mmu::check_range(const char* what, VirtAddr at, std::uint64_t bytes) const {
  if (bytes == 0 || at.value % page_ != 0 || bytes % page_ != 0)
    throw MmuError(
        fmt::format("{}: {} of {} B at VA {:#x}: not whole pages of {} B", path_, what, bytes, at.value, page_));
  if (at.value >> 48 != 0 || bytes > (std::uint64_t{1} << 48) - at.value)
    throw MmuError(fmt::format("{}: {} of {} B at VA {:#x}: beyond 48 bits", path_, what, bytes, at.value));
}

void Mmu::map(VirtAddr at, Address to, std::uint64_t bytes) {
  check_range("map", at, bytes);
  if (to % page_ != 0) throw MmuError(fmt::format("{}: map to {:#x}: not the beginning of a page", path_, to));
  const std::uint64_t first = page_of(at), count = bytes / page_;
  const auto taken = table_.lower_bound(first);
  if (taken != table_.end() && taken->first < first + count)
    throw MmuError(fmt::format("{}: map of {} B at VA {:#x} overlaps the page at VA {:#x}, which is mapped to {:#x}",
                               path_, bytes, at.value, taken->first * page_, taken->second));
  for (std::uint64_t i = 0; i < count; ++i) table_[first + i] = to + i * page_;
}

void Mmu::unmap(VirtAddr at, std::uint64_t bytes) {
  check_range("unmap", at, bytes);
  for (std::uint64_t i = 0; i < bytes / page_; ++i)
    if (!table_.contains(page_of(at) + i))
      throw MmuError(fmt::format("{}: unmap of VA {:#x}, which is not mapped", path_, at.value + i * page_));
  for (std::uint64_t i = 0; i < bytes / page_; ++i) {
    table_.erase(page_of(at) + i);
    if (const auto old = in_tlb_.find(page_of(at) + i); old != in_tlb_.end()) {
      recent_.erase(old->second);
      in_tlb_.erase(old);
    }
  }
}

Time Mmu::look_up(std::uint64_t page) {
  if (const auto found = in_tlb_.find(page); found != in_tlb_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second);
    ++hits_;
    return spec_.tlb_hit;
  }
  ++walks_;
  if (recent_.size() == static_cast<std::size_t>(spec_.tlb_entries)) {
    in_tlb_.erase(recent_.back());
    recent_.pop_back();
  }
  recent_.push_front(page);
  in_tlb_[page] = recent_.begin();
  return spec_.tlb_hit + spec_.walk;
}

Mmu::Translation Mmu::translate(VirtAddr at, std::uint64_t bytes) {
  const auto none = [&](std::uint64_t page) {
    return MmuError(fmt::format("{}: VA {:#x} is not mapped", path_, std::max(at.value, page * page_)));
  };
  const std::uint64_t first = page_of(at), last = (at.value + std::max<std::uint64_t>(bytes, 1) - 1) / page_;
  const auto begin = table_.find(first);
  if (begin == table_.end()) throw none(first);
  Translation t{begin->second + at.value % page_, {}};
  for (std::uint64_t page = first; page <= last; ++page) {
    const auto entry = table_.find(page);
    if (entry == table_.end()) throw none(page);
    if (entry->second != begin->second + (page - first) * page_)
      throw MmuError(
          fmt::format("{}: {} B at VA {:#x} are not in one piece in memory: the page at VA {:#x} is at {:#x}", path_,
                      bytes, at.value, page * page_, entry->second));
    t.time += look_up(page);
  }
  return t;
}

}  // namespace tutti::device
