#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/timeline.h"

namespace tutti::sim {

/// A value of a component's state, as a report shows it.
struct Field {
  std::string name;
  std::string value;
};

/// Part of a model: has a path ("sip0.cube5.pe3.dma") and can tell its state. It knows its ports, never another
/// component by name. Belongs to the list of its timeline while it lives, so that a report finds it; that costs nothing
/// while the model runs.
class Component {
 public:
  /// @pre no other component of `t` has this path: reports would confuse them.
  Component(Timeline& t, std::string path);
  /// A part of `parent`: its path is the parent's, a dot and `name`.
  Component(const Component& parent, std::string_view name);
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;
  virtual ~Component();

  const std::string& path() const { return path_; }
  Timeline& timeline() const { return *timeline_; }
  /// Its state now, for reports only.
  virtual std::vector<Field> inspect() const { return {}; }

 private:
  Timeline* timeline_;
  std::string path_;
  std::size_t index_;
};

/// One end of a connection between components of type T: the owner calls peer(), and never learns who it is.
template <class T>
class Port {
 public:
  Port() = default;
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;
  /// @throws InternalError  connected already.
  void connect(T& peer) {
    CHECK(!peer_, "a port is connected twice");
    peer_ = &peer;
  }
  bool connected() const { return peer_ != nullptr; }
  /// @throws InternalError  not connected.
  T& peer() const {
    CHECK(peer_, "a port is used that is not connected");
    return *peer_;
  }

 private:
  T* peer_ = nullptr;
};

}  // namespace tutti::sim
