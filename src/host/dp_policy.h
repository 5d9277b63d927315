#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tutti::host {

/// How one axis of a machine divides a tensor: everybody all of it, blocks of rows, blocks of columns, or a grid of
/// tiles. Blocks are contiguous and balanced: the first ones get one more.
struct Split {
  enum class Kind : std::uint8_t { replicate, row_wise, column_wise, tiled };
  Kind kind = Kind::replicate;
  int tile_rows = 1, tile_columns = 1;  ///< tiled: into so many by so many
  static Split replicate() { return {}; }
  static Split row_wise() { return {Kind::row_wise}; }
  static Split column_wise() { return {Kind::column_wise}; }
  static Split tiled(int rows, int columns) { return {Kind::tiled, rows, columns}; }
};

/// Where the shards of a tensor lie: `cube` divides it over the cubes of a SIP, `pe` divides each cube's part over its
/// PEs. Source: spec 3.6.
struct DPPolicy {
  Split cube, pe;
  std::optional<int> num_cubes, num_pes;  ///< use only the first ones
};

/// A block of a matrix; a tensor of one dimension has one column.
struct Block {
  std::int64_t row = 0, column = 0, rows = 0, columns = 0;
  bool operator==(const Block&) const = default;
};

/// The part of `whole` that place `index` of `places` holds.
/// @throws ConfigError  tiled into another number of tiles than there are places.
Block split(const Block& whole, const Split& how, int places, int index);

/// The block of each PE of one SIP, by cube and PE; none where the policy uses neither.
/// @throws ConfigError  more cubes or PEs than there are; as split.
std::vector<std::optional<Block>> place(const Block& whole, const DPPolicy& policy, int cubes, int pes);

}  // namespace tutti::host
