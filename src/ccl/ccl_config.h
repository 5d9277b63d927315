#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config.h"
#include "base/units.h"
#include "ccl/topologies.h"

namespace tutti::ccl {

enum class BufferKind : std::uint8_t { tcm, hbm, sram };
enum class Protocol : std::uint8_t { ipcq, doorbell, message_queue, completion_queue, credit_in_data };
enum class Backpressure : std::uint8_t { poll, sleep };
enum class CreditMode : std::uint8_t { fast_path, link, vc_mux, piggyback };
enum class CreditWait : std::uint8_t { blocking, posted };
enum class CreditLatency : std::uint8_t { full_path, bottleneck_only };
enum class SlotRelease : std::uint8_t { scoped, at_recv };
enum class Fairness : std::uint8_t { weak, strict };
enum class RankUnit : std::uint8_t { pe, cube, sip };
enum class InitTransport : std::uint8_t { sideband, fabric };

/// How queues work; the keys of `defaults` in ccl.yaml. Source: ADR-0023 D11, spec 3.8; meaning: defaults/ccl.yaml.
struct QueueSettings {
  Protocol protocol = Protocol::ipcq;
  BufferKind buffer_kind = BufferKind::tcm;
  Backpressure backpressure = Backpressure::sleep;
  Time poll_interval = Time::ns(10);
  std::uint32_t n_slots = 8;
  Bytes slot_size = Bytes(4096);
  Bytes vc_chunk = Bytes(256);
  std::int64_t vc_compute_weight = 1, vc_comm_weight = 1;
  bool vc_strict_partition = false;
  Bytes credit_size = Bytes(16);
  CreditMode credit_mode = CreditMode::fast_path;
  Bandwidth credit_link = Bandwidth::gb_per_s(16);  ///< of mode link
  bool credit_priority = false;                     ///< of mode vc_mux: before all data
  CreditWait credit_wait = CreditWait::blocking;
  CreditLatency credit_latency = CreditLatency::full_path;
  Time piggyback_timeout = Time::ns(100);
  double low_water = 0.5;
  SlotRelease slot_release = SlotRelease::scoped;
  Fairness fairness = Fairness::weak;
  RankUnit rank_unit = RankUnit::pe;
  std::optional<Grid> grid;
  bool quiescence = true, live_wait_graph = true;
  Time deadlock_timeout = Time::ms(10);
  InitTransport init_transport = InitTransport::sideband;
  bool hw_strict = false;
};

/// ccl.yaml as a process group uses it: the chosen algorithm with its settings.
struct CclConfig {
  std::string algorithm;
  std::string module;       ///< name of a kernel, of the program or of `library`; empty: its only one
  std::string module_text;  ///< as ccl.yaml has it, with its packages
  std::string library;      ///< name or path of a shared library; empty: none
  std::vector<std::pair<std::string, std::int64_t>> parameters;  ///< of a planned algorithm
  std::string topology;                                          ///< empty: the kernel's own
  QueueSettings queue;
  std::string algorithm_place, module_place;  ///< "ccl.yaml:7:14", for later messages
  std::string queue_place;
  std::vector<Setting> settings;  ///< what is in effect and where it came from

  /// An algorithm of the plan layer (plan/algorithms).
  bool is_plan() const { return module.starts_with("plan:"); }
  std::string plan() const { return module.substr(5); }
  bool is_library() const { return !library.empty(); }
};

/// Whether a module that is no kernel of this program is a fault, or one of another language's.
enum class Modules : std::uint8_t { own, any };

/// @param path     of a file; empty: the one that comes with the program.
/// @param overlay  assignments of the command line.
/// @throws ConfigError  every fault with its place: no defaults.algorithm, an algorithm, topology or module that does
/// not exist, unknown keys, values of a wrong type or out of range.
CclConfig read_ccl_config(const std::string& path, const ConfigOverlay& overlay = {}, Modules modules = Modules::own);
/// The same from text.
CclConfig parse_ccl_config(const std::string& text, const std::string& name, const ConfigOverlay& overlay = {});

}  // namespace tutti::ccl
