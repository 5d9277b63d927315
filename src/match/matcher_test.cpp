#include "match/matcher.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <tuple>

#include "base/error.h"

namespace tutti::match {
namespace {

constexpr Key key_a{0, 7, 0, 2};

std::vector<std::uint64_t> chain(Receive* r) {
  std::vector<std::uint64_t> nodes;
  for (; r; r = r->next) nodes.push_back(r->node);
  return nodes;
}
using Nodes = std::vector<std::uint64_t>;

Receive make(std::uint64_t bytes, std::uint64_t node) {
  Receive r;
  r.bytes = bytes;
  r.node = node;
  return r;
}

TEST(Matcher, TwoReceivesOfOneKeyEachCompleteInPostedOrder) {
  Matcher m(Policy::stream);
  Receive a = make(1 << 20, 1), b = make(2 << 20, 2);
  EXPECT_FALSE(m.post(key_a, a));
  EXPECT_FALSE(m.post(key_a, b));
  EXPECT_EQ(chain(m.arrive(key_a, 1 << 20)), Nodes{1});
  EXPECT_EQ(chain(m.arrive(key_a, 2 << 20)), Nodes{2});
  EXPECT_TRUE(m.empty());
}

TEST(Matcher, OneArrivalMayCompleteSeveralReceivesAndSeveralArrivalsOne) {
  Matcher m(Policy::stream);
  Receive a = make(10, 1), b = make(20, 2), c = make(5, 3);
  m.post(key_a, a);
  m.post(key_a, b);
  EXPECT_EQ(chain(m.arrive(key_a, 4)), Nodes{});
  EXPECT_EQ(a.missing, 6U);
  EXPECT_EQ(chain(m.arrive(key_a, 28)), (Nodes{1, 2}));  // 2 bytes stay
  EXPECT_FALSE(m.post(key_a, c));
  EXPECT_EQ(c.missing, 3U);
  EXPECT_EQ(chain(m.arrive(key_a, 3)), Nodes{3});
  EXPECT_TRUE(m.empty());
}

TEST(Matcher, ZeroByteReceivesWaitForThoseAheadAndElseCompleteAtOnce) {
  Matcher m(Policy::stream);
  Receive first = make(0, 1), big = make(8, 2), after = make(0, 3);
  EXPECT_TRUE(m.post(key_a, first));
  EXPECT_FALSE(m.post(key_a, big));
  EXPECT_FALSE(m.post(key_a, after));
  EXPECT_EQ(chain(m.arrive(key_a, 8)), (Nodes{2, 3}));
  EXPECT_TRUE(m.empty());
}

TEST(Matcher, KeysDoNotMix) {
  Matcher m(Policy::stream);
  Receive a = make(1, 1);
  m.post(key_a, a);
  for (const Key& other : {Key{1, 7, 0, 2}, Key{0, 8, 0, 2}, Key{0, 7, 1, 2}, Key{0, 7, 0, 3}, Key{0, 7, 2, 0}})
    EXPECT_EQ(m.arrive(other, 1), nullptr);
  EXPECT_EQ(chain(m.arrive(key_a, 1)), Nodes{1});
  EXPECT_EQ(m.leftovers().size(), 5U);
}

TEST(Matcher, SizesBeyond32BitsAreExact) {
  Matcher m(Policy::stream);
  Receive a = make(7011827712U, 1), b = make(std::uint64_t{1} << 62, 2);
  m.post(key_a, a);
  m.post(key_a, b);
  m.arrive(key_a, 7011827711U);
  EXPECT_EQ(a.missing, 1U);
  EXPECT_EQ(chain(m.arrive(key_a, 1 + (std::uint64_t{1} << 62))), (Nodes{1, 2}));
}

TEST(Matcher, UnusedBytesThatOverflowAreAnError) {
  Matcher m(Policy::stream);
  m.arrive(key_a, UINT64_MAX);
  EXPECT_THROW(m.arrive(key_a, 1), ModelError);
}

TEST(Matcher, PolicyMessagePairsOneWithOneAndKeepsBothNodesOfAMismatch) {
  Matcher m(Policy::message);
  Receive a = make(10, 1), b = make(5, 2);
  m.post(key_a, a);
  EXPECT_EQ(chain(m.arrive(key_a, 9, 77)), Nodes{1});
  EXPECT_EQ(m.arrive(key_a, 5, 78), nullptr);
  EXPECT_TRUE(m.post(key_a, b));
  ASSERT_EQ(m.mismatches().size(), 1U);
  const Mismatch& x = m.mismatches()[0];
  EXPECT_EQ(std::tuple(x.sent, x.expected, x.sender_node, x.receiver_node), std::tuple(9U, 10U, 77U, 1U));
}

TEST(Matcher, PolicyExactNeverPairsDifferentSizes) {
  Matcher m(Policy::exact);
  Receive a = make(10, 1);
  m.post(key_a, a);
  EXPECT_EQ(m.arrive(key_a, 9, 5), nullptr);
  const auto left = m.leftovers();
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(chain(m.arrive(key_a, 10)), Nodes{1});
}

TEST(Matcher, LeftoversNameNodesAndBytes) {
  Matcher m(Policy::stream);
  Receive a = make(10, 4);
  m.post(key_a, a);
  m.arrive(key_a, 3, 9);
  m.arrive({0, 1, 5, 1}, 6, 8);
  const auto left = m.leftovers();
  ASSERT_EQ(left.size(), 2U);
  EXPECT_EQ(std::tuple(left[0].kind, left[0].node, left[0].arrived), std::tuple(Leftover::Kind::bytes, 8U, 6U));
  EXPECT_EQ(std::tuple(left[1].kind, left[1].node, left[1].expected, left[1].arrived),
            std::tuple(Leftover::Kind::receive, 4U, 10U, 3U));
}

/// The rule, word for word and slowly.
class Oracle {
 public:
  explicit Oracle(Policy p) : policy_(p) {}
  Nodes post(const Key& k, std::uint64_t bytes, std::uint64_t node) {
    posted_[name(k, bytes)].push_back({bytes, node});
    return settle(name(k, bytes));
  }
  Nodes arrive(const Key& k, std::uint64_t bytes) {
    auto& q = messages_[name(k, bytes)];
    if (policy_ == Policy::stream && !q.empty())
      q.back() += bytes;
    else
      q.push_back(bytes);
    return settle(name(k, bytes));
  }

 private:
  using Name = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>;
  Name name(const Key& k, std::uint64_t bytes) const {
    return {k.space, k.tag, k.source, k.destination, policy_ == Policy::exact ? bytes : 0};
  }
  Nodes settle(const Name& n) {
    Nodes done;
    auto& receives = posted_[n];
    auto& messages = messages_[n];
    while (!receives.empty()) {
      if (policy_ == Policy::stream) {
        const std::uint64_t there = messages.empty() ? 0 : messages.front();
        if (there < receives.front().first) break;
        if (!messages.empty()) messages.front() -= receives.front().first;
      } else {
        if (messages.empty()) break;
        messages.pop_front();
      }
      done.push_back(receives.front().second);
      receives.pop_front();
    }
    return done;
  }
  Policy policy_;
  std::map<Name, std::deque<std::pair<std::uint64_t, std::uint64_t>>> posted_;
  std::map<Name, std::deque<std::uint64_t>> messages_;
};

TEST(Matcher, AgreesWithTheRuleOnRandomTraffic) {
  for (const Policy policy : {Policy::stream, Policy::message, Policy::exact}) {
    for (unsigned seed = 0; seed < 60; ++seed) {
      std::mt19937 random(seed);
      const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
      Matcher m(policy);
      Oracle oracle(policy);
      std::deque<Receive> receives;
      for (int i = 0; i < 3000; ++i) {
        const Key k{below(2), below(1 + seed % 4), below(1 + seed % 7), below(1 + seed % 3)};
        const std::uint64_t bytes = std::uint64_t{below(4)} << (below(3) == 0 ? 40 : 0);
        if (below(2) == 0) {
          receives.push_back(make(bytes, static_cast<std::uint64_t>(i)));
          const bool done = m.post(k, receives.back());
          ASSERT_EQ(done ? Nodes{static_cast<std::uint64_t>(i)} : Nodes{},
                    oracle.post(k, bytes, static_cast<std::uint64_t>(i)))
              << i;
        } else {
          ASSERT_EQ(chain(m.arrive(k, bytes)), oracle.arrive(k, bytes)) << i;
        }
      }
    }
  }
}

TEST(Matcher, a_message_of_no_bytes_counts_where_the_key_says_so) {
  Matcher m(Policy::stream);
  Receive plain, whole;
  EXPECT_TRUE(m.post({0, 1, 0, 1}, plain));
  const Key key{Key::whole, 1, 0, 1};
  EXPECT_FALSE(m.post(key, whole));
  EXPECT_EQ(m.arrive(key, 0), &whole);
  EXPECT_EQ(m.arrive(key, 0), nullptr);
  EXPECT_FALSE(m.empty());
  EXPECT_TRUE(m.post(key, whole));
  EXPECT_TRUE(m.empty());
}

}  // namespace
}  // namespace tutti::match
