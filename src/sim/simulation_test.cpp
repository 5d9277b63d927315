#include "sim/simulation.h"

#include <gtest/gtest.h>

#include <string>

namespace tutti::sim {
namespace {

struct Note : Event {
  Note(std::string& l, char n)
      : Event([](Event& e) {
          auto& s = static_cast<Note&>(e);
          s.log->push_back(s.name);
        }),
        log(&l),
        name(n) {}
  std::string* log;
  char name;
};

struct Chain : Event {
  Chain(Simulation& s, Note& n)
      : Event([](Event& e) {
          auto& c = static_cast<Chain&>(e);
          c.sim->at(c.sim->now(), *c.next);
        }),
        sim(&s),
        next(&n) {}
  Simulation* sim;
  Note* next;
};

TEST(Simulation, EventsLeaveInOrderOfTimeAndTiesInOrderOfScheduling) {
  Simulation sim;
  std::string log;
  Note a(log, 'a'), b(log, 'b'), c(log, 'c');
  sim.at(Time::ns(2), a);
  sim.at(Time::ns(1), b);
  sim.at(Time::ns(2), c);
  sim.run();
  EXPECT_EQ(log, "bac");
  EXPECT_EQ(sim.now(), Time::ns(2));
  EXPECT_EQ(sim.events(), 3u);
}

TEST(Simulation, LateEventsWaitForAllNormalEventsOfTheirInstant) {
  Simulation sim;
  std::string log;
  Note late(log, 'L'), last(log, 'n'), next(log, 'x');
  Chain chain(sim, last);
  sim.late(late);
  sim.at(Time(), chain);
  sim.at(Time::ps(1), next);
  sim.run();
  EXPECT_EQ(log, "nLx");
}

TEST(Simulation, RunBeforeLeavesLaterEventsPending) {
  Simulation sim;
  std::string log;
  Note a(log, 'a'), b(log, 'b');
  sim.at(Time::ns(1), a);
  sim.at(Time::ns(2), b);
  sim.run_before(Time::ns(2));
  EXPECT_EQ(log, "a");
  EXPECT_FALSE(sim.idle());
}

}  // namespace
}  // namespace tutti::sim
