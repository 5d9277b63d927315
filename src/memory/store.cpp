#include "memory/store.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::memory {

Space::Space(std::string name, std::uint64_t size_bytes) : name_(std::move(name)), size_(size_bytes) {}

void Space::check_range(std::uint64_t address, std::uint64_t bytes, const char* what) const {
  if (address > size_ || bytes > size_ - address)
    throw ModelError(
        fmt::format("{} of {} bytes at {:#x} is outside {} ({:#x} bytes)", what, bytes, address, name_, size_));
}

namespace {

/// Calls `f(word, bits)` for each 64-bit word of the bitmap that the range touches, until it returns false.
template <class F>
inline bool each_word(std::uint64_t first, std::uint64_t n, F f) {
  for (const std::uint64_t end = first + n; first < end;) {
    const std::uint64_t in_word = first % 64, count = std::min<std::uint64_t>(64 - in_word, end - first);
    const std::uint64_t bits = (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << in_word;
    if (!f(static_cast<std::size_t>(first / 64), bits)) return false;
    first += count;
  }
  return true;
}

}  // namespace

bool Space::Page::has(std::uint64_t first, std::uint64_t n) const {
  if (whole) return true;
  return each_word(first, n, [&](std::size_t word, std::uint64_t bits) { return (written[word] & bits) == bits; });
}
void Space::Page::mark(std::uint64_t first, std::uint64_t n) {
  if (whole) return;
  if (n == page_bytes) {
    written.fill(~std::uint64_t{0});
    whole = true;
    return;
  }
  each_word(first, n, [&](std::size_t word, std::uint64_t bits) { return written[word] |= bits, true; });
  // Looks for the rest only when the last byte is there: most pages are filled from their first byte on.
  if (written.back() >> 63 == 0) return;
  std::uint64_t all = ~std::uint64_t{0};
  for (const std::uint64_t w : written) all &= w;
  whole = all == ~std::uint64_t{0};
}

Space::Page* Space::find(std::uint64_t number) const {
  if (number == last_number_) return last_;
  const auto page = pages_.find(number);
  if (page == pages_.end()) return nullptr;
  last_number_ = number;
  return last_ = page->second.get();
}

Space::Page& Space::touch(std::uint64_t number) {
  if (Page* const page = find(number)) return *page;
  last_number_ = number;
  last_ = (pages_[number] = std::unique_ptr<Page>(new Page)).get();
  return *last_;
}

void Space::write(std::uint64_t address, std::span<const std::byte> bytes) {
  check_range(address, bytes.size(), "write");
  for (std::size_t done = 0; done < bytes.size();) {
    const std::uint64_t at = (address + done) % page_bytes;
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(page_bytes - at, bytes.size() - done));
    Page& page = touch((address + done) / page_bytes);
    std::memcpy(page.bytes.data() + at, bytes.data() + done, n);
    page.mark(at, n);
    done += n;
  }
}

void Space::read(std::uint64_t address, std::span<std::byte> out) const {
  check_range(address, out.size(), "read");
  for (std::size_t done = 0; done < out.size();) {
    const std::uint64_t at = (address + done) % page_bytes;
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(page_bytes - at, out.size() - done));
    const Page* const page = find((address + done) / page_bytes);
    if (!page || !page->has(at, n))
      throw ModelError(fmt::format("read of {} bytes at {:#x} in {}: not all of them were ever written", out.size(),
                                   address, name_));
    std::memcpy(out.data() + done, page->bytes.data() + at, n);
    done += n;
  }
}

bool Space::initialised(std::uint64_t address, std::uint64_t bytes) const {
  check_range(address, bytes, "look");
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t at = (address + done) % page_bytes;
    const std::uint64_t n = std::min(page_bytes - at, bytes - done);
    const Page* const page = find((address + done) / page_bytes);
    if (!page || !page->has(at, n)) return false;
    done += n;
  }
  return true;
}

void Space::each_written(const std::function<void(std::uint64_t, std::span<const std::byte>)>& visit) const {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(pages_.size());
  for (const auto& [number, page] : pages_) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  for (const std::uint64_t number : numbers) {
    const Page& page = *find(number);
    if (page.whole) {
      visit(number * page_bytes, page.bytes);
      continue;
    }
    for (std::uint64_t first = 0, end = 0; first < page_bytes; first = end) {
      const bool written = page.has(first, 1);
      for (end = first + 1; end < page_bytes && page.has(end, 1) == written;) {
        const bool whole = end % 64 == 0 && page.written[end / 64] == (written ? ~std::uint64_t{0} : 0);
        end += whole ? 64 : 1;
      }
      if (written) visit(number * page_bytes + first, std::span(page.bytes).subspan(first, end - first));
    }
  }
}

}  // namespace tutti::memory
