// Every kernel on the mock: any rank count, any element count, every type, few and many slots.
#include <gtest/gtest.h>

#include "ccl/helpers.h"
#include "ccl/mock_cluster.h"

namespace tutti::ccl {
namespace {

using memory::DType;
constexpr DType all_types[] = {DType::f16, DType::bf16, DType::f32, DType::i8, DType::i32};

/// Small integers: sums of up to 128 of them stay exact in bf16 (8 bits) because they cancel to at most 3 a block of 7.
int value(int rank, std::int64_t i) { return static_cast<int>((static_cast<std::int64_t>(rank) * 5 + i * 3) % 7) - 3; }
int sum(int ranks, std::int64_t i) {
  int s = 0;
  for (int r = 0; r < ranks; ++r) s += value(r, i);
  return s;
}

struct Case {
  const char* kernel;
  int ranks;
  std::int64_t elements;
  DType t = DType::i32;
  std::uint32_t n_slots = 8;
  std::int64_t slot = 64;
  const char* topology = "";
  std::optional<Grid> grid = {};
};

std::vector<std::vector<std::byte>> run(const Case& c, int root = 0) {
  const auto bytes = static_cast<std::size_t>(c.elements * memory::size_of(c.t));
  std::vector<std::vector<std::byte>> tensors(static_cast<std::size_t>(c.ranks), std::vector<std::byte>(bytes));
  for (int r = 0; r < c.ranks; ++r)
    for (std::int64_t i = 0; i < c.elements; ++i)
      memory::store_double(c.t, tensors[static_cast<std::size_t>(r)].data(), i, value(r, i));
  KernelArgs args;
  args.elements = c.elements;
  args.dtype = c.t;
  args.root = root;
  MockCluster{c.ranks, c.n_slots, Bytes(c.slot), c.topology, c.grid}.run(kernel(c.kernel), args, tensors);
  return tensors;
}

/// `expected(rank, i)` must be the elements `at(rank)` of the result.
template <class At, class Expected>
void check(const Case& c, At at, Expected expected, int root = 0) {
  SCOPED_TRACE(std::string(c.kernel) + ' ' + c.topology + ' ' + std::to_string(c.ranks) + " ranks " +
               std::to_string(c.elements) + " elements " + std::string(to_string(c.t)));
  const auto tensors = run(c, root);
  for (int r = 0; r < c.ranks; ++r) {
    const Piece p = at(r);
    for (std::int64_t i = p.first; i < p.first + p.elements; ++i)
      ASSERT_EQ(memory::load_as_double(c.t, tensors[static_cast<std::size_t>(r)].data(), i), expected(r, i))
          << "rank " << r << " element " << i;
  }
}

void check_all_reduce(const Case& c) {
  check(c, [&](int) { return Piece{0, c.elements}; }, [&](int, std::int64_t i) { return sum(c.ranks, i); });
}
void check_all_gather(const Case& c) {
  check(
      c, [&](int) { return Piece{0, c.elements}; },
      [&](int, std::int64_t i) {
        int owner = 0;
        while (i >= c.elements * (owner + 1) / c.ranks) ++owner;
        return value(owner, i);
      });
}
void check_reduce_scatter(const Case& c) {
  check(
      c, [&](int r) { return part({0, c.elements}, c.ranks, r); },
      [&](int, std::int64_t i) { return sum(c.ranks, i); });
}
void check_broadcast(const Case& c, int root) {
  check(c, [&](int) { return Piece{0, c.elements}; }, [&](int, std::int64_t i) { return value(root, i); }, root);
}
void check_all_to_all(const Case& c) {
  check(
      c, [&](int r) { return Piece{0, part({0, c.elements}, c.ranks, r).elements * c.ranks}; },
      [&](int r, std::int64_t i) {
        const Piece own = part({0, c.elements}, c.ranks, r);
        return value(static_cast<int>(i / own.elements), own.first + i % own.elements);
      });
}

constexpr std::int64_t counts[] = {0, 1, 2, 7, 16, 17, 100, 4099};

TEST(Kernels, all_reduce_sums_for_every_rank_count_element_count_and_type) {
  for (int ranks = 1; ranks <= 17; ++ranks)
    for (const std::int64_t elements : counts)
      for (const DType t : all_types) {
        if (elements > 4000 && ranks % 5 != 0) continue;
        for (const char* name : {"ring_allreduce", "ring_allreduce_bidir", "tree_allreduce"})
          check_all_reduce({name, ranks, elements, t});
        check_all_reduce({"ring_allreduce", ranks, elements, t, 8, 64, "ring_1d_unidir"});
      }
}

TEST(Kernels, all_reduce_sums_on_every_grid_with_and_without_wrap) {
  for (int rows = 1; rows <= 5; ++rows)
    for (int columns = 1; columns <= 5; ++columns)
      for (const char* topology : {"mesh_2d", "torus_2d", "mesh_2d_no_wrap"})
        for (const std::int64_t elements : {1, 16, 100, 1003})
          check_all_reduce(
              {"mesh_allreduce", rows * columns, elements, DType::i32, 4, 32, topology, Grid{rows, columns}});
  for (const DType t : all_types) check_all_reduce({"mesh_allreduce", 16, 4099, t});
}

TEST(Kernels, the_other_collectives_deliver_what_they_promise) {
  for (int ranks = 1; ranks <= 17; ++ranks)
    for (const std::int64_t elements : counts)
      for (const DType t : all_types) {
        if (elements > 4000 && ranks % 7 != 0) continue;
        check_all_gather({"all_gather", ranks, elements, t});
        check_reduce_scatter({"reduce_scatter", ranks, elements, t});
        check_broadcast({"broadcast", ranks, elements, t}, elements % 2 == 0 ? 0 : ranks - 1);
        if (elements < 4000 || t == DType::i8) check_all_to_all({"all_to_all", ranks, elements, t});
      }
}

TEST(Kernels, one_slot_is_enough_and_so_is_one_element_a_slot) {
  for (const char* name : {"ring_allreduce", "ring_allreduce_bidir", "tree_allreduce"}) {
    check_all_reduce({name, 5, 300, DType::i32, 1, 16});
    check_all_reduce({name, 6, 40, DType::i32, 1, 4});
    check_all_reduce({name, 6, 40, DType::i32, 3, 4});
  }
  check_all_reduce({"mesh_allreduce", 9, 100, DType::i32, 1, 4});
  check_all_reduce({"mesh_allreduce", 12, 100, DType::i32, 1, 4, "mesh_2d_no_wrap", Grid{3, 4}});
  for (const std::uint32_t slots : {1u, 2u, 3u}) {
    check_all_to_all({"all_to_all", 5, 300, DType::i32, slots, 16});
    check_all_to_all({"all_to_all", 7, 40, DType::i32, slots, 4});
    check_broadcast({"broadcast", 5, 300, DType::i32, slots, 16}, 2);
  }
}

TEST(Kernels, many_ranks) {
  for (const int ranks : {64, 128})
    for (const char* name : {"ring_allreduce", "ring_allreduce_bidir", "tree_allreduce"})
      check_all_reduce({name, ranks, 1003, DType::i32, 8, 4096});
  check_all_to_all({"all_to_all", 64, 100, DType::i32, 8, 4096});
  check_all_reduce({"mesh_allreduce", 64, 4099});
}

sim::Process<> counts_before_and_after(Endpoint& tl, KernelArgs a) {
  static int entered;
  if (a.rank == 0) entered = 0;
  co_await tl.barrier();
  ++entered;
  const Kernel barrier = kernel("barrier");
  co_await barrier.run(tl, a);
  if (entered != a.world_size) co_await tl.send(Port::spare, 0, Bytes());  // refused: fails the run
}

TEST(Kernels, no_rank_leaves_the_barrier_before_all_have_entered) {
  for (const int ranks : {1, 2, 3, 7, 16, 100}) {
    std::vector<std::vector<std::byte>> none(static_cast<std::size_t>(ranks));
    MockCluster{ranks}.run({"test", "tree_binary", counts_before_and_after}, {}, none);
  }
}

}  // namespace
}  // namespace tutti::ccl
