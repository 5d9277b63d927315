#pragma once
#include <string>

#include "app/cli/command.h"

namespace tutti::app {

/// The commands and how to go on.
std::string overview();
/// What `tutti help COMMAND` prints for a command with a table of options.
std::string help_text(const Command& command);
/// All commands as a manual page (roff), section 1.
std::string manual_page();
/// "usage: tutti run [options]" without its first word.
std::string usage_line(const Command& command, const std::vector<OptionRow>& rows);

}  // namespace tutti::app
