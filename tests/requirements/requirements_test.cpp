#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::set<std::string> tests_of_the_tree() {
  std::set<std::string> found;
  static const std::regex test(R"(TEST(?:_F|_P)?\((\w+),\s+(\w+)\))");
  for (const char* root : {"src", "tests"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(TUTTI_SOURCE_DIR) / root)) {
      if (!entry.path().string().ends_with("_test.cpp")) continue;
      const std::string text = text_of(entry.path());
      for (std::sregex_iterator i(text.begin(), text.end(), test), end; i != end; ++i)
        found.insert((*i)[1].str() + "." + (*i)[2].str());
    }
  return found;
}

TEST(Requirements, every_number_has_a_row_whose_tests_exist) {
  const std::string page = text_of(std::filesystem::path(TUTTI_SOURCE_DIR) / "docs/requirements.md");
  const std::set<std::string> known = tests_of_the_tree();
  static const std::regex row(R"(\| R(\d+) \|[^|]*\|[^|]*\| ([^|\n]*) \|)"), name(R"(`(\w+\.\w+)`)");
  std::set<int> seen;
  int not_shown = 0;
  for (std::sregex_iterator i(page.begin(), page.end(), row), end; i != end; ++i) {
    const std::string number = (*i)[1].str(), shown = (*i)[2].str();
    EXPECT_TRUE(seen.insert(std::stoi(number)).second) << "R" << number << " stands twice";
    if (shown == "not shown") {
      ++not_shown;
      continue;
    }
    int named = 0;
    for (std::sregex_iterator t(shown.begin(), shown.end(), name); t != end; ++t, ++named)
      EXPECT_TRUE(known.contains((*t)[1].str())) << "R" << number << " names " << (*t)[1].str();
    EXPECT_GT(named, 0) << "R" << number << " names no test";
  }
  for (int r = 1; r <= 169; ++r) EXPECT_TRUE(seen.contains(r)) << "R" << r << " has no row";
  EXPECT_NE(page.find("Rows not shown: " + std::to_string(not_shown) + "."), std::string::npos) << not_shown;
}

}  // namespace
