#include "host/runtime.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/error.h"
#include "host/reference.h"

namespace tutti::host {
namespace {

using memory::DType;

ccl::CclConfig config(const std::string& algorithm) {
  ConfigOverlay overlay;
  overlay.add("defaults.algorithm=" + algorithm);
  return ccl::read_ccl_config("", overlay);
}

/// One host program for every algorithm: only ccl.yaml differs.
Verification all_reduce(const ccl::CclConfig& ccl, int ranks, std::int64_t elements, DType t) {
  Runtime torch(fabric::profile("tiny"));
  torch.init_process_group("ahbm", ccl, ranks);
  const Tensor x = torch.empty({elements}, t);
  Buffers before, after;
  for (int r = 0; r < torch.world_size(); ++r) {
    before.push_back(random_elements(t, elements, 1, r));
    x.on(torch.pe_of(r));
  }
  Tensor y = x;
  for (int r = 0; r < torch.world_size(); ++r) y.write(torch.pe_of(r), before[static_cast<std::size_t>(r)]);
  torch.record();
  torch.run_algorithm(y).wait();
  for (int r = 0; r < torch.world_size(); ++r) after.push_back(y.read(torch.pe_of(r)));
  Verification v = verify_collective("all_reduce", t, memory::ReduceOp::sum, 0, before, after);
  if (const auto difference = torch.replay_difference()) v.mismatch = *difference;
  return v;
}

TEST(Runtime, one_host_program_runs_every_all_reduce_and_only_the_configuration_differs) {
  for (const char* algorithm : {"ring_allreduce", "ring_allreduce_unidir", "ring_allreduce_bidir", "tree_allreduce",
                                "mesh_allreduce", "mesh_allreduce_no_wrap"}) {
    const Verification v = all_reduce(config(algorithm), 16, 1000, DType::f16);
    EXPECT_FALSE(v.mismatch) << algorithm << ": " << *v.mismatch;
    EXPECT_EQ(v.elements, 16'000u);
    EXPECT_GT(v.max_abs_error, 0) << "f16 sums of random numbers round";
  }
}

TEST(Runtime, every_rank_count_and_type_gives_the_reference_result) {
  for (int ranks = 1; ranks <= 16; ++ranks)
    for (const DType t : {DType::f16, DType::bf16, DType::f32, DType::i8, DType::i32})
      for (const std::int64_t elements : {1, 257}) {
        const Verification v = all_reduce(config("ring_allreduce"), ranks, elements, t);
        EXPECT_FALSE(v.mismatch) << ranks << ' ' << elements << ' ' << *v.mismatch;
      }
}

TEST(Runtime, init_refuses_what_the_seed_calls_f4_with_its_place) {
  const auto failure = [](const std::string& yaml) {
    try {
      Runtime torch(fabric::profile("tiny"));
      torch.init_process_group("ahbm", ccl::parse_ccl_config(yaml, "ccl.yaml"));
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string("nothing");
  };
  const auto expect = [&](const std::string& yaml, const std::string& part) {
    const std::string text = failure(yaml);
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_NE(text.find("ccl.yaml:"), std::string::npos) << text;
  };
  expect("defaults: {n_slots: 8}", "algorithm is missing");
  expect("defaults:\n  algorithm: rign_allreduce", "did you mean 'ring_allreduce'");
  expect("defaults: {algorithm: mine}\nalgorithms: {mine: {module: not_there}}", "there is no kernel 'not_there'");
  expect("defaults: {algorithm: mine}\nalgorithms: {mine: {module: ring_allreduce, topology: rign_1d}}", "rign_1d");
  expect("defaults: {algorithm: mesh_allreduce, grid: [3, 5]}", "a grid of 3 x 5 does not hold 16 ranks");
  expect("defaults: {algorithm: ring_allreduce, n_slots: 1000, slot_size: 64 KiB}", "IpcqRegionOverflow");
  expect("defaults: {algorithm: ring_allreduce, slot_sise: 64}", "slot_sise");
  expect("defaults: {algorithm: ring_allreduce, slot_size: 4 KB/s}", "slot_size");
  expect("defaults: {algorithm: ring_allreduce, hw_strict: true, n_slots: 6}", "no power of two");
}

TEST(Runtime, more_ranks_than_pes_are_refused) {
  Runtime torch(fabric::profile("tiny"));
  EXPECT_THROW(torch.init_process_group("ahbm", config("ring_allreduce"), 17), ConfigError);
  EXPECT_THROW(torch.init_process_group("nccl", config("ring_allreduce")), ConfigError);
}

TEST(Runtime, data_gathers_what_each_policy_spread) {
  Runtime torch(fabric::profile("tiny"));
  constexpr std::int64_t rows = 10, columns = 7;
  std::vector<std::byte> data(rows * columns * 4);
  for (std::int64_t i = 0; i < rows * columns; ++i)
    memory::store_double(DType::i32, data.data(), i, static_cast<double>(i));
  for (const Split& cube : {Split::replicate(), Split::row_wise(), Split::column_wise(), Split::tiled(2, 2)})
    for (const Split& pe : {Split::replicate(), Split::row_wise(), Split::column_wise(), Split::tiled(4, 1)}) {
      const Tensor t = torch.tensor(data, {rows, columns}, DType::i32, {cube, pe, {}, {}});
      EXPECT_EQ(t.data(), data);
    }
  const Tensor few = torch.tensor(data, {rows, columns}, DType::i32, {Split::row_wise(), Split::row_wise(), 2, 3});
  EXPECT_EQ(few.shards().size(), 6u);
  EXPECT_EQ(few.elements(0), 2 * columns);  // 10 rows over 2 cubes, 5 over 3 PEs: 2, 2, 1
  EXPECT_EQ(few.elements(2), 1 * columns);
  EXPECT_EQ(few.data(), data);
  EXPECT_THROW(few.on(3), ModelError);
  EXPECT_THROW(torch.tensor(data, {rows, columns}, DType::i32, {Split::tiled(3, 1), {}, {}, {}}), ConfigError);
}

TEST(Runtime, replicas_that_differ_are_named) {
  Runtime torch(fabric::profile("tiny"));
  Tensor t = torch.zeros({4}, DType::i8);
  std::vector<std::byte> other(4);
  other[2] = std::byte{1};
  t.write(5, other);
  try {
    t.data();
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("element 2 on sip0.cube0.pe0 and on sip0.cube1.pe1"), std::string::npos)
        << e.what();
  }
}

sim::Process<> forgets_to_send(ccl::Endpoint& tl, ccl::KernelArgs a) {
  if (a.rank == 2) co_return;
  if (a.rank == 3) co_await tl.recv_into(ccl::Port::W, a.tensor);
}

TEST(Runtime, a_missing_send_ends_at_once_and_names_the_pe_the_port_its_pointers_and_the_peer_that_ended) {
  Runtime torch(fabric::profile("tiny"));
  torch.init_process_group("ahbm", config("ring_allreduce"), 4);
  const Tensor x = torch.zeros({4}, DType::f16);
  try {
    torch.launch("forgets", forgets_to_send, x).wait();
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::deadlock);
    for (const char* part :
         {"rank 3 (sip0.cube0.pe3)", "recv W", "runtime_test.cpp", "my_tail 0", "rank 2", "has ended"})
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << part << "\n" << e.what();
  }
}

sim::Process<> two_way_ring(ccl::Endpoint& tl, ccl::KernelArgs a) {
  co_await tl.send(ccl::Port::E, a.tensor, Bytes(4));
  co_await tl.send(ccl::Port::W, a.tensor + 4, Bytes(4));
  co_await tl.recv_into(ccl::Port::W, a.tensor + 8);
  co_await tl.recv_into(ccl::Port::E, a.tensor + 12);
}

TEST(Runtime, in_a_ring_of_two_both_directions_lead_to_one_peer_and_arrive_apart) {
  Runtime torch(fabric::profile("tiny"));
  torch.init_process_group("ahbm", config("ring_allreduce"), 2);
  Tensor x = torch.zeros({4}, DType::i32);
  for (int r = 0; r < 2; ++r) {
    std::vector<std::byte> bytes(16);
    memory::store_double(DType::i32, bytes.data(), 0, 10 + r);
    memory::store_double(DType::i32, bytes.data(), 1, 20 + r);
    x.write(r, bytes);
  }
  torch.record();
  torch.launch("both", two_way_ring, x).wait();
  for (int r = 0; r < 2; ++r) {
    EXPECT_EQ(memory::load_as_double(DType::i32, x.read(r).data(), 2), 10 + (1 - r));
    EXPECT_EQ(memory::load_as_double(DType::i32, x.read(r).data(), 3), 20 + (1 - r));
  }
  EXPECT_FALSE(torch.replay_difference());
}

sim::Process<> multiplies(ccl::Endpoint& tl, ccl::KernelArgs a) {
  const ccl::Gemm g{a.tensor, a.tensor + 32 * 32 * 2, a.tensor + 2 * 32 * 32 * 2, 32, 32, 32, DType::f16};
  const ccl::Pending p = tl.composite(g);
  co_await tl.wait(p);
}

TEST(Runtime, a_matrix_product_on_every_pe_is_replayed_to_the_same_bytes) {
  Runtime torch(fabric::profile("tiny"));
  torch.init_process_group("ahbm", config("ring_allreduce"), 4);
  Tensor x = torch.empty({3 * 32 * 32}, DType::f16);
  for (int r = 0; r < 16; ++r) {
    auto bytes = random_elements(DType::f16, 3 * 32 * 32, 3, r);
    std::fill(bytes.begin() + 2 * 32 * 32 * 2, bytes.end(), std::byte{});
    for (std::int64_t i = 0; i < 32; ++i)  // b is the unit matrix: c becomes a
      for (std::int64_t j = 0; j < 32; ++j)
        memory::store_double(DType::f16, bytes.data() + 32 * 32 * 2, i * 32 + j, i == j);
    x.write(r, bytes);
  }
  torch.record();
  torch.launch("gemm", multiplies, x).wait();
  EXPECT_FALSE(torch.replay_difference()) << *torch.replay_difference();
  for (int r = 0; r < 4; ++r) {
    const auto bytes = x.read(r);
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.begin() + 32 * 32 * 2, bytes.begin() + 2 * 32 * 32 * 2));
  }
}

}  // namespace
}  // namespace tutti::host
