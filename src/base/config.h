#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/units.h"

namespace tutti {

/// A setting in effect and where it came from: "default", "ccl.yaml:7" or the option that gave it ("--set").
struct Setting {
  std::string path;   ///< "algorithms.ring_allreduce.n_slots"; an entry of a list has its number: "grid.0"
  std::string value;  ///< as text with its unit: "4 KiB", "500 ns", "true"
  std::string origin;
};

/// What a value may be; both ends belong to it, but for `low` if `above` is set.
template <class T>
struct Range {
  T low = limit(false);
  T high = limit(true);
  bool above = false;

 private:
  static constexpr T limit(bool upper) {
    if constexpr (std::is_arithmetic_v<T>)
      return upper ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
    else if constexpr (std::is_same_v<T, Time>)
      return upper ? Time::max() : Time();
    else if constexpr (std::is_same_v<T, Bytes>)
      return upper ? Bytes(INT64_MAX) : Bytes();
    else
      return T::bits_per_second(upper ? INT64_MAX : 1);
  }
};

/// A word of a file and what it means. An array of these is the table of an enumeration.
template <class E>
struct Choice {
  std::string_view name;
  E value;
};

namespace config {
struct Document;
struct Node;
}  // namespace config

/// Assignments "path.to.key=value" of the command line, for one or several files. A value is YAML: a word, a number,
/// [a, list] or {a: map}; a number in a path is an entry of a list. A path that no file knows is a fault.
class ConfigOverlay {
 public:
  /// @param option  what the user wrote before it ("--set"); becomes the value's origin.
  void add(std::string assignment, std::string option = "--set");
  bool empty() const { return all_.empty(); }
  /// After all files are read. @throws ConfigError  lists the assignments that none of them has taken.
  void finish() const;

 private:
  friend class Config;
  struct One;
  std::vector<std::shared_ptr<One>> all_;
};

class ConfigMap;

/// One value of a file, or the place where it could be. Reading a value of the wrong type, out of range, or missing
/// without a fallback records a fault and returns the fallback (or a zero), so that one run finds all faults.
///
/// Text with a unit is read as units.h says. A bare number is taken for a key whose last word is its unit, as in
/// `read_ns: 20`: ps ns us ms s, bytes, gbs (GB/s), gbps (Gbps).
/// A handle: it must not outlive its Config.
class ConfigValue {
 public:
  bool present() const { return node_ != nullptr; }
  bool is_null() const;
  bool is_scalar() const;
  bool is_list() const;
  bool is_map() const;
  /// Present and not null.
  bool given() const { return present() && !is_null(); }

  bool boolean(std::optional<bool> fallback = {}) const;
  std::int64_t integer(std::optional<std::int64_t> fallback = {}, Range<std::int64_t> range = {}) const;
  double number(std::optional<double> fallback = {}, Range<double> range = {}) const;
  std::string text(std::optional<std::string> fallback = {}) const;
  Time time(std::optional<Time> fallback = {}, Range<Time> range = {}) const;
  Bytes bytes(std::optional<Bytes> fallback = {}, Range<Bytes> range = {}) const;
  Bandwidth bandwidth(std::optional<Bandwidth> fallback = {}, Range<Bandwidth> range = {}) const;
  /// A word of `known`, such as the names of a Registry.
  std::string one_of(const std::vector<std::string>& known, std::optional<std::string> fallback = {}) const;
  template <class E, std::size_t N>
  E choice(const Choice<E> (&table)[N], std::type_identity_t<std::optional<E>> fallback = {}) const {
    std::vector<std::string> names;
    std::optional<std::string> name;
    for (const Choice<E>& c : table) {
      names.emplace_back(c.name);
      if (fallback && c.value == *fallback && !name) name = c.name;
    }
    const std::string word = one_of(names, name);
    for (const Choice<E>& c : table)
      if (c.name == word) return c.value;
    return fallback.value_or(table[0].value);
  }

  /// Entries of a list; none if it is absent.
  std::vector<ConfigValue> list() const;
  /// Keys of a map; an absent one reads as an empty map.
  ConfigMap map() const;

  /// Records a fault of this value: "path: message" at its place.
  void fault(const std::string& message) const;
  /// "default", "ccl.yaml:7" or "--set".
  std::string origin() const;
  /// "ccl.yaml:7:14", or the name of the file if it is absent: for messages that come later.
  std::string place() const;
  const std::string& path() const { return path_; }

 private:
  friend class ConfigMap;
  friend class Config;
  template <class T, class Parse, class Print>
  T read(std::optional<T> fallback, const std::string& expected, Parse parse, Print print) const;
  template <class T, class Parse, class Print>
  T read_within(std::optional<T> fallback, Range<T> range, const std::string& noun, Parse parse, Print print) const;
  template <class T>
  T read_quantity(std::optional<T> fallback, Range<T> range, const std::string& noun) const;

  config::Document* document_ = nullptr;
  config::Node* node_ = nullptr;    // null: absent
  config::Node* anchor_ = nullptr;  // the nearest node that is there, for the place of a fault
  std::string path_;
  bool quiet_ = false;  // below a fault: says nothing more
};

/// The keys of a map. Each getter consumes its key; keys that nobody consumed are faults of Config::finish().
class ConfigMap {
 public:
  /// Consumes `key`, whether it is there or not.
  ConfigValue at(std::string_view key) const;
  /// Whether the key is there; does not consume it.
  bool has(std::string_view key) const;
  /// All keys with their values in the order of the file, for maps whose keys are the user's names. Consumes them.
  std::vector<std::pair<std::string, ConfigValue>> entries() const;

  bool boolean(std::string_view key, std::optional<bool> fallback = {}) const { return at(key).boolean(fallback); }
  std::int64_t integer(std::string_view key, std::optional<std::int64_t> fallback = {},
                       Range<std::int64_t> range = {}) const {
    return at(key).integer(fallback, range);
  }
  double number(std::string_view key, std::optional<double> fallback = {}, Range<double> range = {}) const {
    return at(key).number(fallback, range);
  }
  std::string text(std::string_view key, std::optional<std::string> fallback = {}) const {
    return at(key).text(std::move(fallback));
  }
  Time time(std::string_view key, std::optional<Time> fallback = {}, Range<Time> range = {}) const {
    return at(key).time(fallback, range);
  }
  Bytes bytes(std::string_view key, std::optional<Bytes> fallback = {}, Range<Bytes> range = {}) const {
    return at(key).bytes(fallback, range);
  }
  Bandwidth bandwidth(std::string_view key, std::optional<Bandwidth> fallback = {}, Range<Bandwidth> range = {}) const {
    return at(key).bandwidth(fallback, range);
  }
  std::string one_of(std::string_view key, const std::vector<std::string>& known,
                     std::optional<std::string> fallback = {}) const {
    return at(key).one_of(known, std::move(fallback));
  }
  template <class E, std::size_t N>
  E choice(std::string_view key, const Choice<E> (&table)[N],
           std::type_identity_t<std::optional<E>> fallback = {}) const {
    return at(key).choice(table, fallback);
  }
  std::vector<ConfigValue> list(std::string_view key) const { return at(key).list(); }
  std::vector<std::int64_t> integers(std::string_view key, std::optional<std::vector<std::int64_t>> fallback = {},
                                     Range<std::int64_t> range = {}) const;
  std::vector<double> numbers(std::string_view key, std::optional<std::vector<double>> fallback = {},
                              Range<double> range = {}) const;
  std::vector<std::string> texts(std::string_view key, std::optional<std::vector<std::string>> fallback = {}) const;
  ConfigMap map(std::string_view key) const { return at(key).map(); }

  /// Records a fault of the map as a whole.
  void fault(const std::string& message) const { value_.fault(message); }
  std::string place() const { return value_.place(); }
  const std::string& path() const { return value_.path(); }
  bool present() const { return value_.present(); }

 private:
  friend class ConfigValue;
  friend class Config;
  template <class T, class One>
  std::vector<T> read_list(std::string_view key, std::optional<std::vector<T>> fallback, One one) const;
  ConfigValue value_;
};

/// A YAML file (or text) that is read once, key by key:
///
///     Config config = Config::file("ccl.yaml");
///     config.add_defaults(embedded, "ccl.yaml");   // optional: values of keys that the file lacks
///     config.apply(overlay);                       // optional: --set
///     const ConfigMap defaults = config.root().map("defaults");
///     spec.n_slots = defaults.integer("n_slots", 8, {.low = 1});
///     config.finish();                             // throws one ConfigError with every fault
///
/// Refused are unknown and duplicate keys, tags, more than one document, files over 64 MiB, more than 64 levels, and
/// more than two million values, aliases unfolded.
class Config {
 public:
  /// @throws ConfigError  cannot be read, or is not YAML.
  static Config file(const std::string& path);
  /// @param name  in messages and origins in place of a path.
  static Config text(std::string text, std::string name);
  /// Text that comes with the program: the origin of its values is "default".
  static Config built_in(std::string text, std::string name);
  Config(Config&&) noexcept;
  Config& operator=(Config&&) noexcept;
  ~Config();

  /// Takes from `text` what is missing; maps are joined key by key, lists are not. Before reading.
  void add_defaults(std::string text, std::string name);
  /// Before reading. Later assignments win.
  void apply(const ConfigOverlay& overlay);

  ConfigMap root();
  /// @throws ConfigError  every fault found so far, and every key that nobody asked for, in the order of their places.
  void finish();
  /// What was read, in the order of reading.
  const std::vector<Setting>& settings() const;

 private:
  explicit Config(std::unique_ptr<config::Document> document);
  std::unique_ptr<config::Document> document_;
};

}  // namespace tutti
