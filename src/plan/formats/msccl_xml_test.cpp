#include "plan/formats/msccl_xml.h"

#include <cstdio>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.h"
#include "plan/samples.h"
#include "plan/verify.h"

namespace tutti::plan {
namespace {

TEST(msccl_xml, what_was_exported_is_proven_again_and_moves_the_same) {
  Random random(21);
  const std::string path = testing::TempDir() + "tutti_export.xml";
  int files = 0;
  for (const Algorithm& a : algorithms())
    for (const int ranks : {2, 4, 6}) {
      Collective c = sample_collective(a.kind, ranks, 2 * ranks, random);
      c.root = 0;
      const auto s = sample_schedule(a, c, {});
      if (!s) continue;
      std::string xml;
      try {
        xml = write_msccl_xml(*s);
      } catch (const ConfigError&) {
        continue;
      }
      ++files;
      std::ofstream(path) << xml;
      const Schedule back = read_msccl_xml(path);
      const Proof proof = verify(back);
      EXPECT_TRUE(proof.holds) << a.name << ' ' << ranks << ": " << proof.counter_example;
      EXPECT_EQ(traffic(back).sent, traffic(*s).sent) << a.name;
      EXPECT_EQ(traffic(back).messages, traffic(*s).messages) << a.name;
    }
  EXPECT_GE(files, 60);
  std::remove(path.c_str());
}

TEST(msccl_xml, what_msccl_has_no_words_for_is_refused) {
  const auto fault = [](const char* algorithm, Collective c) {
    try {
      write_msccl_xml(make_schedule(plan::algorithm(algorithm), c));
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(fault("dissemination_barrier", {CollectiveKind::barrier, 4, 0, 0, {}, {}}), "error: MSCCL has no barrier");
  EXPECT_EQ(fault("binomial_broadcast", {CollectiveKind::broadcast, 4, 4, 1, {}, {}}),
            "error: an MSCCL broadcast begins at rank 0");
}

}  // namespace
}  // namespace tutti::plan
