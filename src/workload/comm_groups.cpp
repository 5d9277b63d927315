#include "workload/comm_groups.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "workload/json_input.h"

namespace tutti::workload {
namespace {

std::optional<std::uint64_t> decimal(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

}  // namespace

CommGroups::CommGroups(std::uint32_t ranks) : ranks_(ranks) {
  groups_.push_back({});
  groups_.front().whole_machine = true;
}

CommGroups CommGroups::from_file(const std::string& path, std::uint32_t ranks, const Rules& rules) {
  if (rules.astra && path.find("empty") != std::string::npos) return CommGroups(ranks);  // G42
  JsonInput in = JsonInput::from_file(path);
  return from_text(in.text(), path, ranks, rules);
}

CommGroups CommGroups::from_text(const std::string& text, const std::string& path, std::uint32_t ranks,
                                 const Rules& rules) {
  JsonInput in(text, path);
  CommGroups all(ranks);
  std::uint64_t unnamed = 1U << 20;
  for (const auto& [name, list] : in.root().items()) {
    const auto id = decimal(name);
    if (rules.astra && (!id || *id == 0))
      in.fault(name, fmt::format("group '{}': ASTRA-sim needs a number of 1 or more", name));
    CommGroup group;
    group.id = id && *id != 0 ? *id : unnamed++;
    group.name = name;
    group.index = static_cast<std::uint32_t>(all.groups_.size());
    group.position.assign(ranks, CommGroup::nobody);
    if (!list.is_array() || list.empty()) {
      in.fault(name, fmt::format("group '{}': a list of ranks is needed", name));
      continue;
    }
    for (const auto& entry : list) {
      const std::int64_t rank = entry.is_number_integer() ? entry.get<std::int64_t>() : -1;
      if (rank < 0 || rank >= ranks)
        in.fault(name, fmt::format("group '{}': {} is not a rank; there are {}", name, entry.dump(), ranks));
      else if (auto& position = group.position[static_cast<std::size_t>(rank)]; position != CommGroup::nobody)
        in.fault(name, fmt::format("group '{}': rank {} occurs twice", name, rank));
      else {
        position = static_cast<std::uint32_t>(group.ranks.size());
        group.ranks.push_back(static_cast<std::uint32_t>(rank));
      }
    }
    group.whole_machine = group.ranks.size() == ranks;
    all.groups_.push_back(std::move(group));
    all.by_name_[name] = &all.groups_.back();
  }
  in.finish();
  return all;
}

const CommGroup* CommGroups::find(const std::string& name) const {
  if (name.empty()) return &everyone();
  if (const auto it = by_name_.find(name); it != by_name_.end()) return it->second;
  const auto id = decimal(name);
  if (!id) return nullptr;
  if (*id == 0) return &everyone();
  const auto it = by_name_.find(std::to_string(*id));  // "007" means 7
  return it == by_name_.end() ? nullptr : it->second;
}

std::string CommGroups::names() const {
  std::string all;
  for (const auto& [name, group] : by_name_) all += (all.empty() ? "" : ", ") + name;
  return all.empty() ? "none" : all;
}

}  // namespace tutti::workload
