#include <fmt/format.h>

#include <charconv>

#include "base/config_document.h"
#include "base/error.h"

namespace tutti {

using config::Node;
using config::Place;

void ConfigOverlay::add(std::string assignment, std::string option) {
  One one;
  one.equals = assignment.find('=');
  one.source = {config::Source::Kind::flag, std::move(option), std::move(assignment),
                std::make_shared<config::Assignment>()};
  const std::string& text = one.source.text;
  const auto refuse = [&](std::size_t at, const std::string& why) {
    throw ConfigError(config::render({one.source}, {{{0, 1, static_cast<std::uint32_t>(at + 1)}, why}}));
  };
  if (one.equals == std::string::npos) refuse(text.size(), "expected path.to.key=value");
  for (std::size_t at = 0; at <= one.equals;) {
    const std::size_t end = std::min(text.find('.', at), one.equals);
    if (end == at) refuse(at, "expected path.to.key=value: a key is empty");
    at = end + 1;
  }
  std::vector<config::Fault> faults;
  config::parse_tree({one.source}, 0, std::string_view(text).substr(one.equals + 1),
                     static_cast<std::uint32_t>(one.equals + 1), faults);
  if (!faults.empty()) throw ConfigError(config::render({one.source}, std::move(faults)));
  all_.push_back(std::make_shared<One>(std::move(one)));
}

void ConfigOverlay::finish() const {
  std::string text;
  for (const auto& one : all_) {
    const config::Assignment& state = *one->source.assignment;
    if (state.read) continue;
    text += text.empty() ? "" : "\n";
    text +=
        !state.fault.empty() ? state.fault : config::render({one->source}, {{{0, 1, 1}, "nothing reads this path"}});
  }
  if (!text.empty()) throw ConfigError(text);
}

void Config::apply(const ConfigOverlay& overlay) {
  for (const auto& one : overlay.all_) {
    const auto index = static_cast<std::uint32_t>(document_->sources.size());
    document_->sources.push_back(one->source);
    const std::string_view text = one->source.text;
    Node* node = &document_->root;
    bool lost = false;
    for (std::size_t at = 0; at <= one->equals && !lost;) {
      const std::size_t end = std::min(text.find('.', at), one->equals);
      const std::string_view key = text.substr(at, end - at);
      const Place place{index, 1, static_cast<std::uint32_t>(at + 1)};
      const auto lose = [&](const std::string& why) {
        one->source.assignment->fault = config::render(document_->sources, {{place, why}});
        lost = true;
      };
      at = end + 1;
      if (node->kind == Node::Kind::list) {
        std::size_t entry = 0;
        const auto [last, error] = std::from_chars(key.data(), key.data() + key.size(), entry);
        if (error != std::errc() || last != key.data() + key.size() || entry >= node->items.size())
          lose(fmt::format("no entry '{}' in a list of {}", key, node->items.size()));
        else
          node = &node->items[entry];
        continue;
      }
      if (node->kind == Node::Kind::scalar && !node->on_path) {
        lose(fmt::format("'{}' would be a key of a single value", key));
        continue;
      }
      if (node->kind != Node::Kind::map) {
        node->kind = Node::Kind::map;
        node->place = place;
      }
      if (!node->find(key)) {
        node->keys.emplace_back(key);
        node->key_places.push_back(place);
        node->items.emplace_back();
        node->items.back().place = place;
        node->items.back().on_path = true;
      }
      node = node->find(key);
    }
    if (lost) continue;
    if (node->leaf) document_->sources[node->place.source].assignment->read = true;  // a later one wins
    std::vector<config::Fault> none;
    *node = config::parse_tree(document_->sources, index, text.substr(one->equals + 1),
                               static_cast<std::uint32_t>(one->equals + 1), none);
    if (node->kind == Node::Kind::null) node->place = {index, 1, static_cast<std::uint32_t>(one->equals + 2)};
    node->on_path = node->leaf = true;
  }
}

}  // namespace tutti
