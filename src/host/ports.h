#pragma once
#include "ccl/port.h"
#include "device/ipcq/direction.h"

namespace tutti::host {

// A kernel's port and a queue's direction are the same thing, named in two layers that do not know each other.
static_assert(ccl::max_ports == device::max_ports);
static_assert(ccl::port_names == device::direction_names);

constexpr device::Direction direction(ccl::Port p) { return static_cast<device::Direction>(p); }
constexpr ccl::Port port(device::Direction d) { return static_cast<ccl::Port>(d); }

}  // namespace tutti::host
