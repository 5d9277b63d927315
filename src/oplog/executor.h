#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "memory/store.h"
#include "oplog/log.h"

namespace tutti::oplog {

/// Where a replay differs from the run that it repeats.
struct Difference {
  OpId op = no_op;   ///< first operation that found other bytes; no_op if only the final memory differs
  std::string what;  ///< one line: the operation, or the memory and the address
};

/// An empty image: sparse bytes at every physical address.
memory::Space empty_image();

/// Does the operations of `log` again, without time, on `image`: the bytes from before the first of them.
/// The order is another one than that of the run: rank after rank, each as far as its causes allow. Bytes of a send are
/// taken when its rank gets there and appear in the slot at the receive. So a kernel whose result depends on time
/// differs, as does a run that moved bytes it did not log.
/// @return the first difference: at a receive against its recorded hash.
/// @throws ModelError  an operation reads bytes that nothing wrote.
std::optional<Difference> replay(const Log& log, memory::Space& image);

/// First address at which the run's memory differs from what the image holds after the replay.
/// @param read  reads the run's memory at a physical address.
std::optional<Difference> compare(const memory::Space& image,
                                  const std::function<void(std::uint64_t, std::span<std::byte>)>& read);

}  // namespace tutti::oplog
