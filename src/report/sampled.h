#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tutti::report {

/// Rows of a run, at most `limit` of them. When they are full, every second one goes and from then on only every
/// second one of what comes is kept, and so on: what is there is an even sample, the same for the same run.
template <class T>
class Sampled {
 public:
  /// @param limit  at least 2.
  explicit Sampled(std::size_t limit = 250'000) : limit_(limit < 2 ? 2 : limit) {}

  /// @return its place now; none() if it was not kept. Places hold until the sample is thinned (thinned() changes).
  std::size_t add(T row) {
    if (seen_++ % stride_ != 0) return none();
    if (rows_.size() == limit_) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < rows_.size(); i += 2) rows_[kept++] = std::move(rows_[i]);
      rows_.resize(kept);
      stride_ *= 2;
      if ((seen_ - 1) % stride_ != 0) return none();
    }
    rows_.push_back(std::move(row));
    return rows_.size() - 1;
  }
  static constexpr std::size_t none() { return SIZE_MAX; }

  const std::vector<T>& rows() const { return rows_; }
  std::vector<T>& rows() { return rows_; }
  std::uint64_t seen() const { return seen_; }
  /// One row in this many is there.
  std::uint64_t stride() const { return stride_; }
  bool whole() const { return stride_ == 1; }
  /// For rows read back from a file.
  void set_seen(std::uint64_t seen, std::uint64_t stride) { seen_ = seen, stride_ = stride; }

 private:
  std::size_t limit_;
  std::uint64_t seen_ = 0, stride_ = 1;
  std::vector<T> rows_;
};

}  // namespace tutti::report
