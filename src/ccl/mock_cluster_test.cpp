#include "ccl/mock_cluster.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tutti::ccl {
namespace {

/// Small integers: their sums are exact in every type for the rank counts here, so the result is known without a
/// tolerance.
int value(int rank, std::int64_t i) { return static_cast<int>((static_cast<std::int64_t>(rank) * 5 + i * 3) % 7) - 3; }

void all_reduce(const char* name, int ranks, std::int64_t elements, memory::DType t, std::uint32_t n_slots,
                std::int64_t slot) {
  const auto bytes = static_cast<std::size_t>(elements * memory::size_of(t));
  std::vector<std::vector<std::byte>> tensors(static_cast<std::size_t>(ranks), std::vector<std::byte>(bytes));
  for (int r = 0; r < ranks; ++r)
    for (std::int64_t i = 0; i < elements; ++i)
      memory::store_double(t, tensors[static_cast<std::size_t>(r)].data(), i, value(r, i));
  KernelArgs args;
  args.elements = elements;
  args.dtype = t;
  MockCluster{ranks, n_slots, Bytes(slot)}.run(kernel(name), args, tensors);
  for (std::int64_t i = 0; i < elements; ++i) {
    int sum = 0;
    for (int r = 0; r < ranks; ++r) sum += value(r, i);
    for (int r = 0; r < ranks; ++r)
      ASSERT_EQ(memory::load_as_double(t, tensors[static_cast<std::size_t>(r)].data(), i), sum)
          << name << ' ' << ranks << " ranks " << elements << " elements rank " << r;
  }
}

TEST(RingAllReduce, sums_for_every_rank_count_and_element_count_and_type) {
  for (int ranks = 1; ranks <= 17; ++ranks)
    for (const std::int64_t elements : {0, 1, 2, 7, 16, 17, 100, 4099})
      for (const auto t :
           {memory::DType::f16, memory::DType::bf16, memory::DType::f32, memory::DType::i8, memory::DType::i32})
        all_reduce("ring_allreduce", ranks, elements, t, 8, 64);
}

TEST(RingAllReduce, one_slot_is_enough_and_many_ranks_too) {
  all_reduce("ring_allreduce", 5, 1000, memory::DType::f32, 1, 16);
  all_reduce("ring_allreduce", 64, 4099, memory::DType::i32, 2, 64);
  all_reduce("ring_allreduce", 128, 1024, memory::DType::i32, 8, 4096);
}

sim::Process<> forgets_to_send(Endpoint& tl, KernelArgs a) {
  if (a.rank == 1) co_return;
  if (a.rank == 2) co_await tl.recv(Port::W);
}
sim::Process<> sends_without_receive(Endpoint& tl, KernelArgs a) {
  if (a.rank == 0) co_await tl.send(Port::E, a.tensor, Bytes(2));
}
sim::Process<> wrong_port(Endpoint& tl, KernelArgs a) { co_await tl.send(Port::N, a.tensor, Bytes(2)); }
sim::Process<> too_large(Endpoint& tl, KernelArgs a) { co_await tl.send(Port::E, a.tensor, Bytes(5000)); }

std::string failure(KernelFunction f) {
  std::vector<std::vector<std::byte>> tensors(3, std::vector<std::byte>(8192));
  try {
    MockCluster{3}.run({"test", "ring_1d", f}, {}, tensors);
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing";
}

TEST(MockCluster, a_missing_send_names_the_waiting_rank_the_line_and_the_peer_that_ended) {
  const std::string text = failure(forgets_to_send);
  for (const char* part :
       {"rank 2 waits for data at port W", "mock_cluster_test.cpp:", "from rank 1, which has ended", "my_tail 0"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(MockCluster, misuse_is_refused_with_its_place) {
  EXPECT_NE(failure(sends_without_receive).find("1 messages unread"), std::string::npos);
  EXPECT_NE(failure(wrong_port).find("rank 0 has no neighbour at N"), std::string::npos);
  EXPECT_NE(failure(too_large).find("a slot holds 4096"), std::string::npos);
}

}  // namespace
}  // namespace tutti::ccl
