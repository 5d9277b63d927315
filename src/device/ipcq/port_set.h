#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "device/ipcq/queue_pair.h"

namespace tutti::device {

enum class Fairness : std::uint8_t { weak, strict };

/// The queue pairs of one PE, by port. Source: ADR-0023 D4, D17; matching by address, so that two ports may lead to one
/// peer.
class IpcqPortSet {
 public:
  /// @param path    of the PE, for messages.
  /// @param region  bytes that the receive rings of all ports may take together.
  /// @throws IpcqRegionOverflow, ModelError  rings too large; a port installed twice; rings that overlap.
  IpcqPortSet(std::string path, const IpcqInitMsg& init, Bytes region, std::uint64_t start = 0);

  /// @throws IpcqInvalidDirection  no neighbour there.
  IpcqQueuePair& at(Direction d);
  /// The port whose ring holds `dst_addr`. @throws ViolationError  none does.
  IpcqQueuePair& ring_of(std::uint64_t dst_addr);
  /// The port whose peer ring begins at the credit's address. @throws ViolationError  none does.
  IpcqQueuePair& sender_of(const IpcqCreditMetadata& credit);
  /// The port that the next recv() without direction takes, or none. Weak: the first with data after the port served
  /// last. Strict: among those with data, the one served least.
  /// Only ports that `eligible` accepts take part.
  std::optional<Direction> next_any(Fairness fairness, const std::function<bool(Direction)>& eligible = {});
  /// @throws IpcqLeak  some slot is unread or unreleased; lists all ports.
  void check_no_leak() const;

 private:
  std::string path_;
  std::vector<std::optional<IpcqQueuePair>> ports_;  ///< by port, as far as installed
  std::vector<std::uint64_t> served_;
  std::size_t last_polled_dir_ = 0;
};

}  // namespace tutti::device
