#include "memory/store.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::memory {

Space::Space(std::string name, std::uint64_t size_bytes) : name_(std::move(name)), size_(size_bytes) {}

void Space::check_range(std::uint64_t address, std::uint64_t bytes, const char* what) const {
  if (address > size_ || bytes > size_ - address)
    throw ModelError(
        fmt::format("{} of {} bytes at {:#x} is outside {} ({:#x} bytes)", what, bytes, address, name_, size_));
}

void Space::write(std::uint64_t address, std::span<const std::byte> bytes) {
  check_range(address, bytes.size(), "write");
  for (std::size_t done = 0; done < bytes.size();) {
    const std::uint64_t at = (address + done) % page_bytes;
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(page_bytes - at, bytes.size() - done));
    auto& page = pages_[(address + done) / page_bytes];
    if (!page) page = std::make_unique<Page>();
    std::memcpy(page->bytes + at, bytes.data() + done, n);
    const auto first = page->written.begin() + static_cast<std::ptrdiff_t>(at);
    std::fill(first, first + static_cast<std::ptrdiff_t>(n), true);
    done += n;
  }
}

void Space::read(std::uint64_t address, std::span<std::byte> out) const {
  check_range(address, out.size(), "read");
  for (std::size_t done = 0; done < out.size();) {
    const std::uint64_t at = (address + done) % page_bytes;
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(page_bytes - at, out.size() - done));
    if (!initialised(address + done, n))
      throw ModelError(fmt::format("read of {} bytes at {:#x} in {}: not all of them were ever written", out.size(),
                                   address, name_));
    std::memcpy(out.data() + done, pages_.at((address + done) / page_bytes)->bytes + at, n);
    done += n;
  }
}

bool Space::initialised(std::uint64_t address, std::uint64_t bytes) const {
  check_range(address, bytes, "look");
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t at = (address + done) % page_bytes;
    const std::uint64_t n = std::min(page_bytes - at, bytes - done);
    const auto page = pages_.find((address + done) / page_bytes);
    if (page == pages_.end()) return false;
    const auto first = page->second->written.begin() + static_cast<std::ptrdiff_t>(at);
    if (!std::all_of(first, first + static_cast<std::ptrdiff_t>(n), [](bool b) { return b; })) return false;
    done += n;
  }
  return true;
}

}  // namespace tutti::memory
