#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workload/compute_model.h"

namespace tutti::app {

/// Reads "--name value", "--name=value" and flags ("--name", "--name=true"). Every name must be declared; a name that
/// is unknown, given twice or without its value is a fault with the nearest known name.
class Options {
 public:
  /// @param names  first name and aliases.
  void value(std::vector<std::string_view> names, std::string& out);
  void flag(std::vector<std::string_view> names, bool& out);

  /// @throws ConfigError  lists every fault.
  void parse(const std::vector<std::string_view>& arguments);
  /// The name as written on the command line, or "" if the option was not given. @param name  its first name.
  std::string given(std::string_view name) const;

 private:
  struct Option {
    std::vector<std::string_view> names;
    std::string* text = nullptr;
    bool* truth = nullptr;
    std::string seen;
  };
  Option* find(std::string_view name);
  std::string nearest(std::string_view name) const;
  std::vector<Option> options_;
};

/// Whole number from low to high. @throws ConfigError
std::uint64_t whole(std::string_view option, const std::string& text, std::uint64_t low, std::uint64_t high);
/// Finite number. @throws ConfigError
double number(std::string_view option, const std::string& text);

/// "1.5" for all ranks, or "0-7:0.5,8:2" with 1 for those not named. @throws ConfigError
workload::RankFactors factors_by_rank(std::string_view option, const std::string& text);

}  // namespace tutti::app
