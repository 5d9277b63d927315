#include "workload/algorithm_name.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "plan/algorithm.h"

namespace tutti::workload {
namespace {
constexpr std::string_view known =
    "ring, direct, direct<window>, halvingDoubling, doubleBinaryTree, oneRing, oneDirect, oneDirect<window>, "
    "oneHalvingDoubling, plan:<name>";

/// "NAME parameter=value ...".
bool parse_planned(std::string_view text, AlgorithmChoice& out, std::string& why) {
  out.kind = Algorithm::planned;
  out.one_dimension = true;
  const auto word = [&] {
    const std::string_view w = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), w.size() + 1));
    return w;
  };
  out.planned = word();
  try {
    plan::Parameters given;
    const plan::Algorithm& algorithm = plan::algorithm(out.planned);
    while (!text.empty()) {
      const std::string_view w = word();
      const std::size_t equals = w.find('=');
      std::int64_t value = 0;
      const std::string_view digits = equals == std::string_view::npos ? "" : w.substr(equals + 1);
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (error != std::errc() || end != digits.data() + digits.size())
        return why = "parameter=number is needed, not '" + std::string(w) + "'", false;
      out.parameters[std::string(w.substr(0, equals))] = value;
      given.set(w.substr(0, equals), value);
    }
    plan::effective_parameters(algorithm, given);
  } catch (const Error& e) {
    return why = e.what(), false;
  }
  return true;
}
}  // namespace

bool parse(std::string_view name, AlgorithmChoice& out, std::string& why) {
  out = {};
  if (name.starts_with("plan:")) return parse_planned(name.substr(5), out, why);
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
    case Algorithm::planned:
      return "plan:" + c.planned;
  }
  return "?";
}

}  // namespace tutti::workload
