#include "ccl/lint.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "ccl/mock_cluster.h"

namespace tutti::ccl {
namespace {

constexpr std::uint32_t most_slots = 1024;

struct Attempt {
  std::string fault;  ///< empty: none
  bool stuck = false;
};

Attempt attempt(const Kernel& kernel, const CclConfig& c, const KernelArgs& args, int ranks, std::uint32_t n_slots) {
  const MockCluster mock{ranks, n_slots, c.queue.slot_size, c.topology, c.queue.grid};
  const auto bytes = static_cast<std::size_t>(args.elements * memory::size_of(args.dtype));
  std::vector<std::vector<std::byte>> tensors(static_cast<std::size_t>(ranks), std::vector<std::byte>(bytes));
  try {
    mock.run(kernel, args, tensors);
  } catch (const DeadlockError& e) {
    return {e.what(), true};
  } catch (const Error& e) {
    return {e.what(), false};
  }
  return {};
}

}  // namespace

std::optional<std::string> lint(const Kernel& kernel, const CclConfig& config, KernelArgs args, int ranks) {
  const std::uint32_t n = config.queue.n_slots;
  const auto ends = [&](std::uint32_t slots) { return attempt(kernel, config, args, ranks, slots).fault.empty(); };
  Attempt found = attempt(kernel, config, args, ranks, n);
  if (found.fault.empty()) return std::nullopt;
  if (!found.stuck) return found.fault;
  std::uint32_t enough = n, too_few = n;
  do {
    too_few = enough, enough *= 2;
  } while (enough <= most_slots && !ends(enough));
  if (enough > most_slots) return found.fault + "\n  more slots do not help";
  while (enough - too_few > 1) {
    const std::uint32_t middle = too_few + (enough - too_few) / 2;
    (ends(middle) ? enough : too_few) = middle;
  }
  return fmt::format("{}\n  more messages are sent around a cycle than its slots hold: n_slots {} would do, not {}",
                     found.fault, enough, n);
}

}  // namespace tutti::ccl
