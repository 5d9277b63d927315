#include "workload/check_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace tutti::workload {
namespace {

/// A send or receive that finds no partner.
struct Single {
  std::uint32_t key = 0;
  MessageKeys::Message message;
  std::uint64_t missing = 0;  ///< bytes
};

class Matching {
 public:
  Matching(const std::vector<Trace>& traces, const MessageKeys& keys, bool one_to_one, CheckLog& log)
      : traces_(traces), keys_(keys), one_to_one_(one_to_one), log_(log) {}

  void run() {
    for (std::uint32_t k = 0; k < keys_.keys().size(); ++k) one_key(k);
    report(receives_, sends_, false);
    report(sends_, receives_, true);
  }

 private:
  using Message = MessageKeys::Message;

  void one_key(std::uint32_t k) {
    const MessageKeys::Key& key = keys_.keys()[k];
    const Message* const s = keys_.messages().data() + key.first_send;
    const Message* const r = keys_.messages().data() + key.first_receive;
    const std::uint64_t pairs = std::min(key.sends, key.receives);
    std::uint64_t sent = 0, expected = 0, different = 0;
    for (std::uint64_t i = 0; i < key.sends; ++i) sent += s[i].bytes;
    for (std::uint64_t i = 0; i < key.receives; ++i) expected += r[i].bytes;
    for (std::uint64_t i = 0; i < pairs; ++i) different += s[i].bytes != r[i].bytes ? 1 : 0;
    if (different == 0 && key.sends == key.receives) return;
    const bool pairwise = one_to_one_ || key.sends == key.receives || different == 0;
    if (pairwise) {
      for (std::uint64_t i = 0; i < pairs; ++i)
        if (s[i].bytes != r[i].bytes) sizes(key, s[i], r[i], one_to_one_ || sent != expected);
      for (std::uint64_t i = pairs; i < key.sends; ++i) sends_.push_back({k, s[i], s[i].bytes});
      for (std::uint64_t i = pairs; i < key.receives; ++i) receives_.push_back({k, r[i], r[i].bytes});
      return;
    }
    // A stream of bytes that several messages share: what lies beyond the other side's bytes is left over.
    beyond(k, s, key.sends, expected, sends_);
    beyond(k, r, key.receives, sent, receives_);
  }

  static void beyond(std::uint32_t k, const Message* m, std::uint64_t count, std::uint64_t bytes,
                     std::vector<Single>& out) {
    std::uint64_t end = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      end += m[i].bytes;
      if (end > bytes) out.push_back({k, m[i], std::min(m[i].bytes, end - bytes)});
    }
  }

  const Node& node(std::uint32_t rank, const Message& m) const { return traces_[rank].nodes[m.node]; }

  void sizes(const MessageKeys::Key& key, const Message& s, const Message& r, bool error) {
    const Node& from = node(key.source, s);
    const Node& to = node(key.destination, r);
    log_.node(
        error, "size-mismatch", traces_[key.destination], to,
        [&] {
          return fmt::format("receives {} bytes with tag {}, but node {} '{}' of rank {} sends {}", r.bytes, key.tag,
                             from.id, traces_[key.source].name(from), key.source, s.bytes);
        },
        error ? "" : "as a stream of bytes both sides agree; --matching message refuses this");
  }

  /// Singles of the other side, in three orders, to find the nearest miss.
  struct Index {
    std::vector<const Single*> by_pair, by_source, by_destination;
  };

  template <class Fields>
  std::vector<const Single*> sorted(const std::vector<Single>& all, Fields fields) const {
    std::vector<const Single*> out;
    for (const Single& s : all) out.push_back(&s);
    std::stable_sort(out.begin(), out.end(), [&](const Single* a, const Single* b) { return fields(*a) < fields(*b); });
    return out;
  }
  template <class Fields>
  const Single* find(const std::vector<const Single*>& list, const Single& wanted, Fields fields) const {
    const auto it = std::lower_bound(list.begin(), list.end(), fields(wanted),
                                     [&](const Single* a, const auto& value) { return fields(*a) < value; });
    return it != list.end() && fields(**it) == fields(wanted) ? *it : nullptr;
  }

  void report(const std::vector<Single>& singles, const std::vector<Single>& others, bool send) {
    const auto key = [&](const Single& s) -> const MessageKeys::Key& { return keys_.keys()[s.key]; };
    const auto pair = [&](const Single& s) { return std::pair(key(s).source, key(s).destination); };
    const auto source = [&](const Single& s) { return std::pair(key(s).source, key(s).tag); };
    const auto destination = [&](const Single& s) { return std::pair(key(s).destination, key(s).tag); };
    if (singles.empty()) return;
    const auto by_pair = sorted(others, pair), by_source = sorted(others, source),
               by_destination = sorted(others, destination);
    const char* const word = send ? "receive" : "send";
    for (const Single& s : singles) {
      const MessageKeys::Key& k = key(s);
      const std::uint32_t rank = send ? k.source : k.destination;
      const char* const rule = send ? "send-without-receive" : "receive-without-send";
      std::string hint;
      if (log_.lists(rule)) {
        const auto told = [&](const Single& o) {
          const std::uint32_t other = send ? key(o).destination : key(o).source;
          return fmt::format("node {} of rank {}", node(other, o.message).id, other);
        };
        if (const Single* same = find(by_pair, s, pair); same && key(*same).tag != k.tag)
          hint = fmt::format("a {} with tag {} exists: {}", word, key(*same).tag, told(*same));
        else if (const Single* elsewhere = find(by_source, s, source); elsewhere && elsewhere->key != s.key)
          hint = fmt::format("a {} with this tag from rank {} to rank {} exists: {}", word, k.source,
                             key(*elsewhere).destination, told(*elsewhere));
        else if (const Single* other = find(by_destination, s, destination); other && other->key != s.key)
          hint = fmt::format("a {} with this tag from rank {} to rank {} exists: {}", word, key(*other).source,
                             k.destination, told(*other));
        else if ((send ? k.receives : k.sends) == 0)
          hint = fmt::format("no {} with tag {} from rank {} to rank {} exists", word, k.tag, k.source, k.destination);
        else
          hint = fmt::format("this key has {} sends and {} receives", k.sends, k.receives);
      }
      log_.node(
          true, rule, traces_[rank], node(rank, s.message),
          [&] {
            const std::string part = s.missing == s.message.bytes ? "" : fmt::format("{} of ", s.missing);
            return send ? fmt::format("{}{} bytes with tag {} to rank {} have no receive", part, s.message.bytes, k.tag,
                                      k.destination)
                        : fmt::format("{}{} bytes with tag {} from rank {} are not sent", part, s.message.bytes, k.tag,
                                      k.source);
          },
          hint);
    }
  }

  const std::vector<Trace>& traces_;
  const MessageKeys& keys_;
  const bool one_to_one_;
  CheckLog& log_;
  std::vector<Single> sends_, receives_;
};

}  // namespace

void check_matching(const std::vector<Trace>& traces, const MessageKeys& keys, bool one_to_one, CheckLog& log) {
  Matching(traces, keys, one_to_one, log).run();
}

}  // namespace tutti::workload
