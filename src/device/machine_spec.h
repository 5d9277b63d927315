#pragma once
#include <cstdint>

#include "base/units.h"
#include "device/ipcq/messages.h"
#include "device/ipcq/port_set.h"

namespace tutti::device {

/// Latencies and rates of the parts of a PE and of its cube's memories; every figure is the default of spec 3.1.
struct MachineSpec {
  struct Cpu {
    Time mmio = Time::ns(4);      ///< write of a command to a unit's registers
    Time dispatch = Time::ns(2);  ///< issue of an instruction
  } cpu;
  struct Scheduler {
    Time overhead = Time::ns(1);
  } scheduler;
  struct Ipcq {
    Time send = Time::ns(3), recv = Time::ns(2), meta = Time::ns(1), credit_gen = Time::ns(1);
  } ipcq;
  struct Math {
    Bandwidth bandwidth = Bandwidth::gb_per_s(512);
    std::int64_t ops_per_ns = 256;
    Time startup = Time::ns(8);
  } math;
  struct Gemm {
    std::int64_t tile_m = 32, tile_k = 64, tile_n = 32;
    std::int64_t macs_per_ns = 8192;
    Time startup = Time::ns(16);
  } gemm;
  struct Memory {
    Bytes size;
    Time read, write;  ///< latency of one access
  };
  Memory tcm{Bytes(16 << 20), Time::ns(5), Time::ns(4)};
  Bandwidth tcm_port = Bandwidth::gb_per_s(512);
  Bytes ipcq_base = Bytes(0xE00000), ipcq_bytes = Bytes(1 << 20);  ///< receive rings in each TCM
  Bytes scratch_base = Bytes(0xF00000);
  int tcm_banks = 16;               ///< equal parts of each TCM, by address
  bool tcm_bank_conflicts = false;  ///< accesses to one bank wait for each other
  struct Mmu {
    Bytes page = Bytes(4096);
    int tlb_entries = 32;
    Time tlb_hit = Time::ns(1), walk = Time::ns(40);
  } mmu;
  Memory sram{Bytes(32 << 20), Time::ns(20), Time::ns(12)};                ///< of a cube
  Memory hbm{Bytes(std::int64_t{48} << 30), Time::ns(100), Time::ns(60)};  ///< of a cube, a slice for each PE
};

/// How a credit goes back to the sender. Source: ADR-0023 D9, D18, D23; spec C21, 3.8.
enum class CreditMode : std::uint8_t {
  fast_path,  ///< wires without contention; latency of the path
  link,       ///< a channel with wires of its own: bandwidth and contention among credits
  vc_mux,     ///< a packet on vc_comm, or on a third channel before all data
  piggyback   ///< in the next message the other way; alone after a timeout, at low water, and at the kernel's end
};
enum class CreditWait : std::uint8_t { blocking, posted };
enum class CreditLatency : std::uint8_t { full_path, bottleneck_only };
enum class SlotRelease : std::uint8_t { scoped, at_recv };

/// How a message becomes known to its receiver: the IPCQ, or one of the ways that ADR-0023 D23 weighs against it.
enum class Protocol : std::uint8_t {
  ipcq,              ///< metadata in the data's first flit
  doorbell,          ///< a second write after a fence; the receiver polls
  message_queue,     ///< a descriptor on wires of its own
  completion_queue,  ///< an entry in the receiver's memory, written after the data
  credit_in_data     ///< ipcq with credit_mode piggyback
};

/// How the queues of one process group work; keys and defaults of ccl.yaml (ADR-0023 D11, spec 3.8).
struct IpcqConfig {
  Protocol protocol = Protocol::ipcq;
  BufferKind buffer_kind = BufferKind::tcm;
  Backpressure backpressure = Backpressure::sleep;
  Time poll_interval = Time::ns(10);
  std::uint32_t n_slots = 8;
  std::uint32_t slot_size = 4096;
  std::uint32_t credit_bytes = 16;
  CreditMode credit_mode = CreditMode::fast_path;
  Bandwidth credit_link_bandwidth = Bandwidth::gb_per_s(16);  ///< link
  bool credit_priority = false;                               ///< vc_mux: third channel, before data
  Time piggyback_timeout = Time::ns(100);
  double piggyback_low_water = 0.5;               ///< of n_slots released and not yet credited
  std::uint32_t piggyback_bytes = 8;              ///< that an acknowledgement adds to a message
  CreditWait credit_wait = CreditWait::blocking;  ///< piggyback never waits
  CreditLatency credit_latency = CreditLatency::full_path;
  SlotRelease slot_release = SlotRelease::scoped;
  Fairness fairness = Fairness::weak;
  bool live_deadlock = true;            ///< in the instant that closes it, not when nothing is scheduled any more
  Time deadlock_timeout = Time::max();  ///< longest that one call may wait; max: any time (ADR-0023 F3)
  bool hw_strict = false;               ///< refuse what the hardware notes cannot do (hw_strict.h)
  std::uint64_t first_sequence = 0;     ///< near 2^32 to exercise the wrap of wire numbers
};

}  // namespace tutti::device
