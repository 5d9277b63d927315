// The closed forms of docs/algorithms.md, computed from the papers' formulas and nothing else, against what the
// schedules do: how many latencies lie one after the other, how many bytes, and what each rank sends.
#include <bit>

#include <gtest/gtest.h>

#include "plan/algorithm.h"
#include "plan/network.h"

namespace tutti::plan {
namespace {

using enum CollectiveKind;

struct Form {
  const char* name;
  CollectiveKind kind;
  bool any;                                                   ///< any number of ranks; else powers of two
  std::int64_t (*latencies)(std::int64_t p, std::int64_t l);  ///< l = ceil(log2 p)
  std::int64_t (*bytes)(std::int64_t p, std::int64_t l,
                        std::int64_t n);                                 ///< one after the other, on links of their own
  std::int64_t (*sent)(std::int64_t p, std::int64_t l, std::int64_t n);  ///< of all ranks together
};
using I = std::int64_t;

// n is a multiple of 4 and of p. A rank has a link to every other one. Chains carry four pieces, as without parameters.
const Form forms[] = {
    {"ring_all_reduce", all_reduce, true, [](I p, I) { return 2 * (p - 1); },
     [](I p, I, I n) { return 2 * (p - 1) * n / p; }, [](I p, I, I n) { return 2 * (p - 1) * n; }},
    {"recursive_doubling_all_reduce", all_reduce, false, [](I, I l) { return l; }, [](I, I l, I n) { return l * n; },
     [](I p, I l, I n) { return p * l * n; }},
    {"rabenseifner_all_reduce", all_reduce, false, [](I, I l) { return 2 * l; },
     [](I p, I, I n) { return 2 * (p - 1) * n / p; }, [](I p, I, I n) { return 2 * (p - 1) * n; }},
    {"one_shot_all_reduce", all_reduce, true, [](I, I) -> I { return 1; }, [](I, I, I n) { return n; },
     [](I p, I, I n) { return p * (p - 1) * n; }},
    {"two_shot_all_reduce", all_reduce, true, [](I, I) -> I { return 2; }, [](I p, I, I n) { return 2 * n / p; },
     [](I p, I, I n) { return 2 * (p - 1) * n; }},
    {"ring_all_gather", all_gather, true, [](I p, I) { return p - 1; }, [](I p, I, I n) { return (p - 1) * n / p; },
     [](I p, I, I n) { return (p - 1) * n; }},
    {"direct_all_gather", all_gather, true, [](I, I) -> I { return 1; }, [](I p, I, I n) { return n / p; },
     [](I p, I, I n) { return (p - 1) * n; }},
    {"ring_reduce_scatter", reduce_scatter, true, [](I p, I) { return p - 1; },
     [](I p, I, I n) { return (p - 1) * n / p; }, [](I p, I, I n) { return (p - 1) * n; }},
    {"direct_reduce_scatter", reduce_scatter, true, [](I, I) -> I { return 1; }, [](I p, I, I n) { return n / p; },
     [](I p, I, I n) { return (p - 1) * n; }},
    {"binomial_broadcast", broadcast, false, [](I, I l) { return l; }, [](I, I l, I n) { return l * n; },
     [](I p, I, I n) { return (p - 1) * n; }},
    {"chain_broadcast", broadcast, true, [](I p, I) { return p + 2; }, [](I p, I, I n) { return (p + 2) * n / 4; },
     [](I p, I, I n) { return (p - 1) * n; }},
    {"binomial_reduce", reduce, false, [](I, I l) { return l; }, [](I, I l, I n) { return l * n; },
     [](I p, I, I n) { return (p - 1) * n; }},
    {"chain_reduce", reduce, true, [](I p, I) { return p + 2; }, [](I p, I, I n) { return (p + 2) * n / 4; },
     [](I p, I, I n) { return (p - 1) * n; }},
    {"direct_gather", gather, true, [](I, I) -> I { return 1; }, [](I p, I, I n) { return n / p; },
     [](I p, I, I n) { return (p - 1) * n / p; }},
    {"direct_scatter", scatter, true, [](I, I) -> I { return 1; }, [](I p, I, I n) { return n / p; },
     [](I p, I, I n) { return (p - 1) * n / p; }},
    {"binomial_gather", gather, false, [](I, I l) { return l; }, [](I p, I, I n) { return (p - 1) * n / p; },
     [](I p, I l, I n) { return l * n / 2 + 0 * p; }},
    {"binomial_scatter", scatter, false, [](I, I l) { return l; }, [](I p, I, I n) { return (p - 1) * n / p; },
     [](I p, I l, I n) { return l * n / 2 + 0 * p; }},
    {"direct_all_to_all", all_to_all, true, [](I, I) -> I { return 1; }, [](I p, I, I n) { return n / p; },
     [](I p, I, I n) { return (p - 1) * n; }},
    {"pairwise_all_to_all", all_to_all, true, [](I p, I) { return p - 1; }, [](I p, I, I n) { return (p - 1) * n / p; },
     [](I p, I, I n) { return (p - 1) * n; }},
    {"bruck_all_to_all", all_to_all, false, [](I, I l) { return l; }, [](I, I l, I n) { return l * n / 2; },
     [](I p, I l, I n) { return p * l * n / 2; }},
    {"dissemination_barrier", barrier, true, [](I, I l) { return l; }, [](I, I, I) -> I { return 0; },
     [](I, I, I) -> I { return 0; }},
};

TEST(closed_form, every_algorithm_takes_the_latencies_and_bytes_of_its_formula) {
  const Network::Link like{0, 0, Time::us(1), Bandwidth::gb_per_s(1)};
  for (const Form& f : forms)
    for (const int p : {2, 3, 4, 6, 7, 8, 12, 16}) {
      if (!f.any && !std::has_single_bit(static_cast<unsigned>(p))) continue;
      const I l = std::bit_width(static_cast<unsigned>(p - 1)), n = 48 * p;
      const Schedule s = make_schedule(algorithm(f.name), {f.kind, p, f.kind == barrier ? 0 : n, 0, {}, {}});
      EXPECT_EQ(estimate(s, complete_network(p, like), Bytes(1)),
                Time::us(f.latencies(p, l)) + Time::ns(f.bytes(p, l, n)))
          << f.name << ' ' << p << " ranks";
      I sent = 0;
      for (const I one : traffic(s).sent) sent += one;
      EXPECT_EQ(sent, f.sent(p, l, n)) << f.name << ' ' << p << " ranks";
    }
}

TEST(closed_form, algorithms_that_balance_send_and_receive_the_same_from_every_rank) {
  for (const char* name :
       {"ring_all_reduce", "rabenseifner_all_reduce", "circulant_all_reduce", "two_shot_all_reduce"}) {
    const Traffic t = traffic(make_schedule(algorithm(name), {all_reduce, 8, 800, 0, {}, {}}));
    for (std::size_t r = 0; r < 8; ++r) {
      EXPECT_EQ(t.sent[r], 2 * 7 * 100) << name;
      EXPECT_EQ(t.received[r], 2 * 7 * 100) << name;
      EXPECT_EQ(t.reduced[r], 7 * 100) << name;
    }
  }
}

TEST(closed_form, circulant_schedules_move_no_more_than_the_bound_for_any_number_of_ranks) {
  for (const int p : {2, 3, 5, 8, 13}) {
    const auto sent = [p](const char* name, CollectiveKind kind) {
      I sum = 0;
      for (const I one : traffic(make_schedule(algorithm(name), {kind, p, 100 * p, 0, {}, {}})).sent) sum += one;
      return sum;
    };
    EXPECT_EQ(sent("circulant_all_gather", all_gather), (p - 1) * 100 * p);
    EXPECT_EQ(sent("circulant_reduce_scatter", reduce_scatter), (p - 1) * 100 * p);
    EXPECT_EQ(sent("circulant_all_reduce", all_reduce), 2 * (p - 1) * 100 * p);
  }
}

TEST(closed_form, trees_move_the_vector_twice_over_every_edge_however_it_is_cut) {
  for (const char* name :
       {"binary_tree_all_reduce", "double_binary_tree_all_reduce", "wafer_star_all_reduce", "wafer_chain_all_reduce",
        "wafer_tree_all_reduce", "wafer_two_phase_all_reduce", "wafer_auto_all_reduce"})
    for (const int p : {2, 3, 5, 8, 13}) {
      I sent = 0;
      for (const I one : traffic(make_schedule(algorithm(name), {all_reduce, p, 1000, 0, {}, {}})).sent) sent += one;
      EXPECT_EQ(sent, 2 * (p - 1) * 1000) << name << ' ' << p;
    }
}

}  // namespace
}  // namespace tutti::plan
