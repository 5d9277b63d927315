#include "workload/fault.h"

#include <utility>

namespace tutti::workload {

std::string Fault::text() const {
  std::string out = file;
  if (offset) out += (out.empty() ? "at byte " : ": at byte ") + std::to_string(*offset);
  if (!out.empty()) out += ": ";
  out += error ? "error: " : "warning: ";
  if (node) {
    out += "node " + std::to_string(*node);
    if (!name.empty()) out += " '" + name + "'";
    out += ": ";
  }
  out += message + " [" + rule + "]";
  if (!hint.empty()) out += " (" + hint + ")";
  return out;
}

void Faults::add(Fault fault) {
  count_only(fault.error);
  if (!full()) list_.push_back(std::move(fault));
}

void Faults::add(const Faults& other) {
  errors_ += other.errors_;
  warnings_ += other.warnings_;
  for (const Fault& f : other.list_)
    if (!full()) list_.push_back(f);
}

std::string Faults::text() const {
  std::string out;
  for (const Fault& f : list_) out += f.text() + "\n";
  if (unlisted() > 0) out += "... and " + std::to_string(unlisted()) + " more\n";
  return out;
}

}  // namespace tutti::workload
