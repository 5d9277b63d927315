#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

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
  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t pages() const { return pages_.size(); }

 private:
  static constexpr std::uint64_t page_bytes = 4096;
  struct Page {
    std::byte bytes[page_bytes] = {};
    std::vector<bool> written = std::vector<bool>(page_bytes);
  };
  void check_range(std::uint64_t address, std::uint64_t bytes, const char* what) const;

  std::string name_;
  std::uint64_t size_;
  std::map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

}  // namespace tutti::memory
