// docs/field-cases.md names a test for every reported fault, and every test that it names exists.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::set<std::string> tests_of_the_tree() {
  std::set<std::string> found;
  static const std::regex test(R"(TEST(?:_F|_P)?\((\w+),\s+(\w+)\))");
  for (const char* root : {"src", "tests"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(TUTTI_SOURCE_DIR) / root)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with("_test.py")) found.insert(name);
      if (!name.ends_with("_test.cpp")) continue;
      const std::string text = text_of(entry.path());
      for (std::sregex_iterator i(text.begin(), text.end(), test), end; i != end; ++i) found.insert((*i)[1].str() + "." + (*i)[2].str());
    }
  return found;
}

TEST(FieldCasesPage, EveryCaseHasARowWhoseTestsExist) {
  const std::string page = text_of(std::filesystem::path(TUTTI_SOURCE_DIR) / "docs/field-cases.md");
  const std::set<std::string> known = tests_of_the_tree();
  static const std::regex row(R"(\| ([ABCE]\d+) \|[^|]*\| ([^|\n]*) \|)"), name(R"(`([\w.]+)`)");
  std::set<std::string> seen;
  int not_shown = 0;
  for (std::sregex_iterator i(page.begin(), page.end(), row), end; i != end; ++i) {
    const std::string id = (*i)[1].str(), shown = (*i)[2].str();
    EXPECT_TRUE(seen.insert(id).second) << id << " stands twice";
    if (shown.starts_with("not shown")) {
      ++not_shown;
      continue;
    }
    int named = 0;
    for (std::sregex_iterator t(shown.begin(), shown.end(), name); t != end; ++t, ++named) EXPECT_TRUE(known.contains((*t)[1].str())) << id << " names " << (*t)[1].str();
    EXPECT_GT(named, 0) << id << " names no test";
  }
  const std::set<std::string> all = {"A1",  "A2",  "A3",  "A5",  "A6",  "A8",  "A9",  "A10", "A11", "A12", "B1",  "B2", "B3", "B5", "B6", "B7",  "B8",  "B9",  "B10", "B11", "B12", "B14", "B15", "B16", "B17", "B18",
                                     "B19", "B21", "B22", "B24", "B25", "B26", "C1",  "C3",  "C4",  "C5",  "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C13", "C14", "E1",  "E3",  "E4",  "E5",  "E6"};
  EXPECT_EQ(seen, all);
  EXPECT_NE(page.find("Cases not shown: " + std::to_string(not_shown) + "."), std::string::npos) << not_shown;
}

}  // namespace
