#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <tsl/robin_map.h>

namespace tutti::memory {

/// One memory: real bytes at addresses 0 to size - 1, in 4 KiB pages that exist once written.
/// Every access is checked; an access outside, or a read of a byte never written, throws ModelError naming the space
/// and the address.
class Space {
 public:
  /// @param name  as the reader of an error knows it: "sip0.cube5.pe3.tcm".
  Space(std::string name, std::uint64_t size_bytes);
  void write(std::uint64_t address, std::span<const std::byte> bytes);
  void read(std::uint64_t address, std::span<std::byte> out) const;
  /// True where every byte of the range has been written.
  bool initialised(std::uint64_t address, std::uint64_t bytes) const;
  /// Calls `visit(address, bytes)` for every run of written bytes, in order of address; a run ends at the latest with
  /// its page.
  void each_written(const std::function<void(std::uint64_t, std::span<const std::byte>)>& visit) const;
  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t pages() const { return pages_.size(); }

 private:
  static constexpr std::uint64_t page_bytes = 4096;
  struct Page {
    std::array<std::byte, page_bytes> bytes;                  ///< defined where written
    std::array<std::uint64_t, page_bytes / 64> written = {};  ///< one bit a byte
    bool whole = false;                                       ///< every byte is written
    Page() {}                                                 // leaves the bytes alone
    bool has(std::uint64_t first, std::uint64_t n) const;
    void mark(std::uint64_t first, std::uint64_t n);
  };
  /// Pages of different memories often differ in high bits of their number only; a table indexes by the low ones.
  struct Mix {
    std::size_t operator()(std::uint64_t number) const {
      const std::uint64_t product = number * 0x9e3779b97f4a7c15;
      return product ^ product >> 32;
    }
  };
  void check_range(std::uint64_t address, std::uint64_t bytes, const char* what) const;
  Page* find(std::uint64_t number) const;
  Page& touch(std::uint64_t number);

  std::string name_;
  std::uint64_t size_;
  tsl::robin_map<std::uint64_t, std::unique_ptr<Page>, Mix> pages_;
  mutable std::uint64_t last_number_ = ~std::uint64_t{0};  ///< the page used last
  mutable Page* last_ = nullptr;
};

}  // namespace tutti::memory
