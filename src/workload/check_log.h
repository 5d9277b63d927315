#pragma once
#include <map>
#include <string>
#include <utility>

#include "workload/check.h"
#include "workload/fault.h"
#include "workload/trace_node.h"

namespace tutti::workload {

/// Faults by rule: of each rule the first ones are listed, the others counted, so that one rule hides no other.
class CheckLog {
 public:
  CheckLog(CheckReport& report, std::size_t listed) : report_(report), listed_(listed) {}

  void add(Fault fault) {
    if (next(fault.error, fault.rule)) report_.faults.add(std::move(fault));
  }
  /// `message` gives the text and is called only if the fault is listed.
  template <class Text>
  void node(bool error, const char* rule, const Trace& trace, const Node& n, Text&& message, std::string hint = {}) {
    if (!next(error, rule)) return;
    Fault f;
    f.error = error;
    f.rule = rule;
    f.file = trace.file;
    f.node = n.id;
    f.name = std::string(trace.name(n));
    f.message = message();
    f.hint = std::move(hint);
    report_.faults.add(std::move(f));
  }
  void file(bool error, const char* rule, const std::string& file, std::string message, std::string hint = {}) {
    Fault f;
    f.error = error;
    f.rule = rule;
    f.file = file;
    f.message = std::move(message);
    f.hint = std::move(hint);
    add(std::move(f));
  }
  /// Faults of a reader, and those that it only counted.
  void add(const Faults& faults) {
    for (const Fault& f : faults.list()) add(f);
    std::uint64_t errors = 0;
    for (const Fault& f : faults.list()) errors += f.error ? 1 : 0;
    const std::uint64_t warnings = faults.list().size() - errors;
    for (std::uint64_t i = errors; i < faults.errors(); ++i) report_.faults.count_only(true);
    for (std::uint64_t i = warnings; i < faults.warnings(); ++i) report_.faults.count_only(false);
  }
  /// True if a fault of this rule would still be listed.
  bool lists(const char* rule) const {
    const auto it = report_.rules.find(rule);
    return it == report_.rules.end() || it->second < listed_;
  }
  std::uint64_t errors() const { return report_.faults.errors(); }

 private:
  /// Counts one; true if it is to be listed.
  bool next(bool error, const std::string& rule) {
    if (report_.rules[rule]++ < listed_) return true;
    report_.faults.count_only(error);
    return false;
  }

  CheckReport& report_;
  std::size_t listed_;
};

}  // namespace tutti::workload
