#pragma once
#include <cstdint>
#include <vector>

#include "workload/check_log.h"

namespace tutti::workload {

/// Sends and receives of a whole set, grouped by (tag, source, destination). Sends of a key come from one rank, and so
/// do its receives; both stand in the order of DependencyGraph::communication().
class MessageKeys {
 public:
  struct Message {
    std::uint32_t node = 0;  ///< index in the trace of its rank
    std::uint64_t bytes = 0;
  };
  struct Key {
    std::int64_t tag = 0;
    std::uint32_t source = 0, destination = 0;
    std::uint64_t first_send = 0, sends = 0, first_receive = 0, receives = 0;  ///< into messages()
  };

  /// @param order  of each rank: DependencyGraph::communication(). Messages that name no valid peer are left out.
  MessageKeys(const std::vector<Trace>& traces, const std::vector<std::vector<std::uint32_t>>& order);

  const std::vector<Key>& keys() const { return keys_; }
  const std::vector<Message>& messages() const { return messages_; }
  /// Key of the i-th send or receive of `rank` in its order; UINT32_MAX for those left out.
  std::uint32_t key_of(std::uint32_t rank, std::size_t i) const { return of_[first_of_[rank] + i]; }

 private:
  std::vector<Key> keys_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> of_;
  std::vector<std::size_t> first_of_;
};

/// Sends without a receive, receives without a send, and sizes that differ, with the nearest miss.
/// @param one_to_one  one send pairs with one receive; otherwise the bytes of a key are a stream.
void check_matching(const std::vector<Trace>& traces, const MessageKeys& keys, bool one_to_one, CheckLog& log);

}  // namespace tutti::workload
