#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "workload/compute_model.h"

namespace tutti::app {

/// How an option looks in help, completion and the manual page.
struct OptionText {
  std::string help;
  std::string value = "VALUE";            ///< what its value is called; FILE and DIR are completed to files
  std::vector<std::string> choices = {};  ///< if any: only these are accepted
};

/// One line of a command's table of options, as text.
struct OptionRow {
  std::vector<std::string> names;  ///< first name and aliases; of a positional argument: its name
  OptionText text;
  std::string fallback;  ///< its value if it is not given, as text; may be empty
  std::string group;
  bool flag = false, repeats = false, positional = false, required = false;
};

/// The options of a command. Reads "--name value", "--name=value", flags ("--name", "--name=true") and positional
/// words. Every name must be declared; a name that is unknown, given twice or without its value is a fault with the
/// nearest known name. Values are bound to variables, whose content at the declaration is the default.
class Options {
 public:
  /// Heading of the options that follow.
  void group(std::string_view heading) { group_ = heading; }

  /// @param names  first name and aliases.
  void value(std::vector<std::string_view> names, std::string& out, OptionText text = {});
  void value(std::vector<std::string_view> names, std::uint64_t& out, std::uint64_t low, std::uint64_t high,
             OptionText text = {});
  void value(std::vector<std::string_view> names, double& out, OptionText text = {});
  /// With a unit ("64 KiB"); a bare number is bytes.
  void value(std::vector<std::string_view> names, Bytes& out, OptionText text = {});
  void value(std::vector<std::string_view> names, Time& out, OptionText text = {});
  /// May be given several times.
  void value(std::vector<std::string_view> names, std::vector<std::string>& out, OptionText text = {});
  void flag(std::vector<std::string_view> names, bool& out, OptionText text = {});
  /// Words without an option, in the order of their declarations.
  void positional(std::string_view name, std::string& out, bool required, OptionText text = {});
  /// All words that are left.
  void positionals(std::string_view name, std::vector<std::string>& out, OptionText text = {});

  /// @throws ConfigError  lists every fault.
  void parse(const std::vector<std::string_view>& arguments);
  /// The name as written on the command line, or "" if the option was not given. @param name  its first name.
  std::string given(std::string_view name) const;
  std::vector<OptionRow> rows() const;
  /// What parse() was given.
  const std::vector<std::string>& words() const { return words_; }

 private:
  struct Option {
    OptionRow row;
    std::function<std::string(const std::string&)> set;  // returns what is wrong, or ""
    std::string seen;
    bool is(std::string_view name) const;
  };
  Option& add(std::vector<std::string_view> names, OptionText text, std::string fallback,
              std::function<std::string(const std::string&)> set);
  Option* find(std::string_view name);
  std::string unknown(std::string_view name) const;
  std::string assign(Option& option, std::string_view name, const std::string& value);
  std::vector<Option> options_;
  std::string group_;
  std::vector<std::string> words_;
};

/// Whole number from low to high. @throws ConfigError
std::uint64_t whole(std::string_view option, const std::string& text, std::uint64_t low, std::uint64_t high);
/// Finite number. @throws ConfigError
double number(std::string_view option, const std::string& text);

/// "1.5" for all ranks, or "0-7:0.5,8:2" with 1 for those not named. @throws ConfigError
workload::RankFactors factors_by_rank(std::string_view option, const std::string& text);

}  // namespace tutti::app
