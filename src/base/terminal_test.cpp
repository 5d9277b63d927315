#include "base/terminal.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/error.h"

namespace tutti {
namespace {

std::string written(std::FILE* file) {
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  return text.substr(0, std::fread(text.data(), 1, text.size(), file));
}

TEST(Terminal, AFileIsNoTerminal) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  EXPECT_FALSE(is_terminal(file.get()));
  EXPECT_EQ(Paint(file.get()).red("x"), "x");
}

TEST(Paint, StressesWhatAMessageIsAbout) {
  const std::string text = "a.yaml:1:2: error: bad\n    1 | ab\n      |  ^";
  EXPECT_EQ(Paint(false).message(text), text);
  EXPECT_EQ(Paint(true).message(text),
            "\x1b[1ma.yaml:1:2: \x1b[0m\x1b[1;31merror:\x1b[0m bad\n    1 | ab\n      |  \x1b[32m^\x1b[0m");
}

TEST(Table, AlignsWordsLeftAndNumbersRight) {
  Table table({"name", ">ns", "note"});
  table.add({"ring", "12.5", "x"});
  table.add({"b\xc3\xa4um", "7"});
  table.add({Paint(true).red("a"), "100", "y"});
  EXPECT_EQ(table.text(1),
            " name    ns  note\n"
            " ring  12.5  x\n"
            " b\xc3\xa4um     7\n"
            " \x1b[1;31ma\x1b[0m      100  y\n");
}

TEST(Table, WithoutHeadingsHasNoHeadingLine) {
  Table table({"", ""});
  table.add({"a", "b"});
  EXPECT_EQ(table.text(), "a  b\n");
}

TEST(Progress, SaysNothingToAFileUnlessAsked) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  Progress progress(file.get(), ProgressMode::automatic);
  EXPECT_FALSE(progress.active());
  progress.update([] { return std::string("no"); });
  progress.finish();
  EXPECT_EQ(written(file.get()), "");
  EXPECT_TRUE(Progress(file.get(), ProgressMode::on).active());
}

TEST(Progress, ModesAreNamed) {
  EXPECT_EQ(progress_mode("off"), ProgressMode::off);
  EXPECT_THROW(progress_mode("of"), ConfigError);
}

}  // namespace
}  // namespace tutti
