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

}  // namespace

std::string Machine::deadlock_report() const {
  std::string text =
      fmt::format("deadlock at {}: nothing is scheduled, and these PEs wait for ever:", to_string(simulation_.now()));
  for (const auto& p : pes_) {
    if (p->kernel != Pe::Kernel::running) continue;
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
  return text;
}

}  // namespace tutti::device
