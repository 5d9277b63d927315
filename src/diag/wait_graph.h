#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "base/units.h"
#include "sim/simulation.h"

namespace tutti::diag {

/// One thing that a process waits for.
struct WaitEdge {
  std::string what;                    ///< "a free slot"
  std::string on;                      ///< "rank 2", "sip0.cube1.pe3.ipcq"; may be empty
  std::string state;                   ///< "my_head 9, peer_tail_cache 1"; may be empty
  std::string place;                   ///< "ring.cpp:31", the line that waits
  std::vector<std::size_t> suppliers;  ///< indices of processes that can end it and are blocked themselves
  std::vector<std::string> ended;      ///< processes that could have ended it, and have ended
  bool open = false;                   ///< something under way, a process that runs, or somebody unknown can end it
};

/// A blocked process.
struct BlockedProcess {
  std::string name;
  Time since;
  bool needs_all = false;  ///< waits for all of its edges (AND), not for any of them (OR)
  bool dead = false;       ///< can never go on
  std::vector<WaitEdge> waits;
};

/// Who waits for whom at one moment: the blocked processes in order of time since they wait, then name. An edge that
/// several processes can end waits for any of them; a process waits for all or for any of its edges.
struct WaitGraph {
  Time when;
  bool ended = false;  ///< nothing is scheduled any more: every blocked process is dead
  std::vector<BlockedProcess> processes;
  std::vector<std::size_t>
      cycle;  ///< of dead processes, each waits for the next and the last for the first; may be empty
  std::vector<std::string> components;  ///< "path: name value, ...", of the components that dead processes wait on

  /// @param ended  nothing is scheduled any more
  static WaitGraph of(const sim::Timeline& t, bool ended);

  /// The first that waits for a process that has ended, if any: {process, edge}, else {npos, npos}.
  struct Missing {
    std::size_t process, edge;
  };
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  Missing missing_partner() const;

  /// In words: the cycle or the missing partner, every dead process with what it waits for and where, the state of the
  /// components on the way.
  std::string text() const;
  /// For Graphviz (dot): dead processes red, AND waits in one box, processes that have ended dashed.
  std::string dot() const;

  /// Of the JSON contract: `waits` and `cycle`.
  struct Wait {
    std::string who, what, on, place;
    Time since;
  };
  std::vector<Wait> waits() const;
  std::vector<std::string> cycle_names() const;
};

}  // namespace tutti::diag
