#pragma once
#include <string>

namespace tutti::app {

/// A script for the shell ("bash", "zsh" or "fish") that completes commands, options and their values. It holds the
/// tables of this program; it does not run it.
std::string completion_script(const std::string& shell);

}  // namespace tutti::app
