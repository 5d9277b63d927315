#include "base/registry.h"

#include <gtest/gtest.h>

namespace tutti {
namespace {

struct Plugin {
  std::string_view name;
  int value;
};
struct Named {
  virtual ~Named() = default;
  virtual std::string_view name() const { return "n"; }
};

TEST(Registry, KeepsTheOrderOfItsList) {
  const Registry<Plugin> registry("kernel", {{"b", 1}, {"a", 2}});
  EXPECT_EQ(registry.names(), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(registry.at("a").value, 2);
  EXPECT_EQ(registry.find("c"), nullptr);
}

TEST(Registry, AnUnknownNameSaysWhatIsKnown) {
  const Registry<Plugin> registry("kernel", {{"ring", 1}, {"tree", 2}});
  try {
    registry.at("rnig");
    FAIL();
  } catch (const ConfigError& e) {
    EXPECT_STREQ(e.what(), "error: unknown kernel 'rnig'; did you mean 'ring'? known: ring, tree");
  }
}

TEST(Registry, TwoOfOneNameAreAnError) {
  EXPECT_THROW(Registry<Plugin>("kernel", {{"a", 1}, {"a", 2}}), InternalError);
}

TEST(Registry, HoldsPointersToThingsWithAName) {
  const Named one;
  EXPECT_EQ(Registry<const Named*>("thing", {&one}).at("n"), &one);
}

}  // namespace
}  // namespace tutti
