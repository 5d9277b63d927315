#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "device/environment.h"
#include "device/statistics.h"
#include "sim/channel.h"
#include "sim/resource.h"

namespace tutti::device {

/// c (m x n) = a (m x k) x b (k x n), plus what c held if `accumulate`; contiguous, row by row.
struct GemmCall {
  Address a = 0, b = 0, c = 0;
  std::int64_t m = 0, n = 0, k = 0;
  memory::DType dtype = memory::DType::f16;
  bool accumulate = false;
};

/// Part of a tile's way through DMA: bytes 0 means that nothing moves.
struct TilePiece {
  Address address = 0;
  std::uint64_t bytes = 0;
};

/// One tile on its way: DMA in (vc_compute), fetch from TCM, engine, store to TCM, DMA out.
struct TileToken {
  std::array<TilePiece, 2> in{};
  std::uint64_t fetch_bytes = 0;
  Time compute;
  std::uint64_t store_bytes = 0;  ///< 0: the result stays in the engine for the next tile
  TilePiece out;
};

/// Tiles of a matrix product on the engine's tile shape; operands in `dma_in` memories come by DMA.
std::vector<TileToken> gemm_tiles(const MachineSpec::Gemm& engine, const GemmCall& call, bool a_here, bool b_here,
                                  bool c_here);

/// PE_SCHEDULER with the engines behind it: FETCH_STORE, GEMM, MATH. Each engine works on one tile at a time; tiles of
/// one operation pass through the stages as in a pipeline, `depth` tiles between two stages. Source: ADR-0023 D1, D8;
/// spec 3.7.
class Scheduler {
 public:
  Scheduler(Environment& env, fabric::NodeId node, const std::string& name) : env_(env), node_(node), name_(name) {}

  enum class Engine : std::uint8_t { gemm, math };
  /// Starts an operation; `finish` runs when its last tile is out. @return its number.
  std::uint64_t start(Engine engine, std::vector<TileToken> tiles, std::function<void()> finish);
  /// @throws ModelError  never started, or waited for twice.
  sim::Process<> wait(std::uint64_t number, Where where);
  /// Number of the operation that starts next.
  std::uint64_t next() const { return operations_.size(); }
  std::size_t running() const { return running_; }
  sim::Resource& math() { return math_; }

  Time gemm_busy, math_busy;

 private:
  struct Operation;
  static sim::Process<> bring(Scheduler& s, std::shared_ptr<Operation> op);
  static sim::Process<> compute(Scheduler& s, std::shared_ptr<Operation> op);
  static sim::Process<> deliver(Scheduler& s, std::shared_ptr<Operation> op);

  static constexpr std::size_t depth = 2;
  Environment& env_;
  fabric::NodeId node_;
  const std::string& name_;
  sim::Resource fetch_{1, "the fetch unit"}, gemm_{1, "the GEMM unit"}, math_{1, "the MATH unit"},
      store_{1, "the store unit"};
  std::vector<std::shared_ptr<Operation>> operations_;
  std::size_t running_ = 0;
};

}  // namespace tutti::device
