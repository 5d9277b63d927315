#include "ccl/mock_cluster.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace tutti::ccl {
namespace {

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

sim::Process<> talks_every_way(Endpoint& tl, KernelArgs a) {
  // Each rank sends 1, 2, 3 (times ten, plus its rank) to the next, and reads them through different calls.
  std::vector<Slot> kept;
  const Ticket first = tl.recv_async(Port::W), second = tl.recv_async(Port::W);
  for (int i = 0; i < 3; ++i) co_await tl.send(Port::E, a.tensor + static_cast<Address>(4 * i), Bytes(4));
  Slot two = co_await tl.wait(second);
  Slot one = co_await tl.wait(first);
  EXPECT_EQ(one.sequence(), 0u);
  EXPECT_EQ(two.sequence(), 1u);
  co_await tl.copy(a.tensor + 16, two.address(), two.size());
  co_await tl.copy(a.tensor + 12, one.address(), one.size());
  co_await tl.release(std::move(two));  // later than the first: no credit can go yet
  EXPECT_EQ(tl.n_slots(Port::E), 3u);
  co_await tl.release(std::move(one));
  const Bytes size = co_await tl.recv_into(Port::W, a.tensor + 20);
  EXPECT_EQ(size, Bytes(4));
  co_await tl.barrier();
  EXPECT_EQ(tl.credits(Port::E), 3u);
  EXPECT_FALSE(tl.probe(Port::W));
  Slot answer = co_await tl.send_recv(Port::W, a.tensor, Bytes(4), Port::E);
  co_await tl.copy(a.tensor + 24, answer.address(), answer.size());
  co_await tl.release(std::move(answer));
  co_await tl.send(Port::E, a.tensor, Bytes());
  co_await tl.send(Port::W, a.tensor, Bytes());
  const std::vector<Port> ports = {Port::E, Port::W};
  std::vector<Slot> both = co_await tl.recv_all(ports);
  EXPECT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].port(), Port::E);
  EXPECT_EQ(both[1].port(), Port::W);
}

TEST(MockCluster, every_way_to_receive_gives_the_messages_in_order) {
  const int ranks = 3;
  std::vector<std::vector<std::byte>> tensors(ranks, std::vector<std::byte>(28));
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < 3; ++i)
      memory::store_double(memory::DType::i32, tensors[static_cast<std::size_t>(r)].data(), i, 10 * (i + 1) + r);
  MockCluster{ranks, 3}.run({"test", "ring_1d", talks_every_way}, {}, tensors);
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < 4; ++i) {
      const int from = i < 3 ? (r + ranks - 1) % ranks : (r + 1) % ranks;
      EXPECT_EQ(memory::load_as_double(memory::DType::i32, tensors[static_cast<std::size_t>(r)].data(), 3 + i),
                10 * (i % 3 + 1) + from);
    }
}

sim::Process<> waits_twice(Endpoint& tl, KernelArgs) {
  const Ticket t = tl.recv_async(Port::W);
  co_await tl.send(Port::E, 0, Bytes());
  {
    Slot s = co_await tl.wait(t);
  }
  co_await tl.wait(t);
}
sim::Process<> any_with_ticket(Endpoint& tl, KernelArgs) {
  tl.recv_async(Port::W);
  co_await tl.recv_any();
}

TEST(MockCluster, a_ticket_is_waited_for_once_and_not_overtaken) {
  EXPECT_NE(failure(waits_twice).find("ticket 0 of port W, which was not given or has been waited for"),
            std::string::npos)
      << failure(waits_twice);
  EXPECT_NE(failure(any_with_ticket).find("ticket of port W is outstanding"), std::string::npos);
}

TEST(MockCluster, a_neighbors_hook_changes_who_is_behind_a_port) {
  Kernel skip{"test", "none", [](Endpoint& tl, KernelArgs a) -> sim::Process<> {
                co_await tl.send(Port::E, a.tensor, Bytes(4));
                co_await tl.recv_into(Port::W, a.tensor);
              }};
  skip.neighbors = [](int rank, int world_size, Neighbors& n) { n[index(Port::E)] = (rank + 2) % world_size; };
  std::vector<std::vector<std::byte>> tensors;
  for (int r = 0; r < 5; ++r) tensors.push_back(std::vector<std::byte>(4, static_cast<std::byte>(r)));
  MockCluster{5}.run(skip, {}, tensors);
  for (int r = 0; r < 5; ++r) EXPECT_EQ(tensors[static_cast<std::size_t>(r)][0], static_cast<std::byte>((r + 3) % 5));
}

TEST(MockCluster, multiplies_matrices) {
  const Kernel product{"test", "none", [](Endpoint& tl, KernelArgs a) -> sim::Process<> {
                         const Pending p =
                             tl.composite({a.tensor, a.tensor + 4, a.tensor + 8, 1, 1, 1, memory::DType::i32});
                         co_await tl.wait(p);
                       }};
  std::vector<std::vector<std::byte>> tensors(1, std::vector<std::byte>(12));
  memory::store_double(memory::DType::i32, tensors[0].data(), 0, 6);
  memory::store_double(memory::DType::i32, tensors[0].data(), 1, 7);
  MockCluster{1}.run(product, {}, tensors);
  EXPECT_EQ(memory::load_as_double(memory::DType::i32, tensors[0].data(), 2), 42);
}

}  // namespace
}  // namespace tutti::ccl
