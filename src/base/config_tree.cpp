#include "base/config_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <set>
#include <sstream>

#include "base/error.h"

namespace tutti::config {
namespace {

/// Builds the tree from yaml-cpp's events: they have a place for each node and aliases are still visible in them.
class Builder : public YAML::EventHandler {
 public:
  Builder(const std::vector<Source>& sources, std::uint32_t source, std::uint32_t column, std::vector<Fault>& faults)
      : sources_(sources), source_(source), column_(column), faults_(faults) {}

  Node take() { return std::move(root_); }

  Place place(const YAML::Mark& mark) const {
    const auto line = static_cast<std::uint32_t>(std::max(mark.line, 0));
    return {source_, line + 1, static_cast<std::uint32_t>(std::max(mark.column, 0)) + 1 + (line == 0 ? column_ : 0)};
  }
  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& message) const {
    std::vector<Fault> all = faults_;
    all.push_back({place(mark), message});
    throw ConfigError(render(sources_, all));
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node;
    // The mark of an empty value is that of whatever follows it: the key is the better place.
    node.place = expects_value() ? open_.back().node.key_places.back() : place(mark);
    add(mark, std::move(node), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node;
    node.kind = Node::Kind::scalar;
    node.quoted = tag == "!";
    if (!tag.empty() && tag != "?" && tag != "!") faults_.push_back({place(mark), "a tag has no meaning here: " + tag});
    if (!node.quoted && (value.empty() || value == "null" || value == "~")) node.kind = Node::Kind::null;
    node.text = value;
    node.place = place(mark);
    add(mark, std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) refuse(mark, "an alias within its own anchor");
    nodes_ += found->second.nodes;
    if (nodes_ > max_nodes) refuse(mark, "anchors unfold to more than " + std::to_string(max_nodes) + " values");
    if (open_.size() + found->second.depth > max_depth) too_deep(mark);
    attach(mark, found->second.node);
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, found->second.depth + 1);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, Node::Kind::list, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, Node::Kind::map, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Node node;
    YAML::Mark mark;
    YAML::anchor_t anchor = 0;
    std::size_t nodes_before = 0, depth = 1;
    bool skip_value = false;  // the key was there before
    std::set<std::string, std::less<>> seen;
  };
  struct Anchored {
    Node node;
    std::size_t nodes = 1, depth = 0;
  };

  bool expects_value() const {
    if (open_.empty() || open_.back().node.kind != Node::Kind::map) return false;
    return open_.back().node.keys.size() > open_.back().node.items.size();
  }
  [[noreturn]] void too_deep(const YAML::Mark& mark) const {
    refuse(mark, "nested deeper than " + std::to_string(max_depth) + " levels");
  }
  void open(const YAML::Mark& mark, Node::Kind kind, YAML::anchor_t anchor) {
    if (open_.size() >= max_depth) too_deep(mark);
    if (!open_.empty() && open_.back().node.kind == Node::Kind::map && !expects_value() && !open_.back().skip_value)
      refuse(mark, "a key must be a plain word");
    Open one;
    one.node.kind = kind;
    one.node.place = place(mark);
    one.mark = mark;
    one.anchor = anchor;
    one.nodes_before = nodes_;
    open_.push_back(std::move(one));
  }
  void close() {
    Open one = std::move(open_.back());
    open_.pop_back();
    if (!open_.empty()) open_.back().depth = std::max(open_.back().depth, one.depth + 1);
    if (one.anchor) anchors_[one.anchor] = {one.node, nodes_ - one.nodes_before + 1, one.depth};
    count(one.mark);
    attach(one.mark, std::move(one.node));
  }
  void add(const YAML::Mark& mark, Node node, YAML::anchor_t anchor) {
    if (anchor) anchors_[anchor] = {node, 1, 0};
    count(mark);
    attach(mark, std::move(node));
  }
  void count(const YAML::Mark& mark) {
    if (++nodes_ > max_nodes) refuse(mark, "more than " + std::to_string(max_nodes) + " values");
  }
  void attach(const YAML::Mark& mark, Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& to = open_.back();
    if (to.node.kind == Node::Kind::list) {
      to.node.items.push_back(std::move(node));
    } else if (to.skip_value) {
      to.skip_value = false;
    } else if (expects_value()) {
      to.node.items.push_back(std::move(node));
    } else {
      if (node.kind == Node::Kind::list || node.kind == Node::Kind::map) refuse(mark, "a key must be a plain word");
      if (!to.seen.insert(node.text).second) {
        std::size_t first = 0;
        while (to.node.keys[first] != node.text) ++first;
        faults_.push_back({place(mark), "key '" + node.text + "' is given twice, first in line " +
                                            std::to_string(to.node.key_places[first].line)});
        to.skip_value = true;
        return;
      }
      to.node.keys.push_back(node.text);
      to.node.key_places.push_back(place(mark));
    }
  }

  const std::vector<Source>& sources_;
  std::uint32_t source_, column_;
  std::vector<Fault>& faults_;
  Node root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::size_t nodes_ = 0;
};

}  // namespace

Node* Node::find(std::string_view key) {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key) return &items[i];
  return nullptr;
}

const char* describe(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return "a single value";
    case Node::Kind::list:
      return "a list";
    case Node::Kind::map:
      return "a map";
  }
  return "";
}

Node parse_tree(const std::vector<Source>& sources, std::uint32_t source, std::string_view text, std::uint32_t column,
                std::vector<Fault>& faults) {
  Builder builder(sources, source, column, faults);
  if (text.size() > max_text) builder.refuse(YAML::Mark(), "larger than " + std::to_string(max_text >> 20) + " MiB");
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    Node root = builder.take();
    class Second : public Builder {
     public:
      using Builder::Builder;
      void OnDocumentStart(const YAML::Mark& mark) override { refuse(mark, "a second document in one file"); }
    } second(sources, source, column, faults);
    parser.HandleNextDocument(second);
    return root;
  } catch (const YAML::Exception& e) {
    builder.refuse(e.mark, "not YAML: " + e.msg);
  }
}

}  // namespace tutti::config
