#include "ccl/lint.h"

#include <gtest/gtest.h>

namespace tutti::ccl {
namespace {

KernelArgs eight_numbers() {
  KernelArgs args;
  args.elements = 8;
  args.dtype = memory::DType::i32;
  return args;
}

std::string found(KernelFunction run, std::uint32_t n_slots = 2, const char* topology = "ring_1d") {
  CclConfig config;
  config.topology = topology;
  config.queue.n_slots = n_slots;
  config.queue.slot_size = Bytes(64);
  return lint({"mine", "ring_1d", run}, config, eight_numbers(), 4).value_or("nothing");
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

sim::Process<> sends_then_receives_five(Endpoint& tl, KernelArgs a) {
  for (int i = 0; i < 5; ++i) co_await tl.send(Port::E, a.tensor, Bytes(4));
  for (int i = 0; i < 5; ++i) co_await tl.recv_into(Port::W, a.tensor);
}
sim::Process<> goes_north(Endpoint& tl, KernelArgs a) { co_await tl.send(Port::N, a.tensor, Bytes(4)); }
sim::Process<> receives_once_too_often(Endpoint& tl, KernelArgs a) {
  co_await tl.send(Port::E, a.tensor, Bytes(4));
  co_await tl.recv_into(Port::W, a.tensor);
  co_await tl.recv_into(Port::W, a.tensor);
}
sim::Process<> receives_once_too_seldom(Endpoint& tl, KernelArgs a) {
  co_await tl.send(Port::E, a.tensor, Bytes(4));
  co_await tl.send(Port::E, a.tensor, Bytes(4));
  co_await tl.recv_into(Port::W, a.tensor);
}
sim::Process<> sends_more_than_a_slot(Endpoint& tl, KernelArgs a) { co_await tl.send(Port::E, a.tensor, Bytes(65)); }

TEST(Lint, more_sends_around_a_cycle_than_slots_names_the_smallest_n_slots_that_would_do) {
  const std::string text = found(sends_then_receives_five);
  EXPECT_TRUE(has(text, "rank 0 waits for a free slot of the peer at port E") && has(text, "lint_test.cpp:")) << text;
  EXPECT_TRUE(has(text, "n_slots 5 would do, not 2")) << text;
  EXPECT_EQ(found(sends_then_receives_five, 5), "nothing");
  EXPECT_TRUE(has(found(sends_then_receives_five, 4), "n_slots 5 would do, not 4"));
}

TEST(Lint, a_port_without_neighbour_and_a_message_larger_than_a_slot_are_found_with_their_line) {
  for (const auto& text : {found(goes_north), found(goes_north, 2, "tree_binary")})
    EXPECT_TRUE(has(text, "IpcqInvalidDirection") && has(text, "at N") && has(text, "lint_test.cpp:")) << text;
  EXPECT_TRUE(has(found(sends_more_than_a_slot), "65 bytes"));
}

TEST(Lint, receives_and_sends_that_do_not_match_in_number_are_found_and_more_slots_do_not_help) {
  const std::string text = found(receives_once_too_often);
  EXPECT_TRUE(has(text, "waits for data at port W") && has(text, "more slots do not help")) << text;
  EXPECT_TRUE(has(found(receives_once_too_seldom), "1 messages unread"));
}

TEST(Lint, finds_nothing_in_the_kernels_that_come_with_the_program) {
  for (const Kernel& k : kernels())
    for (const std::uint32_t slots : {1U, 8U})
      for (const int ranks : {1, 2, 4, 9}) {
        CclConfig config;
        config.queue.n_slots = slots;
        config.queue.slot_size = Bytes(64);
        KernelArgs args = eight_numbers();
        args.elements = 301;
        EXPECT_EQ(lint(k, config, args, k.topology == "mesh_2d" && ranks == 2 ? 4 : ranks).value_or("nothing"),
                  "nothing")
            << k.name << " on " << ranks << " ranks, " << slots << " slots";
      }
}

}  // namespace
}  // namespace tutti::ccl
