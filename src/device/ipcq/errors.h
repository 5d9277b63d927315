#pragma once
#include "base/error.h"

namespace tutti::device {

/// A kernel names a port at which no neighbour is installed (ADR-0023 F1).
class IpcqInvalidDirection : public ModelError {
 public:
  explicit IpcqInvalidDirection(const std::string& what) : ModelError("IpcqInvalidDirection: " + what) {}
};

/// A send is larger than a slot of the peer.
class IpcqSlotOverflow : public ModelError {
 public:
  explicit IpcqSlotOverflow(const std::string& what) : ModelError("IpcqSlotOverflow: " + what) {}
};

/// A receive expected elements of another type or number (ADR-0023 F2, checked where the kernel names them).
class IpcqTypeMismatch : public ModelError {
 public:
  explicit IpcqTypeMismatch(const std::string& what) : ModelError("IpcqTypeMismatch: " + what) {}
};

/// The receive buffers of all ports do not fit into their memory region.
class IpcqRegionOverflow : public ModelError {
 public:
  explicit IpcqRegionOverflow(const std::string& what) : ModelError("IpcqRegionOverflow: " + what) {}
};

/// A kernel ended with unread slots, unreleased slots or unmatched sends.
class IpcqLeak : public ModelError {
 public:
  explicit IpcqLeak(const std::string& what) : ModelError("IpcqLeak: " + what, ExitCode::deadlock) {}
};

}  // namespace tutti::device
