// One send and one receive in every buffer kind, credit mode and distance: the closed form of docs/device.md, by
// numbers of the default topology, equal to the picosecond.
#include <gtest/gtest.h>

#include "device/test_exchange.h"

namespace tutti::device {
namespace {

using namespace exchange_test;

struct Distance {
  const char* name;
  std::int32_t peer;
  const PathNumbers* path;
  Time to_sram;  ///< overheads and wires from the receiver's DMA to the SRAM of its cube, at router (1,0)
};
const Distance distances[] = {{"in a cube", 1, &in_cube, Time::ns(4 + 3 * 2) + Time::ps(600)},
                              {"cube to cube", 4, &cube_to_cube, Time::ns(4 + 2 * 2) + Time::ps(300)},
                              {"SIP to SIP", 16, &sip_to_sip, Time::ns(4 + 2 * 2) + Time::ps(300)}};

Time second_leg(BufferKind kind, const Distance& d, std::uint64_t bytes) {
  const Bandwidth router = Bandwidth::gb_per_s(128);
  switch (kind) {
    case BufferKind::hbm:
      return PathNumbers{Time::ns(4 + 2), router}(bytes) + Time::ns(60);
    case BufferKind::sram:
      return PathNumbers{d.to_sram, router}(bytes) + Time::ns(12);
    default:
      return Time::ns(4);
  }
}

struct Credit {
  const char* name;
  IpcqConfig config;
  Time (*wait)(const PathNumbers&);
};
IpcqConfig credit(CreditMode mode, bool priority = false, CreditLatency latency = CreditLatency::full_path,
                  CreditWait wait = CreditWait::blocking) {
  IpcqConfig c;
  c.credit_mode = mode, c.credit_priority = priority, c.credit_latency = latency, c.credit_wait = wait;
  return c;
}
Time whole_path(const PathNumbers& p) { return Time::ns(1) + p(16); }
Time nothing(const PathNumbers&) { return Time(); }
const Credit credits[] = {
    {"fast_path", credit(CreditMode::fast_path), whole_path},
    {"bottleneck_only", credit(CreditMode::fast_path, false, CreditLatency::bottleneck_only),
     [](const PathNumbers& p) { return Time::ns(1) + serialization_time(Bytes(16), p.narrowest); }},
    {"link", credit(CreditMode::link), [](const PathNumbers& p) { return Time::ns(1) + p.head + Time::ns(1); }},
    {"vc_mux", credit(CreditMode::vc_mux), whole_path},
    {"vc_mux with priority", credit(CreditMode::vc_mux, true), whole_path},
    {"piggyback", credit(CreditMode::piggyback), nothing},
    {"posted", credit(CreditMode::fast_path, false, CreditLatency::full_path, CreditWait::posted), nothing}};

TEST(Exactness, one_send_and_receive_in_every_buffer_kind_credit_mode_and_distance_equals_its_closed_form) {
  int cases = 0;
  for (const Distance& d : distances)
    for (const BufferKind kind : {BufferKind::tcm, BufferKind::hbm, BufferKind::sram})
      for (const Credit& credit : credits)
        for (const std::uint64_t bytes : {0u, 1u, 64u, 255u, 4096u}) {
          IpcqConfig c = credit.config;
          c.buffer_kind = kind;
          TestMachine m(two_sips(), {}, fabric_spec({}, c));
          const Times t = exchange(m, 0, d.peer, bytes, c);
          const Time visible = Time::ns(2 + 4 + 3) + (*d.path)(bytes) + second_leg(kind, d, bytes) + Time::ns(1);
          EXPECT_EQ(t.received, visible + Time::ns(2)) << d.name << ", " << credit.name << ", " << bytes;
          EXPECT_EQ(t.released, t.received + credit.wait(*d.path)) << d.name << ", " << credit.name << ", " << bytes;
          EXPECT_EQ(t.data, TestMachine::pattern(bytes, 1));
          ++cases;
        }
  EXPECT_EQ(cases, 3 * 3 * 7 * 5);
}

}  // namespace
}  // namespace tutti::device
