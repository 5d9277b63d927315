#pragma once
#include <functional>
#include <string>

namespace tutti::sim {

/// A name that costs nothing until somebody reads it: a literal, a string that its owner keeps, or an object with a
/// function that describes it. Does not own; what it refers to must live as long as whoever holds the name.
class Name {
 public:
  constexpr Name(const char* literal = "") : object_(literal) {}
  Name(const std::string& kept) : object_(&kept), describe_(&text_of_string) {}
  Name(std::string&&) = delete;
  /// `Describe(object)` makes the text when it is asked for: `Name::of<&Port::describe>(port)`.
  template <auto Describe, class T>
  static Name of(const T& object) {
    Name n;
    n.object_ = &object;
    n.describe_ = [](const void* o) -> std::string { return std::invoke(Describe, *static_cast<const T*>(o)); };
    return n;
  }
  std::string text() const { return describe_ ? describe_(object_) : std::string(static_cast<const char*>(object_)); }
  /// @pre made from a string that was allocated with new.
  void destroy_string() { delete static_cast<const std::string*>(object_); }

 private:
  using Text = std::string (*)(const void*);
  static std::string text_of_string(const void* s) { return *static_cast<const std::string*>(s); }
  const void* object_;
  Text describe_ = nullptr;
};

}  // namespace tutti::sim
