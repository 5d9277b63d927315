#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tutti::plan {

/// Sets of ranks, each stored once and named by a number. Set 0 is empty.
class Contributions {
 public:
  using Id = std::uint32_t;
  explicit Contributions(int ranks);

  Id of(int rank) const { return static_cast<Id>(rank) + 1; }
  Id of(const std::vector<int>& ranks);
  Id unite(Id a, Id b);
  /// The first rank in both, if any.
  std::optional<int> common(Id a, Id b) const;
  std::optional<int> first_missing(Id a, Id from) const;
  std::vector<int> members(Id a) const;
  /// "0-3, 5".
  std::string describe(Id a) const;

 private:
  using Words = std::vector<std::uint64_t>;
  Id intern(const Words& w);
  std::size_t words_;
  std::vector<std::uint64_t> bits_;  ///< words_ of each set, one after the other
  std::unordered_multimap<std::uint64_t, Id> known_;
  std::unordered_map<std::uint64_t, Id> unions_;
};

}  // namespace tutti::plan
