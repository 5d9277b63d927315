// Halo exchange on a ring. A tensor has four quarters: ghost, inner, inner, ghost. Every rank sends its inner quarters to
// its neighbours, and puts theirs into its ghosts.
#include <ccl/helpers.h>
#include <ccl/kernel_library.h>

using namespace tutti;
using namespace tutti::ccl;

namespace {

sim::Process<> run(Endpoint& tl, KernelArgs a) {
  const auto quarters = chunked({0, a.elements}, 4);
  const auto address = [&](int i) { return address_of(a.tensor, quarters[static_cast<std::size_t>(i)].first, a.dtype); };
  co_await tl.send(Port::W, address(1), bytes_of(quarters[1], a.dtype));
  co_await tl.send(Port::E, address(2), bytes_of(quarters[2], a.dtype));
  co_await tl.recv_into(Port::W, address(0));
  co_await tl.recv_into(Port::E, address(3));
}

}  // namespace

TUTTI_KERNEL_LIBRARY({"halo", "ring_1d", run, "custom"})
