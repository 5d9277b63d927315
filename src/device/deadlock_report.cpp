#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "device/machine.h"

namespace tutti::device {
namespace {

std::string_view file_name(const char* path) {
  const std::string_view all = path;
  const auto slash = all.rfind('/');
  return slash == std::string_view::npos ? all : all.substr(slash + 1);
}

std::string_view state(const Pe& p) {
  switch (p.kernel) {
    case Pe::Kernel::none:
      return "never ran a kernel";
    case Pe::Kernel::running:
      return p.blocked().call ? "waits itself" : "runs";
    case Pe::Kernel::ended:
      return "has ended";
  }
  return "";
}

/// The first call at which the ranks' programs differ: what most do, and who does something else.
std::string divergence(const std::vector<std::unique_ptr<Pe>>& pes) {
  for (std::size_t i = 0; i < IpcqController::most_calls; ++i) {
    std::map<std::string, std::vector<const Pe*>> by_call;  // ordered: the text is the same everywhere
    for (const auto& p : pes) {
      if (p->rank < 0 || p->kernel == Pe::Kernel::none) continue;
      const auto& program = p->ipcq().program();
      if (i < program.size())
        by_call[fmt::format("{}{}{}", program[i].call, program[i].port ? " " : "",
                            program[i].port ? name(*program[i].port) : std::string_view())]
            .push_back(p.get());
      else if (i == program.size() && p->ipcq().program_ended())
        by_call["its end"].push_back(p.get());
    }
    if (by_call.empty()) return {};
    if (by_call.size() == 1) continue;
    std::string text = fmt::format("\n  the ranks' programs part at call {}:", i + 1);
    for (const auto& [call, ranks] : by_call) {
      const auto& program = ranks.front()->ipcq().program();
      text += fmt::format("\n    {}", call);
      if (i < program.size())
        text += fmt::format(" at {}:{}", file_name(program[i].where.file_name()), program[i].where.line());
      text += ranks.size() == 1 ? ": rank" : ": ranks";
      for (std::size_t k = 0; k < std::min<std::size_t>(ranks.size(), 8); ++k)
        text += fmt::format(" {}", ranks[k]->rank);
      if (ranks.size() > 8) text += fmt::format(" and {} more", ranks.size() - 8);
    }
    return text;
  }
  return {};
}

}  // namespace

std::string Machine::deadlock_report(const std::vector<std::string>& alive) const {
  std::string text = fmt::format("deadlock at {}: {}these PEs wait for ever:", to_string(simulation_.now()),
                                 simulation_.idle() ? "nothing is scheduled, and " : "");
  for (const auto& p : pes_) {
    if (p->kernel != Pe::Kernel::running) continue;
    if (!simulation_.idle() && (!p->blocked().call || std::count(alive.begin(), alive.end(), p->name()) != 0)) continue;
    const BlockedCall& b = p->blocked();
    text += fmt::format("\n  rank {} ({}): ", p->rank, p->name());
    if (!b.call) {
      text += "waits for an operation that never ends";
      continue;
    }
    text += fmt::format("{}{}{} at {}:{} since {}", b.call, b.port ? " " : "", b.port ? name(*b.port) : "",
                        file_name(b.where.file_name()), b.where.line(), to_string(b.since));
    for (std::size_t d = 0; d < p->ipcq().ports(); ++d) {
      const auto port = static_cast<Direction>(d);
      if (!p->has(port) || (b.port && *b.port != port) || std::string_view(b.call) == "barrier") continue;
      const Pe& peer = pe(p->ipcq().wiring(port)->peer_index);
      text += fmt::format("\n    {}; rank {} ({}) {}", p->ipcq().queue_pair(port).describe(), peer.rank, peer.name(),
                          state(peer));
    }
  }
  // Follow "waits for the peer of its port" from each blocked rank; a walk that comes back is a cycle.
  std::vector<int> seen(pes_.size(), 0);
  int walk = 0;
  for (const auto& first : pes_) {
    ++walk;
    const Pe* at = first.get();
    while (at->kernel == Pe::Kernel::running && at->blocked().call && at->blocked().port &&
           seen[static_cast<std::size_t>(at->index())] == 0) {
      seen[static_cast<std::size_t>(at->index())] = walk;
      at = &pe(at->ipcq().wiring(*at->blocked().port)->peer_index);
    }
    if (seen[static_cast<std::size_t>(at->index())] != walk || at->kernel != Pe::Kernel::running) continue;
    text += "\n  cycle:";
    const Pe* const start = at;
    do {
      text += fmt::format(" rank {} ({} {}) ->", at->rank, at->blocked().call, name(*at->blocked().port));
      at = &pe(at->ipcq().wiring(*at->blocked().port)->peer_index);
    } while (at != start);
    text += fmt::format(" rank {}", start->rank);
  }
  return text + divergence(pes_);
}

}  // namespace tutti::device
