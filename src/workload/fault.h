#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tutti::workload {

/// One fault of an input. Every part that is known is filled; `rule` is a short stable name ("dangling-dependency").
struct Fault {
  bool error = true;  ///< false: a warning, which does not stop a run
  std::string rule;
  std::string file;
  std::optional<std::uint64_t> offset;  ///< bytes from the start of the (inflated) file
  std::optional<std::uint64_t> node;    ///< node id
  std::string name;                     ///< node name
  std::string message;
  std::string hint;

  /// "file: at byte 12: error: node 7 'x': message [rule] (hint)".
  std::string text() const;
};

/// A bounded list of faults, with a count of those that did not fit.
class Faults {
 public:
  explicit Faults(std::size_t limit = 1000) : limit_(limit) {}

  void add(Fault fault);
  /// Appends the faults of `other` and its counts.
  void add(const Faults& other);

  /// True once further faults are only counted; callers may then skip the making of texts and call count_only().
  bool full() const { return list_.size() >= limit_; }
  void count_only(bool error) { ++(error ? errors_ : warnings_); }

  const std::vector<Fault>& list() const { return list_; }
  std::uint64_t errors() const { return errors_; }
  std::uint64_t warnings() const { return warnings_; }
  bool ok() const { return errors_ == 0; }
  /// Number of faults that are counted but not listed.
  std::uint64_t unlisted() const { return errors_ + warnings_ - list_.size(); }
  /// Every listed fault on a line, then "... and N more".
  std::string text() const;

 private:
  std::size_t limit_;
  std::vector<Fault> list_;
  std::uint64_t errors_ = 0;
  std::uint64_t warnings_ = 0;
};

}  // namespace tutti::workload
