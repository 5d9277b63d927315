#include "base/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/config_document.h"
#include "base/error.h"
#include "base/suggest.h"

namespace tutti {

using config::Document;
using config::Node;
using config::Source;

namespace {

std::string joined(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

Node parse_root(Document& document, Source source) {
  const auto index = static_cast<std::uint32_t>(document.sources.size());
  document.sources.push_back(std::move(source));
  Node root = config::parse_tree(document.sources, index, document.sources[index].text, 0, document.faults);
  if (root.kind == Node::Kind::null) {
    root = Node();
    root.kind = Node::Kind::map;
    root.place = {index, 0, 0};
  }
  return root;
}

void add_missing(Node& to, Node from) {
  if (to.kind != Node::Kind::map || from.kind != Node::Kind::map) return;
  for (std::size_t i = 0; i < from.keys.size(); ++i) {
    if (Node* const there = to.find(from.keys[i])) {
      add_missing(*there, std::move(from.items[i]));
      continue;
    }
    to.keys.push_back(std::move(from.keys[i]));
    to.key_places.push_back(from.key_places[i]);
    to.items.push_back(std::move(from.items[i]));
  }
}

void report_leftovers(Document& document, Node& node, const std::string& path) {
  if (node.read && node.leaf) document.sources[node.place.source].assignment->read = true;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    Node& item = node.items[i];
    if (node.kind == Node::Kind::list) {
      if (item.read) report_leftovers(document, item, joined(path, std::to_string(i)));
      continue;
    }
    if (item.read) {
      report_leftovers(document, item, joined(path, node.keys[i]));
      continue;
    }
    if (!node.opened) continue;
    const std::string near = did_you_mean(node.keys[i], std::span<const std::string>(node.asked));
    const std::string message =
        fmt::format("unknown key '{}'{}{}", node.keys[i], path.empty() ? "" : " in " + path, near);
    const Source& source = document.sources[node.key_places[i].source];
    if (item.on_path && source.assignment)
      source.assignment->fault = config::render(document.sources, {{node.key_places[i], message}});
    else if (source.kind != Source::Kind::built_in || document.sources.front().kind == Source::Kind::built_in)
      document.fault(node.key_places[i], message);
  }
}

}  // namespace

std::vector<ConfigValue> ConfigValue::list() const {
  std::vector<ConfigValue> result;
  if (!node_) return result;
  if (node_->kind != Node::Kind::list) {
    fault(fmt::format("expected a list, not {}", config::describe(node_->kind)));
    return result;
  }
  for (std::size_t i = 0; i < node_->items.size(); ++i) {
    ConfigValue one = *this;
    one.node_ = one.anchor_ = &node_->items[i];
    one.node_->read = true;
    one.path_ = joined(path_, std::to_string(i));
    result.push_back(std::move(one));
  }
  return result;
}

ConfigMap ConfigValue::map() const {
  ConfigMap result;
  result.value_ = *this;
  if (node_ && node_->kind != Node::Kind::map) {
    fault(fmt::format("expected a map, not {}", config::describe(node_->kind)));
    result.value_.node_ = nullptr;
    result.value_.quiet_ = true;
  }
  if (result.value_.node_) result.value_.node_->opened = true;
  return result;
}

ConfigValue ConfigMap::at(std::string_view key) const {
  ConfigValue result = value_;
  result.path_ = joined(value_.path_, key);
  result.node_ = value_.node_ ? value_.node_->find(key) : nullptr;
  if (value_.node_) {
    auto& asked = value_.node_->asked;
    if (std::find(asked.begin(), asked.end(), key) == asked.end()) asked.emplace_back(key);
  }
  if (result.node_) {
    result.node_->read = true;
    result.anchor_ = result.node_;
  }
  return result;
}

bool ConfigMap::has(std::string_view key) const { return value_.node_ && value_.node_->find(key) != nullptr; }

std::vector<std::pair<std::string, ConfigValue>> ConfigMap::entries() const {
  std::vector<std::pair<std::string, ConfigValue>> result;
  if (!value_.node_) return result;
  for (std::size_t i = 0; i < value_.node_->items.size(); ++i) {
    ConfigValue one = value_;
    one.node_ = one.anchor_ = &value_.node_->items[i];
    one.node_->read = true;
    one.path_ = joined(value_.path_, value_.node_->keys[i]);
    result.emplace_back(value_.node_->keys[i], std::move(one));
  }
  return result;
}

template <class T, class One>
std::vector<T> ConfigMap::read_list(std::string_view key, std::optional<std::vector<T>> fallback, One one) const {
  const ConfigValue value = at(key);
  std::vector<T> result;
  if (!value.node_) {
    if (!fallback) {
      value.fault("is missing; expected a list");
      return result;
    }
    value.document_->settings.push_back({value.path_, fmt::format("[{}]", fmt::join(*fallback, ", ")), "default"});
    return *std::move(fallback);
  }
  for (const ConfigValue& entry : value.list()) result.push_back(one(entry));
  return result;
}

std::vector<std::int64_t> ConfigMap::integers(std::string_view key, std::optional<std::vector<std::int64_t>> fallback,
                                              Range<std::int64_t> range) const {
  return read_list<std::int64_t>(key, std::move(fallback), [&](const ConfigValue& v) { return v.integer({}, range); });
}
std::vector<double> ConfigMap::numbers(std::string_view key, std::optional<std::vector<double>> fallback,
                                       Range<double> range) const {
  return read_list<double>(key, std::move(fallback), [&](const ConfigValue& v) { return v.number({}, range); });
}
std::vector<std::string> ConfigMap::texts(std::string_view key,
                                          std::optional<std::vector<std::string>> fallback) const {
  return read_list<std::string>(key, std::move(fallback), [](const ConfigValue& v) { return v.text(); });
}

Config::Config(std::unique_ptr<Document> document) : document_(std::move(document)) {}
Config::Config(Config&&) noexcept = default;
Config& Config::operator=(Config&&) noexcept = default;
Config::~Config() = default;

Config Config::file(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) throw ConfigError(path + ": error: is a directory");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw ConfigError(path + ": error: cannot be read");
  std::string text;
  std::vector<char> block(1 << 16);
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())), stream.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > config::max_text) break;  // refused below
  }
  if (stream.bad()) throw ConfigError(path + ": error: cannot be read");
  return Config::text(std::move(text), path);
}

Config Config::text(std::string text, std::string name) {
  auto document = std::make_unique<Document>();
  document->root = parse_root(*document, {Source::Kind::file, std::move(name), std::move(text), nullptr});
  return Config(std::move(document));
}

Config Config::built_in(std::string text, std::string name) {
  auto document = std::make_unique<Document>();
  document->root = parse_root(*document, {Source::Kind::built_in, std::move(name), std::move(text), nullptr});
  return Config(std::move(document));
}

void Config::add_defaults(std::string text, std::string name) {
  add_missing(document_->root,
              parse_root(*document_, {Source::Kind::built_in, std::move(name), std::move(text), nullptr}));
}

ConfigMap Config::root() {
  ConfigValue value;
  value.document_ = document_.get();
  value.node_ = value.anchor_ = &document_->root;
  document_->root.read = true;
  return value.map();
}

void Config::finish() {
  report_leftovers(*document_, document_->root, "");
  if (document_->faults.empty()) return;
  throw ConfigError(config::render(document_->sources, std::exchange(document_->faults, {})));
}

const std::vector<Setting>& Config::settings() const { return document_->settings; }

}  // namespace tutti
