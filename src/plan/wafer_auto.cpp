// The tree generator of Luczynski et al., HPDC 2024: among all trees of a row whose subtrees are runs of PEs, the least
// energy for each depth and contention; of these the one with the least time.
#include <algorithm>
#include <limits>

#include "plan/wafer.h"

namespace tutti::plan {
namespace {

/// Least energy of p PEs whose root, the first, receives at most c messages, all others at most `contention`, at depth
/// d. A root that receives: PEs [0, i) are what it had before its last message, [i, p) send that message over i links.
class Table {
 public:
  Table(int pes, int depth, int contention)
      : pes_(pes),
        depth_(depth),
        contention_(contention),
        energy_(static_cast<std::size_t>((pes + 1) * (depth + 1) * (contention + 1)), infinite),
        split_(energy_.size(), 0) {
    for (int d = 0; d <= depth; ++d)
      for (int c = 0; c <= contention; ++c) energy_[at(1, d, c)] = 0;
    for (int d = 1; d <= depth; ++d)
      for (int c = 1; c <= contention; ++c)
        for (int p = 2; p <= pes; ++p)
          for (int i = 1; i < p; ++i) {
            const std::int64_t before = energy_[at(i, d, c - 1)], last = energy_[at(p - i, d - 1, contention)];
            if (before == infinite || last == infinite || before + last + i >= energy_[at(p, d, c)]) continue;
            energy_[at(p, d, c)] = before + last + i;
            split_[at(p, d, c)] = i;
          }
  }
  static constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max() / 4;
  std::int64_t energy(int d) const { return energy_[at(pes_, d, contention_)]; }
  ReduceTree tree(int d) const {
    ReduceTree t{std::vector<int>(static_cast<std::size_t>(pes_), -1),
                 std::vector<std::vector<int>>(static_cast<std::size_t>(pes_))};
    grow(t, 0, pes_, d, contention_);
    return t;
  }

 private:
  std::size_t at(int p, int d, int c) const {
    return static_cast<std::size_t>((p * (depth_ + 1) + d) * (contention_ + 1) + c);
  }
  void grow(ReduceTree& t, int root, int p, int d, int c) const {
    if (p == 1) return;
    const int i = split_[at(p, d, c)];
    grow(t, root, i, d, c - 1);
    grow(t, root + i, p - i, d - 1, contention_);
    t.parent[static_cast<std::size_t>(root + i)] = root;
    t.children[static_cast<std::size_t>(root)].push_back(root + i);
  }
  int pes_, depth_, contention_;
  std::vector<std::int64_t> energy_;
  std::vector<int> split_;
};

}  // namespace

ReduceTree wafer_auto(int pes, std::int64_t words, int ramp) {
  ReduceTree best = wafer_chain(pes);
  if (pes == 1) return best;
  double least = wafer_cycles(shape(best), pes, words, ramp);
  const auto offer = [&](ReduceTree t) {
    if (const double cycles = wafer_cycles(shape(t), pes, words, ramp); cycles < least)
      least = cycles, best = std::move(t);
  };
  offer(wafer_star(pes));
  offer(wafer_tree(pes));
  offer(wafer_two_phase(pes));
  const int depth = pes <= 128 ? pes - 1 : 48;
  const int contention = std::min(pes - 1, 10);  // a root that receives more gains less than it waits
  for (int c = 1; c <= contention; ++c) {
    const Table table(pes, depth, c);
    int chosen = 0;
    for (int d = 1; d <= depth; ++d) {
      if (table.energy(d) == Table::infinite) continue;
      const double cycles = wafer_cycles({table.energy(d), c, d}, pes, words, ramp);
      if (cycles < least) least = cycles, chosen = d;
    }
    if (chosen > 0) best = table.tree(chosen);
  }
  return best;
}

}  // namespace tutti::plan
