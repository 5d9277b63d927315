#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/pool.h"

namespace tutti::match {

/// What must agree for a send and a receive to meet (docs/matching.md).
struct Key {
  std::uint64_t space = 0;  ///< group, sequence and phase of a collective; 0 for the trace's own sends and receives
  std::uint64_t tag = 0;
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  bool operator==(const Key&) const = default;

  /// In `space`: arrivals of such a key are messages of their own, whatever the policy, so that one of no bytes counts.
  static constexpr std::uint64_t whole = std::uint64_t{1} << 62;
};

/// How bytes and receives of one key meet. In each, order is the order of posting and of arrival.
enum class Policy : std::uint8_t {
  stream,   ///< a byte stream: arrivals fill the receives in posted order, whatever their sizes
  message,  ///< one arrival completes one receive; a difference in size is kept as a Mismatch
  exact     ///< as message, and only equal sizes meet (ASTRA-sim's analytical networks)
};

/// A posted receive. The owner keeps it alive until it is complete.
struct Receive {
  std::uint64_t bytes = 0;
  std::uint64_t missing = 0;  ///< of them not yet arrived
  std::uint64_t node = 0;     ///< the owner's, for reports
  Receive* next = nullptr;    ///< the matcher's while posted; the chain of arrive()'s result after
};

/// A message and a receive of different sizes that policy `message` paired.
struct Mismatch {
  Key key;
  std::uint64_t sent = 0, expected = 0;
  std::uint64_t sender_node = 0, receiver_node = 0;
};

/// Something left over at the end.
struct Leftover {
  enum class Kind : std::uint8_t { receive, bytes, message } kind = Kind::receive;
  Key key;
  std::uint64_t node = 0;      ///< of the receive, or of the sender of the message
  std::uint64_t expected = 0;  ///< bytes of the receive
  std::uint64_t arrived = 0;   ///< bytes of it that came, or that are left
};

/// Pairs arrivals with posted receives, first in first out for each key. Costs a probe of a hash table each; nothing is
/// kept of a key whose receives and bytes are all used up.
class Matcher {
 public:
  explicit Matcher(Policy policy);
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;

  Policy policy() const { return policy_; }

  /// Posts `receive` (bytes set). What came before it and is unused fills it first.
  /// @return true if it is complete at once; then the matcher holds no reference to it.
  bool post(const Key& key, Receive& receive);

  /// `bytes` of `key` have arrived. @return the receives that are now complete, in posted order, linked by `next`.
  /// @throws ModelError  more than 2^64 unused bytes of one key.
  Receive* arrive(const Key& key, std::uint64_t bytes, std::uint64_t sender_node = 0);

  const std::vector<Mismatch>& mismatches() const { return mismatches_; }
  /// Everything still posted or unused, ordered by (destination, source, space, tag) and then by age.
  std::vector<Leftover> leftovers() const;
  bool empty() const { return used_ == 0; }

 private:
  bool streams(const Key& key) const { return policy_ == Policy::stream && !(key.space & Key::whole); }

  struct Early {  // a message before its receive
    std::uint64_t bytes, node;
    Early* next;
  };
  enum class Kind : std::uint8_t { free, receives, messages, bytes };
  struct alignas(64) Slot {
    Key key;
    std::uint64_t size = 0;  ///< policy exact: part of the key
    union {
      Receive* first_receive = nullptr;
      Early* first_early;
      std::uint64_t bytes;  ///< unused, kind bytes
    };
    union {
      Receive* last_receive = nullptr;
      Early* last_early;
      std::uint64_t node;  ///< the last sender of `bytes`
    };
    Kind kind = Kind::free;
  };

  std::size_t home(const Key& key, std::uint64_t size) const;
  Slot& slot(const Key& key, std::uint64_t size);
  void erase(Slot& slot);
  void grow();
  void append(Slot& slot, Receive& receive);
  bool use_early(Slot& slot, Receive& receive);
  void keep_early(Slot& slot, std::uint64_t bytes, std::uint64_t node);
  void pair(const Key& key, std::uint64_t sent, std::uint64_t node, const Receive& receive);
  Receive* fill_one(Slot& slot, std::uint64_t bytes, std::uint64_t node);
  Receive* fill_stream(Slot& slot, std::uint64_t bytes, std::uint64_t node);

  Policy policy_;
  std::vector<Slot> table_;
  std::size_t mask_ = 0, used_ = 0;
  Pool<Early> early_;
  std::vector<Mismatch> mismatches_;
};

}  // namespace tutti::match
