#pragma once
#include "sim/poll.h"

namespace tutti::device {

using sim::poll_wake;

}  // namespace tutti::device
