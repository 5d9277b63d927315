#pragma once
#include <string>

namespace tutti::app {

/// Prints each preset beside what is published of it, as docs/calibration.md shows it.
/// @param measured  a table of measured times to fit as well, or empty.
/// @return the exit code: 5 if a preset is more than 10 % off.
int calibrate(const std::string& measured);

}  // namespace tutti::app
