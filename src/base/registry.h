#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/suggest.h"

namespace tutti {

/// The plug-ins of one folder, in the order of its builtin.def.
///
/// T has a `name` (string_view or string), as a member, or as a function of the object or of what T points to. A folder
/// has a file a plug-in, a builtin.def with a line `TUTTI_BUILTIN(file_name)` for each of them, and a builtin.cpp that
/// includes the list twice: to declare the functions that make the plug-ins, and to call them (ccl/kernels/builtin.cpp
/// is an example). A line without a file is a link error; tools/check_layers.py finds a file without a line.
template <class T>
class Registry {
 public:
  /// @param noun  what one plug-in is called in messages: "topology".
  /// @throws InternalError  two plug-ins have one name.
  Registry(std::string_view noun, std::vector<T> all) : noun_(noun), all_(std::move(all)) {
    for (std::size_t i = 0; i < all_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        CHECK(name_of(all_[i]) != name_of(all_[j]), noun_ + " '" + std::string(name_of(all_[i])) + "' is there twice");
  }

  const std::vector<T>& all() const { return all_; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const T& one : all_) result.emplace_back(name_of(one));
    return result;
  }
  /// Null if there is none of that name.
  const T* find(std::string_view name) const {
    for (const T& one : all_)
      if (name_of(one) == name) return &one;
    return nullptr;
  }
  /// @throws ConfigError  names the nearest and all known ones.
  const T& at(std::string_view name) const {
    if (const T* one = find(name)) return *one;
    throw ConfigError("error: " + unknown_name(noun_, name, names()));
  }

 private:
  static std::string_view name_of(const T& one) {
    if constexpr (requires { one->name(); })
      return one->name();
    else if constexpr (requires { one->name; })
      return one->name;
    else if constexpr (requires { one.name(); })
      return one.name();
    else
      return one.name;
  }
  std::string noun_;
  std::vector<T> all_;
};

}  // namespace tutti
