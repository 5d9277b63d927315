#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// What config.h is made of: a YAML text as a tree whose nodes know their place. Readers of files need config.h only.
namespace tutti::config {

/// Most that a file may hold: larger ones are refused, whether by length, by nesting or by what their anchors unfold
/// to.
constexpr std::size_t max_text = std::size_t{64} << 20;
constexpr std::size_t max_depth = 64;
constexpr std::size_t max_nodes = 2'000'000;

/// State of one assignment of the command line, shared with the documents that it was applied to.
struct Assignment {
  bool read = false;
  std::string fault;  ///< of a document in which its path is unknown
};

/// A text that values come from.
struct Source {
  enum class Kind : std::uint8_t { file, built_in, flag };
  Kind kind = Kind::file;
  std::string name;  ///< path, name of a built-in file, or the option: "--set"
  std::string text;
  std::shared_ptr<Assignment> assignment;  ///< of a flag
};

struct Place {
  std::uint32_t source = 0, line = 0, column = 0;  ///< lines and columns from 1
  auto operator<=>(const Place&) const = default;
};

struct Fault {
  Place place;
  std::string message;
};

struct Node {
  enum class Kind : std::uint8_t { null, scalar, list, map };
  Kind kind = Kind::null;
  bool quoted = false;
  bool read = false;     ///< a reader asked for it
  bool opened = false;   ///< a reader asked for its keys
  bool on_path = false;  ///< made by the path of an assignment
  bool leaf = false;     ///< the value of an assignment
  Place place;
  std::string text;                ///< of a scalar
  std::vector<Node> items;         ///< of a list; of a map: its values
  std::vector<std::string> keys;   ///< of a map, one a value
  std::vector<Place> key_places;   ///< of a map, one a value
  std::vector<std::string> asked;  ///< keys that a reader asked for
  Node* find(std::string_view key);
};

/// "a list", ... as in "expected a time, not a list".
const char* describe(Node::Kind kind);

/// @param source    index that places in the result name.
/// @param column    added to columns of the first line (a value within a flag).
/// @param faults    gets what can be passed over: keys given twice, tags.
/// @throws ConfigError  the text is not YAML, or too large.
Node parse_tree(const std::vector<Source>& sources, std::uint32_t source, std::string_view text, std::uint32_t column,
                std::vector<Fault>& faults);

/// Compiler-like text of the faults, in the order of their places, each with its source line and a caret.
std::string render(const std::vector<Source>& sources, std::vector<Fault> faults);

/// "default", "ccl.yaml:7" or "--set".
std::string origin(const std::vector<Source>& sources, const Place& place);

}  // namespace tutti::config
