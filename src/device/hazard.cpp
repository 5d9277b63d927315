#include "device/hazard.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"

namespace tutti::device {
namespace {

std::string place(Where w) {
  const std::string_view all = w.file_name();
  const auto slash = all.rfind('/');
  return fmt::format("{}:{}", slash == std::string_view::npos ? all : all.substr(slash + 1), w.line());
}
constexpr std::size_t most = 20;  ///< hazards that are described

}  // namespace

HazardDetector::HazardDetector(std::size_t pes, std::uint32_t n_slots) : n_slots_(n_slots), clocks_(pes, Clock(pes)) {
  for (std::size_t i = 0; i < pes; ++i) clocks_[i][i] = 1;
  cells_[0];
}

std::uint32_t HazardDetector::remember(std::string text) {
  texts_.push_back(std::move(text));
  return static_cast<std::uint32_t>(texts_.size() - 1);
}

bool HazardDetector::ordered(const Access& a, const Clock& now) const {
  if (!a.until) return now[static_cast<std::size_t>(a.pe)] >= a.time;
  const auto m = messages_.find(*a.until);
  if (m == messages_.end()) return true;  // its slot has been reused since, which needed the receive
  return m->second.received && now[static_cast<std::size_t>(a.until->pe)] >= *m->second.received;
}

std::map<Address, HazardDetector::Cell>::iterator HazardDetector::split(Address at) {
  auto next = cells_.upper_bound(at);
  const auto cell = std::prev(next);
  return cell->first == at ? cell : cells_.emplace_hint(next, at, cell->second);
}

void HazardDetector::access(const Access& a, const Clock& now, Address at, std::uint64_t bytes, bool writes) {
  if (bytes == 0) return;
  const auto first = split(at), end = split(at + bytes);
  for (auto cell = first; cell != end; ++cell) {
    const auto conflict = [&](const Access& old, const char* how) {
      if (ordered(old, now) || hazards_.size() >= most) return;
      std::string text = fmt::format("hazard: {} {:#x}, unordered {}:\n  {}\n  {}", writes ? "write to" : "read of",
                                     cell->first, how, texts_[old.text], texts_[a.text]);
      if (std::find(hazards_.begin(), hazards_.end(), text) == hazards_.end()) hazards_.push_back(std::move(text));
    };
    if (cell->second.write) conflict(*cell->second.write, "with an earlier write");
    if (writes) {
      for (const Access& r : cell->second.reads) conflict(r, "with an earlier read");
      cell->second.write = a;
      cell->second.reads.clear();
    } else {
      std::erase_if(cell->second.reads, [&](const Access& r) { return ordered(r, now) && r.pe == a.pe; });
      cell->second.reads.push_back(a);
    }
  }
}

void HazardDetector::send_issued(const SendRecord& r, Time t) {
  Clock& now = clock(r.pe);
  MessageKey reused = r.message;
  if (r.message.sequence >= n_slots_) {  // the credit that freed the slot
    reused.sequence -= n_slots_;
    if (const auto freed = releases_.find(reused); freed != releases_.end()) {
      for (std::size_t i = 0; i < now.size(); ++i) now[i] = std::max(now[i], freed->second[i]);
      releases_.erase(freed);
    }
  }
  const std::uint32_t text =
      remember(fmt::format("PE {} send {} of {} B from {:#x}, message {}, slot {:#x}, at {} ({})", r.pe, name(r.port),
                           r.bytes, r.source, r.message.sequence, r.slot, to_string(t), place(r.where)));
  messages_[r.message] = {now, r.slot, r.bytes, text, false, {}};
  access({r.pe, 0, r.message, text}, now, r.source, r.bytes, false);
  ++now[static_cast<std::size_t>(r.pe)];
}

void HazardDetector::slot_written(const MessageKey& m, Time) {
  Message& message = messages_.at(m);
  message.written = true;
  access({m.pe, 0, m, message.text}, message.clock, message.slot, message.bytes, true);
}

void HazardDetector::received(const ReceiveRecord& r, Time t) {
  Message& m = messages_.at(r.message);
  Clock& now = clock(r.message.pe);
  if (!m.written)
    hazards_.push_back(fmt::format(
        "hazard: PE {} recv {} of message {} at {} ({}) before its slot {:#x} was written:\n  {}", r.message.pe,
        name(r.message.port), r.message.sequence, to_string(t), place(r.where), r.slot, texts_[m.text]));
  for (std::size_t i = 0; i < now.size(); ++i) now[i] = std::max(now[i], m.clock[i]);
  m.received = ++now[static_cast<std::size_t>(r.message.pe)];
  m.clock = {};
}

void HazardDetector::released(const MessageKey& m, Time) {
  Clock& now = clock(m.pe);
  releases_[m] = now;
  ++now[static_cast<std::size_t>(m.pe)];
}

void HazardDetector::local(std::int32_t pe, const char* call, Where where, Time begin, Time end,
                           const std::vector<std::pair<Address, std::uint64_t>>& reads, Address write,
                           std::uint64_t bytes) {
  const Clock& now = clock(pe);
  const Access a{pe,
                 now[static_cast<std::size_t>(pe)],
                 {},
                 remember(fmt::format("PE {} {} to {:#x} from {} to {} ({})", pe, call, write, to_string(begin),
                                      to_string(end), place(where)))};
  for (const auto& [at, size] : reads) access(a, now, at, size, false);
  access(a, now, write, bytes, true);
}

void HazardDetector::reduced(const ReduceRecord& r, Time begin, Time end) {
  const auto bytes = static_cast<std::uint64_t>(r.elements * memory::size_of(r.dtype));
  local(r.pe, "reduce", r.where, begin, end, {{r.operand, bytes}, {r.accumulator, bytes}}, r.accumulator, bytes);
}

void HazardDetector::copied(const CopyRecord& r, Time begin, Time end) {
  local(r.pe, "copy", r.where, begin, end, {{r.source, r.bytes}}, r.destination, r.bytes);
}

void HazardDetector::gemm_ended(const GemmRecord& r, std::uint64_t, Time t) {
  const auto size = [&r](std::int64_t a, std::int64_t b) {
    return static_cast<std::uint64_t>(a * b * memory::size_of(r.dtype));
  };
  local(r.pe, "gemm", r.where, t, t, {{r.a, size(r.m, r.k)}, {r.b, size(r.k, r.n)}}, r.c, size(r.m, r.n));
}

void HazardDetector::barrier_passed(std::uint64_t, Time) {
  Clock all(clocks_.size());
  for (const Clock& c : clocks_)
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], c[i]);
  for (std::size_t i = 0; i < all.size(); ++i) {
    clocks_[i] = all;
    ++clocks_[i][i];
  }
}

void HazardDetector::check() const {
  if (hazards_.empty()) return;
  std::string text;
  for (const std::string& h : hazards_) text += (text.empty() ? "" : "\n") + h;
  throw ViolationError(text);
}

}  // namespace tutti::device
