// Tree barrier: empty messages rise to the root when a subtree is complete; then they come down again.
#include "ccl/kernels/tree_walk.h"

namespace tutti::ccl {
namespace {

sim::Process<> signal(Endpoint& tl, Port port) { return tl.send(port, 0, Bytes()); }
sim::Process<> await_signal(Endpoint& tl, Port port) {
  Slot slot = co_await tl.recv(port);
  co_await tl.release(std::move(slot));
}

sim::Process<> run(Endpoint& tl, KernelArgs) {
  const auto children = tree_children(tl);
  for (const Port child : children) co_await await_signal(tl, child);
  if (tl.has(Port::parent)) {
    co_await signal(tl, Port::parent);
    co_await await_signal(tl, Port::parent);
  }
  for (const Port child : children) co_await signal(tl, child);
}

}  // namespace

Kernel barrier_kernel() { return {"barrier", "tree_binary", run, "barrier"}; }

}  // namespace tutti::ccl
