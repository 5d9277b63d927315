#pragma once
#include <string>

#include "report/record.h"

namespace tutti::report {

/// Writes a run as an SQLite file: tables and columns as `columns` in it says, and docs/results.md. Over a file that is
/// there. @throws ConfigError  it cannot be written.
void write_database(const Record& record, const std::string& path);

/// Reads it back. @param place  the file, or the folder of `--out` that holds run.sqlite.
/// @throws ConfigError  not such a file.
Record read_database(const std::string& place);

/// Name and meaning of each column, for the page that describes them: "table.column", text.
std::vector<std::pair<std::string, std::string>> database_columns();

}  // namespace tutti::report
