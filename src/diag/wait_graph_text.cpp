#include "diag/wait_graph.h"

namespace tutti::diag {
namespace {

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

std::string list(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return out;
}

std::string words(const WaitEdge& e) {
  std::string out = e.what;
  if (!e.on.empty()) out += " on " + e.on;
  out += " (" + e.place + ")";
  if (!e.state.empty()) out += ", " + e.state;
  if (e.suppliers.empty() && !e.open)
    out += e.ended.empty() ? "; no process can end this wait"
                           : "; " + list(e.ended) + (e.ended.size() == 1 ? " has ended" : " have ended");
  return out;
}

std::string words(const BlockedProcess& p) {
  std::string out = p.name + " waits since " + to_string(p.since) + " for ";
  if (p.waits.size() == 1) return out + words(p.waits[0]);
  out += p.needs_all ? "all of:" : "any of:";
  for (const WaitEdge& e : p.waits) out += "\n      " + words(e);
  return out;
}

}  // namespace

std::string WaitGraph::text() const {
  std::string out = "deadlock at " + to_string(when) + ": ";
  if (!cycle.empty()) {
    if (cycle.size() == 1) {
      out += processes[cycle[0]].name + " waits for itself";
    } else {
      out += "processes wait for each other in a cycle:";
      for (const std::size_t i : cycle) out += " " + processes[i].name + " ->";
      out += " " + processes[cycle[0]].name;
    }
  } else if (const Missing m = missing_partner(); m.process != npos) {
    const WaitEdge& e = processes[m.process].waits[m.edge];
    out += processes[m.process].name + " waits for " + e.what;
    out += e.ended.empty() ? ", which no process can bring"
                           : ", which only " + list(e.ended) + " could bring, and has ended";
  } else {
    out += "nothing is scheduled, and processes have not ended";
  }
  std::size_t alive = 0;
  for (const BlockedProcess& p : processes) {
    if (!p.dead)
      ++alive;
    else
      out += "\n  " + words(p);
  }
  if (!ended)
    out += "\n  found while other processes can still go on" + std::string(alive ? ", some of which wait" : "");
  for (const std::string& c : components) out += "\n  state of " + c;
  return out;
}

std::string WaitGraph::dot() const {
  std::string out = "digraph waits {\n  node [shape=box];\n";
  const auto node = [](std::size_t i) { return "p" + std::to_string(i); };
  std::size_t gone = 0;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const BlockedProcess& p = processes[i];
    out += "  " + node(i) + " [label=" + quoted(p.name + (p.needs_all ? "\nneeds all" : "")) +
           (p.dead ? ", color=red" : "") + "];\n";
    for (const WaitEdge& e : p.waits) {
      const std::string label = " [label=" + quoted(e.what + (e.on.empty() ? "" : "\n" + e.on) + "\n" + e.place) + "]";
      for (const std::size_t s : e.suppliers) out += "  " + node(i) + " -> " + node(s) + label + ";\n";
      for (const std::string& name : e.ended) {
        const std::string end = "e" + std::to_string(gone++);
        out += "  " + end + " [label=" + quoted(name + "\nhas ended") + ", style=dashed];\n";
        out += "  " + node(i) + " -> " + end + label + ";\n";
      }
      if (e.suppliers.empty() && e.ended.empty()) {
        const std::string end = "e" + std::to_string(gone++);
        out += "  " + end + " [label=\"?\", shape=circle];\n";
        out += "  " + node(i) + " -> " + end + label + ";\n";
      }
    }
  }
  return out + "}\n";
}

}  // namespace tutti::diag
