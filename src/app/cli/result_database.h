#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "report/critical_path.h"
#include "report/database.h"
#include "report/interrupt.h"
#include "report/machine_recorder.h"
#include "report/trace_recorder.h"

namespace tutti::app {

/// The database of `--out DIR`: a recorder for the run, and DIR/run.sqlite after it. Without a folder: nothing.
template <class Recorder>
class OutDatabase {
 public:
  /// @param watch  take Ctrl-C while the run lasts: it ends, and what there is of it is written.
  explicit OutDatabase(std::string folder, bool watch = true) : folder_(std::move(folder)) {
    if (folder_.empty()) return;
    recorder_.emplace();
    if (watch) watch_.emplace();
  }
  Recorder* recorder() { return recorder_ ? &*recorder_ : nullptr; }

  /// @param about  what Recorder::take needs.
  template <class... About>
  void write(const std::vector<std::string>& words, std::vector<Setting> settings, const About&... about) {
    if (!recorder_) return;
    report::Record record = recorder_->take(about...);
    record.command_line = words;
    record.settings = std::move(settings);
    std::error_code ignored;
    record.folder = std::filesystem::current_path(ignored).string();
    if (record.status == "completed") record.path = report::critical_path(record);
    report::write_database(record, folder_ + "/run.sqlite");
  }

 private:
  std::string folder_;
  std::optional<Recorder> recorder_;
  std::optional<report::InterruptWatch> watch_;
};

}  // namespace tutti::app
