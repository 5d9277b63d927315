#include "plan/contributions.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace tutti::plan {

Contributions::Contributions(int ranks) : words_((static_cast<std::size_t>(ranks) + 63) / 64) {
  intern(Words(words_, 0));
  for (std::size_t r = 0; r < static_cast<std::size_t>(ranks); ++r) {
    Words w(words_, 0);
    w[r / 64] = std::uint64_t{1} << r % 64;
    intern(w);
  }
}

Contributions::Id Contributions::intern(const Words& w) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (std::uint64_t x : w) hash = (hash ^ x) * 0xbf58476d1ce4e5b9, hash ^= hash >> 29;
  const auto [begin, end] = known_.equal_range(hash);
  for (auto i = begin; i != end; ++i)
    if (std::equal(w.begin(), w.end(), bits_.begin() + static_cast<std::ptrdiff_t>(i->second * words_)))
      return i->second;
  const auto id = static_cast<Id>(bits_.size() / words_);
  bits_.insert(bits_.end(), w.begin(), w.end());
  known_.emplace(hash, id);
  return id;
}

Contributions::Id Contributions::of(const std::vector<int>& ranks) {
  Words w(words_, 0);
  for (int r : ranks) w[static_cast<std::size_t>(r) / 64] |= std::uint64_t{1} << r % 64;
  return intern(w);
}

Contributions::Id Contributions::unite(Id a, Id b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  const std::uint64_t key = std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  if (const auto found = unions_.find(key); found != unions_.end()) return found->second;
  Words w(words_);
  for (std::size_t i = 0; i < words_; ++i) w[i] = bits_[a * words_ + i] | bits_[b * words_ + i];
  return unions_[key] = intern(w);
}

std::optional<int> Contributions::common(Id a, Id b) const {
  for (std::size_t i = 0; i < words_; ++i)
    if (const std::uint64_t both = bits_[a * words_ + i] & bits_[b * words_ + i])
      return static_cast<int>(i * 64) + std::countr_zero(both);
  return std::nullopt;
}

std::optional<int> Contributions::first_missing(Id a, Id from) const {
  for (std::size_t i = 0; i < words_; ++i)
    if (const std::uint64_t gone = bits_[a * words_ + i] & ~bits_[from * words_ + i])
      return static_cast<int>(i * 64) + std::countr_zero(gone);
  return std::nullopt;
}

std::vector<int> Contributions::members(Id a) const {
  std::vector<int> out;
  for (std::size_t i = 0; i < words_; ++i)
    for (std::uint64_t w = bits_[a * words_ + i]; w; w &= w - 1)
      out.push_back(static_cast<int>(i * 64) + std::countr_zero(w));
  return out;
}

std::string Contributions::describe(Id a) const {
  const std::vector<int> m = members(a);
  std::string out;
  for (std::size_t i = 0; i < m.size();) {
    std::size_t j = i;
    while (j + 1 < m.size() && m[j + 1] == m[j] + 1) ++j;
    out += out.empty() ? "" : ", ";
    out += i == j ? fmt::format("{}", m[i]) : fmt::format("{}-{}", m[i], m[j]);
    i = j + 1;
  }
  return out;
}

}  // namespace tutti::plan
