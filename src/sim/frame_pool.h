#pragma once
#include <cstddef>

namespace tutti::sim {

/// Memory of coroutine frames and of processes: free lists by size class, one set a thread. A block may be given back
/// on another thread than it was taken on. In sanitizer builds every block comes from the heap, so that a use after the
/// end is found.
namespace frames {
void* take(std::size_t bytes);
void give(void* block, std::size_t bytes) noexcept;
/// Blocks of this thread that are free for reuse.
std::size_t spare();
}  // namespace frames

}  // namespace tutti::sim
