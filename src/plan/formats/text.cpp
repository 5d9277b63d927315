#include "plan/formats/text.h"

#include <charconv>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/error.h"
#include "plan/recorded.h"

namespace tutti::plan {
namespace {

constexpr std::string_view first_line = "tutti schedule 1";
constexpr std::int64_t most = std::int64_t{1} << 50;

bool has_routing(CollectiveKind k) { return k == CollectiveKind::moe_dispatch || k == CollectiveKind::moe_combine; }

/// One line as words and numbers.
class Line {
 public:
  Line(std::string_view text, const std::string& name, int number) : rest_(text), name_(name), number_(number) {}

  [[noreturn]] void fault(const std::string& why) const {
    throw ConfigError(fmt::format("{}:{}: error: {}", name_, number_, why));
  }
  bool take(std::string_view token) {
    skip();
    if (!rest_.starts_with(token)) return false;
    const auto after = rest_.substr(token.size());
    if (is_word(token.back()) && !after.empty() && is_word(after.front())) return false;
    rest_ = after;
    return true;
  }
  void need(std::string_view token) {
    if (!take(token)) fault(fmt::format("'{}' is expected where '{}' is", token, rest_));
  }
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    skip();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) fault(fmt::format("a number is expected where '{}' is", rest_));
    if (value < low || value > high) fault(fmt::format("{}: {} to {} is possible", value, low, high));
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  int rank(int ranks) { return static_cast<int>(integer(0, ranks - 1)); }
  std::string_view word() {
    skip();
    std::size_t n = 0;
    while (n < rest_.size() && rest_[n] != ' ') ++n;
    const auto w = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return w;
  }
  bool ended() {
    skip();
    return rest_.empty();
  }
  void end() {
    if (!ended()) fault(fmt::format("'{}' is too much", rest_));
  }

 private:
  static bool is_word(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
  void skip() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\r'))
      rest_.remove_prefix(1);
  }
  std::string_view rest_;
  const std::string& name_;
  int number_;
};

class Parser {
 public:
  explicit Parser(const std::string& name) : name_(name) {}

  void line(std::string_view text, int number) {
    text = text.substr(0, text.find('#'));
    Line l(text.substr(0, text.find_last_not_of(" \t\r") + 1), name_, number);
    if (l.ended()) return;
    if (!begun_) {
      l.need(first_line);
      begun_ = true;
    } else if (l.take("algorithm")) {
      algorithm_ = l.word();
    } else if (l.take("collective")) {
      collective(l);
    } else if (c_.ranks == 0) {
      l.fault("'collective' must come first");
    } else if (l.take("in_place")) {
      if (!c_.can_be_in_place()) l.fault(fmt::format("{} cannot be in place", plan::name(c_.kind)));
      in_place_ = true;
    } else if (l.take("counts")) {
      if (c_.kind != CollectiveKind::all_to_all_v) l.fault("only all_to_all_v has counts");
      if (c_.counts.size() == static_cast<std::size_t>(c_.ranks) * static_cast<std::size_t>(c_.ranks))
        l.fault("more counts than ranks");
      for (int d = 0; d < c_.ranks; ++d) c_.counts.push_back(l.integer(0, most));
    } else if (has_routing(c_.kind) && l.take("token")) {
      auto& token = routing_.experts[static_cast<std::size_t>(l.rank(c_.ranks))].emplace_back();
      while (!l.ended()) token.push_back(l.rank(c_.ranks));
    } else if (l.take("rank")) {
      const auto r = static_cast<std::size_t>(l.rank(c_.ranks));
      if (r != recorded_.steps.size()) l.fault(fmt::format("rank {} is expected here", recorded_.steps.size()));
      recorded_.steps.emplace_back();
      recorded_.scratch.push_back(l.take("scratch") ? l.integer(0, most) : 0);
    } else if (recorded_.steps.empty()) {
      l.fault("'rank' must come before its steps");
    } else if (l.take("stream")) {
      const auto next = static_cast<std::int64_t>(recorded_.steps.back().size());
      if (next > 65535) l.fault("more than 65536 streams");
      if (l.integer(0, most) != next) l.fault(fmt::format("stream {} is expected here", next));
      recorded_.steps.back().emplace_back();
    } else if (recorded_.steps.back().empty()) {
      l.fault("'stream' must come before its steps");
    } else {
      recorded_.steps.back().back().push_back(step(l));
    }
    l.end();
  }

  Schedule finish(int lines) {
    Line l("", name_, lines);
    if (c_.ranks == 0) l.fault("there is no 'collective'");
    if (recorded_.steps.size() != static_cast<std::size_t>(c_.ranks))
      l.fault(fmt::format("rank {} is missing", recorded_.steps.size()));
    if (has_routing(c_.kind)) c_.routing = std::make_shared<const Routing>(std::move(routing_));
    try {
      c_.check();
    } catch (const ConfigError& e) {
      l.fault(e.what());
    }
    return replay(std::string(algorithm_), std::move(c_), in_place_, std::move(recorded_));
  }

 private:
  void collective(Line& l) {
    if (c_.ranks != 0) l.fault("a second collective");
    const auto kind = l.word();
    try {
      c_.kind = collective_kind(kind);
    } catch (const ConfigError& e) {
      l.fault(e.what());
    }
    l.need("ranks");
    const auto ranks = static_cast<int>(l.integer(1, 1 << 20));
    if (l.take("count")) c_.count = l.integer(0, most);
    if (l.take("root")) c_.root = l.rank(ranks);
    if (has_routing(c_.kind)) {
      l.need("hidden");
      routing_.hidden = l.integer(0, most);
      routing_.experts.resize(static_cast<std::size_t>(ranks));
    }
    c_.ranks = ranks;
  }
  Slice slice(Line& l) const {
    Slice s;
    s.buffer = l.take("input") ? Buffer::input : l.take("output") ? Buffer::output : Buffer::scratch;
    if (s.buffer == Buffer::scratch) l.need("scratch");
    l.need("[");
    s.begin = l.integer(0, most);
    l.need("..");
    s.count = l.integer(s.begin, most) - s.begin;
    l.need(")");
    return s;
  }
  Step step(Line& l) const {
    Step s;
    if (l.take("send")) {
      s.action = Action::send;
    } else if (l.take("receive_reduce")) {
      s.action = Action::receive_reduce;
    } else if (l.take("receive")) {
      s.action = Action::receive;
    } else if (l.take("copy")) {
      s.action = Action::copy;
    } else if (l.take("reduce")) {
      s.action = Action::reduce;
    } else {
      l.need("wait");
    }
    if (s.sends() || s.receives()) {
      s.signal = s.action != Action::receive_reduce && l.take("a signal");
      if (!s.signal) (s.sends() ? s.source : s.target) = slice(l);
      l.need(s.sends() ? "to" : "from");
      s.peer = l.rank(c_.ranks);
      l.need("on channel");
      s.channel = static_cast<int>(l.integer(0, 1 << 20));
    } else if (s.action != Action::wait) {
      s.source = slice(l);
      l.need("to");
      s.target = slice(l);
      if (s.source.count != s.target.count) l.fault("source and target differ in size");
    }
    if (l.take("after")) {
      s.after_stream = static_cast<int>(l.integer(0, 65535));
      l.need(":");
      s.after_step = l.integer(0, most);
    }
    return s;
  }

  const std::string& name_;
  bool begun_ = false, in_place_ = false;
  std::string algorithm_ = "unnamed";
  Collective c_{CollectiveKind::all_reduce, 0, 0, 0, {}, {}};
  Routing routing_;
  Recorded recorded_;
};

}  // namespace

std::string write_text(const Schedule& s) {
  const Collective& c = s.collective;
  fmt::memory_buffer out;
  const auto line = [&out](fmt::string_view format, auto&&... args) {
    fmt::format_to(std::back_inserter(out), fmt::runtime(format), args...);
    out.push_back('\n');
  };
  line("{}", first_line);
  line("algorithm {}", s.algorithm);
  fmt::format_to(std::back_inserter(out), "collective {} ranks {} count {} root {}", name(c.kind), c.ranks, c.count,
                 c.root);
  line("{}", has_routing(c.kind) ? fmt::format(" hidden {}", c.routing->hidden) : "");
  if (s.in_place) line("in_place");
  if (c.kind == CollectiveKind::all_to_all_v)
    for (int r = 0; r < c.ranks; ++r)
      line("counts {}", fmt::join(c.counts.begin() + std::int64_t{r} * c.ranks,
                                  c.counts.begin() + std::int64_t{r + 1} * c.ranks, " "));
  if (has_routing(c.kind))
    for (std::size_t r = 0; r < c.routing->experts.size(); ++r)
      for (const auto& experts : c.routing->experts[r]) line("token {} {}", r, fmt::join(experts, " "));
  for (int r = 0; r < c.ranks; ++r) {
    line("rank {} scratch {}", r, s.scratch(r));
    for (int stream = 0; stream < s.streams; ++stream) {
      line("stream {}", stream);
      for (auto steps = s.steps(r, stream); const Step* step = steps.next();) line("  {}", describe(*step));
    }
  }
  return fmt::to_string(out);
}

Schedule parse_text(std::string_view text, const std::string& name) {
  Parser parser(name);
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    parser.line(text.substr(0, end), ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parser.finish(number);
}

Schedule read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw ConfigError(fmt::format("{}: error: cannot be read", path));
  std::ostringstream text;
  text << in.rdbuf();
  return parse_text(text.str(), path);
}

}  // namespace tutti::plan
