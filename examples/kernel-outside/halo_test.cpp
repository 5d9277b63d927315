// The kernel on the mock: rank r holds r in every element, so its ghosts become its neighbours' numbers.
#include <ccl/kernel_library.h>
#include <ccl/mock_cluster.h>

#include <cstdio>
#include <cstring>

using namespace tutti;

extern "C" void tutti_kernels(ccl::KernelList*);

int main() {
  constexpr int ranks = 5, elements = 16;
  std::vector<std::vector<std::byte>> tensors;
  for (int r = 0; r < ranks; ++r) {
    const std::vector<std::int32_t> values(elements, r);
    tensors.emplace_back(elements * sizeof(std::int32_t));
    std::memcpy(tensors.back().data(), values.data(), tensors.back().size());
  }
  ccl::KernelList list{};
  tutti_kernels(&list);
  ccl::KernelArgs args;
  args.elements = elements;
  args.dtype = memory::DType::i32;
  ccl::MockCluster{ranks}.run(list.first[0], args, tensors);
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < elements; ++i) {
      std::int32_t got;
      std::memcpy(&got, tensors[static_cast<std::size_t>(r)].data() + 4 * i, 4);
      const int west = (r + ranks - 1) % ranks, east = (r + 1) % ranks;
      const int expected = i < 4 ? west : i < 12 ? r : east;
      if (got != expected) return std::printf("rank %d element %d: %d instead of %d\n", r, i, got, expected), 1;
    }
}
