#include "workload/algorithm_name.h"

#include <charconv>

namespace tutti::workload {
namespace {
constexpr std::string_view known =
    "ring, direct, direct<window>, halvingDoubling, doubleBinaryTree, oneRing, oneDirect, oneDirect<window>, "
    "oneHalvingDoubling";
}

bool parse(std::string_view name, AlgorithmChoice& out, std::string& why) {
  out = {};
  if (name == "ring") return true;
  if (name == "oneRing") return out.one_dimension = true;
  if (name == "doubleBinaryTree") return out.kind = Algorithm::double_binary_tree, true;
  if (name == "halvingDoubling" || name == "oneHalvingDoubling") {
    out.kind = Algorithm::halving_doubling;
    out.one_dimension = name.starts_with("one");
    return true;
  }
  for (const std::string_view head : {"direct", "oneDirect"}) {
    if (!name.starts_with(head)) continue;
    out.kind = Algorithm::direct;
    out.one_dimension = head == "oneDirect";
    const std::string_view digits = name.substr(head.size());
    if (digits.empty()) return true;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.window);
    if (digits.size() <= 5 && error == std::errc() && end == digits.data() + digits.size() && out.window > 0)
      return true;
    why = "unknown algorithm '" + std::string(name) + "': the window of direct is a number from 1 to 99999";
    return false;
  }
  why = "unknown algorithm '" + std::string(name) + "'; known: " + std::string(known);
  return false;
}

std::string to_string(const AlgorithmChoice& c) {
  const auto one = [&](const char* plain, const char* upper) {
    return c.one_dimension ? std::string("one") + upper : std::string(plain);
  };
  switch (c.kind) {
    case Algorithm::ring:
      return one("ring", "Ring");
    case Algorithm::direct:
      return one("direct", "Direct") + (c.window ? std::to_string(c.window) : "");
    case Algorithm::halving_doubling:
      return one("halvingDoubling", "HalvingDoubling");
    case Algorithm::double_binary_tree:
      return "doubleBinaryTree";
  }
  return "?";
}

}  // namespace tutti::workload
