#include "net/backends/packet/ns3/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "base/error.h"
#include "base/suggest.h"
#include "net/backends/packet/ns3/words.h"

namespace tutti::net::packet {
namespace {

using Word = Words::Word;

class Reader {
 public:
  Reader(Words& words, bool astra) : words_(words), astra_(astra) { describe(); }

  Ns3Config read() {
    std::vector<std::string> known;
    for (const auto& [key, action] : keys_) known.push_back(key);
    std::map<std::string, std::size_t> seen;
    while (const Word key = words_.next()) {
      const std::string name(key.text);
      const auto action = keys_.find(name);
      if (action == keys_.end()) {
        words_.fault(key, fmt::format("unknown key '{}'{}", name, did_you_mean(name, known)));
        words_.skip_line(key);
        continue;
      }
      if (const auto [first, fresh] = seen.try_emplace(name, key.line); !fresh)
        words_.fault(key, fmt::format("{} occurs twice, first in line {}", name, first->second));
      if (words_.left_on_line(key) == 0) {
        words_.fault(key, fmt::format("{}: the value is missing", name));
        continue;
      }
      action->second(key);
      if (words_.left_on_line(key) != 0) {
        words_.fault(key, fmt::format("{}: more than its value stands on the line: '{}'", name, words_.peek().text));
        words_.skip_line(key);
      }
    }
    for (const auto& [key, line] : seen) given_.push_back(key);
    finish();
    return std::move(out_);
  }

 private:
  bool given(const char* key) const { return std::ranges::find(given_, key) != given_.end(); }

  template <class T>
  void whole(const char* key, T& to, std::uint64_t least, std::uint64_t most) {
    keys_[key] = [this, key, &to, least, most](const Word&) {
      const Word w = words_.next();
      double number = 0;
      if (!parse_number(w.text, number) || number < static_cast<double>(least) || number > static_cast<double>(most) ||
          number != static_cast<double>(static_cast<std::uint64_t>(number)))
        return words_.fault(w, fmt::format("{}: '{}' is not a whole number from {} to {}", key, w.text, least, most));
      to = static_cast<T>(number);
    };
  }
  void number(const char* key, double& to, double least, double most) {
    keys_[key] = [this, key, &to, least, most](const Word&) {
      const Word w = words_.next();
      double value = 0;
      if (!parse_number(w.text, value) || value < least || value > most)
        return words_.fault(w, fmt::format("{}: '{}' is not a number from {} to {}", key, w.text, least, most));
      to = value;
    };
  }
  void flag(const char* key, bool& to) {
    keys_[key] = [this, key, &to](const Word&) {
      const Word w = words_.next();
      if (w.text != "0" && w.text != "1")
        return words_.fault(w, fmt::format("{}: 0 or 1 is needed, not '{}'", key, w.text));
      to = w.text == "1";
    };
  }
  void rate(const char* key, std::uint64_t& to) {
    keys_[key] = [this, key, &to](const Word&) {
      const Word w = words_.next();
      if (!parse_rate(w.text, to))
        words_.fault(w, fmt::format("{}: '{}' is not a rate with a unit, such as 100Mb/s or 400Gbps", key, w.text));
    };
  }
  void text(const char* key, std::string& to) {
    keys_[key] = [this, &to](const Word&) { to = words_.next().text; };
  }
  /// Read by the reference, without effect on its times.
  void without_effect(const char* key) {
    keys_[key] = [this](const Word& k) { words_.skip_line(k); };
  }
  /// A count, then pairs of a rate in bits a second and a value.
  void map(const char* key, std::map<std::uint64_t, double>& to, double most) {
    keys_[key] = [this, key, &to, most](const Word& k) {
      std::uint64_t count = 0;
      const Word n = words_.next();
      const std::size_t there = words_.left_on_line(k);
      if (!parse_whole(n.text, count) || count * 2 != there) {
        words_.fault(
            n, fmt::format("{}: {} pairs of a rate and a value are announced, {} words follow", key, n.text, there));
        return words_.skip_line(k);
      }
      for (std::uint64_t i = 0; i < count; ++i) {
        const Word rate = words_.next(), value = words_.next();
        std::uint64_t r = 0;
        double v = 0;
        if (!parse_whole(rate.text, r) || r == 0)
          words_.fault(rate, fmt::format("{}: '{}' is not a rate in bits a second", key, rate.text));
        else if (!parse_number(value.text, v) || v < 0 || v > most)
          words_.fault(value, fmt::format("{}: '{}' is not a number from 0 to {}", key, value.text, most));
        else if (!to.emplace(r, v).second)
          words_.fault(rate, fmt::format("{}: the rate {} occurs twice", key, r));
      }
    };
  }

  void describe();
  void link_down();
  void finish();

  Words& words_;
  bool astra_;
  std::map<std::string, std::function<void(const Word&)>> keys_;
  std::vector<std::string> given_;
  Ns3Config out_;
  std::uint64_t mode_ = 1, pause_total_ = 0;
  std::uint64_t buffer_mib_ = 16;
  std::map<std::uint64_t, double> kmax_, kmin_, pmax_;
};

void Reader::describe() {
  Settings& s = out_.settings;
  constexpr std::uint64_t us = 1'000'000'000;
  s.astra = astra_;
  s.timely_stamp = !astra_;
  flag("ENABLE_QCN", s.ecn);
  whole("PACKET_PAYLOAD_SIZE", s.payload, 1, 1U << 20);
  text("TOPOLOGY_FILE", out_.topology_file);
  text("FCT_OUTPUT_FILE", out_.fct_file);
  text("PFC_OUTPUT_FILE", out_.pfc_file);
  text("QLEN_MON_FILE", out_.queue_file);
  whole("CC_MODE", mode_, 0, 1'000'000);
  whole("ALPHA_RESUME_INTERVAL", s.dcqcn.alpha_interval_us, 1, us);
  whole("RATE_DECREASE_INTERVAL", s.dcqcn.decrease_interval_us, 1, us);
  flag("CLAMP_TARGET_RATE", s.dcqcn.clamp_target);
  whole("RP_TIMER", s.dcqcn.increase_timer_us, 1, us);
  number("EWMA_GAIN", s.gain, 0, 1);
  whole("FAST_RECOVERY_TIMES", s.dcqcn.fast_recovery_times, 0, 1U << 30);
  rate("RATE_AI", s.additive_increase);
  rate("RATE_HAI", s.hyper_increase);
  rate("MIN_RATE", s.min_rate);
  rate("DCTCP_RATE_AI", s.dctcp_increase);
  number("ERROR_RATE_PER_LINK", s.loss, 0, 1);
  whole("L2_CHUNK_SIZE", s.chunk, 0, 0xffffffff);
  whole("L2_ACK_INTERVAL", s.ack_interval, 0, 0xffffffff);
  flag("L2_BACK_TO_ZERO", s.back_to_zero);
  flag("HAS_WIN", s.window);
  flag("GLOBAL_T", s.global_window);
  flag("VAR_WIN", s.variable_window);
  flag("FAST_REACT", s.hpcc.fast_react);
  number("U_TARGET", s.hpcc.target, 1e-6, 10);
  whole("MI_THRESH", s.hpcc.additive_stages, 0, 1U << 30);
  whole("INT_MULTI", s.hpcc.unit, 1, 1U << 20);
  flag("MULTI_RATE", s.hpcc.per_hop);
  flag("SAMPLE_FEEDBACK", s.hpcc.skip_idle_hops);
  number("PINT_LOG_BASE", s.pint_log_base, 1.0001, 1000);
  number("PINT_PROB", s.pint_probability, 0, 1);
  flag("RATE_BOUND", s.pace);
  flag("ACK_HIGH_PRIO", s.ack_first);
  whole("BUFFER_SIZE", buffer_mib_, 1, 4095);
  whole("NIC_TOTAL_PAUSE_TIME", pause_total_, 0, us);
  map("KMAX_MAP", kmax_, 1e12);
  map("KMIN_MAP", kmin_, 1e12);
  map("PMAX_MAP", pmax_, 1);
  link_down();
  for (const char* key :
       {"USE_DYNAMIC_PFC_THRESHOLD", "FLOW_FILE", "TRACE_FILE", "TRACE_OUTPUT_FILE", "QLEN_MON_START", "QLEN_MON_END",
        "SIMULATOR_STOP_TIME", "PAUSE_TIME", "ENABLE_TRACE", "DATA_RATE", "LINK_DELAY"})
    without_effect(key);
}

void Reader::link_down() {
  keys_["LINK_DOWN"] = [this](const Word& k) {
    std::uint64_t v[3] = {};
    for (std::uint64_t& x : v) {
      const Word w = words_.next();
      if (!w || w.line != k.line || !parse_whole(w.text, x) || x > 1'000'000'000) {
        words_.fault(k, "LINK_DOWN: three whole numbers are needed: us after 2 s, and the two nodes");
        return words_.skip_line(k);
      }
    }
    if (v[0] == 0) return;  // nothing fails
    out_.settings.failures.push_back(
        {static_cast<int>(v[1]), static_cast<int>(v[2]), static_cast<std::int64_t>(2'000'000 + v[0]) * 1'000'000});
  };
}

void Reader::finish() {
  Settings& s = out_.settings;
  switch (mode_) {
    case 1:
      s.congestion = Congestion::dcqcn;
      break;
    case 3:
      s.congestion = Congestion::hpcc;
      break;
    case 7:
      s.congestion = Congestion::timely;
      break;
    case 8:
      s.congestion = Congestion::dctcp;
      break;
    case 10:
      s.congestion = Congestion::pint;
      break;
    default:
      s.congestion = Congestion::none;
  }
  const auto need = [&](const char* key, const char* why) {
    if (!given(key)) words_.fault(0, fmt::format("key {} is missing{}", key, why));
  };
  need("TOPOLOGY_FILE", "");
  if (mode_ == 1) need("RP_TIMER", ", which DCQCN needs (CC_MODE 1)");
  if (mode_ == 1 || mode_ == 3 || mode_ == 7 || mode_ == 10) {
    need("RATE_AI", ", which the congestion control needs");
    if (mode_ == 1 || mode_ == 7) need("RATE_HAI", ", which the congestion control needs");
  }
  if (!given("L2_ACK_INTERVAL")) s.ack_interval = astra_ ? 0 : 1;
  if (!given("L2_CHUNK_SIZE")) s.chunk = astra_ ? 0 : 4000;
  if (s.ack_interval == 0)
    words_.fault(0, "L2_ACK_INTERVAL is 0, its default: nothing would ever complete; 1 acknowledges every packet");
  if (s.chunk == 0 && (s.ack_interval > s.payload || s.back_to_zero))
    words_.fault(0, "L2_CHUNK_SIZE is 0, its default: packets are counted modulo this size");
  if (s.chunk == 0) s.chunk = 4000;
  if (pause_total_ != 0)
    words_.fault(0, "NIC_TOTAL_PAUSE_TIME: artificial pauses of NICs are not modelled; 0 is needed");
  s.buffer = buffer_mib_ << 20;
  for (const auto& [rate, kmax] : kmax_) {
    const auto kmin = kmin_.find(rate);
    const auto pmax = pmax_.find(rate);
    if (kmin == kmin_.end() || pmax == pmax_.end()) {
      words_.fault(
          0, fmt::format("KMAX_MAP has the rate {}, {} has not", rate, kmin == kmin_.end() ? "KMIN_MAP" : "PMAX_MAP"));
      continue;
    }
    if (kmin->second > kmax) words_.fault(0, fmt::format("KMIN_MAP exceeds KMAX_MAP at the rate {}", rate));
    s.ecn_thresholds.push_back(
        {rate, static_cast<std::uint64_t>(kmin->second * 1000), static_cast<std::uint64_t>(kmax * 1000), pmax->second});
  }
  for (const auto* other : {&kmin_, &pmax_})
    for (const auto& [rate, value] : *other)
      if (!kmax_.contains(rate))
        words_.fault(
            0, fmt::format("{} has the rate {}, KMAX_MAP has not", other == &kmin_ ? "KMIN_MAP" : "PMAX_MAP", rate));
  if (!astra_) s.retransmit_ps = 100'000'000;
  if (words_.has_faults()) throw ConfigError(words_.faults());
}

}  // namespace

Ns3Config parse_ns3_config(const std::string& text, const std::string& path, bool astra) {
  Words words(text, path);
  return Reader(words, astra).read();
}

Ns3Config read_ns3_config(const std::string& path, bool astra) {
  const Words words = Words::from_file(path);
  return parse_ns3_config(words.text(), path, astra);
}

bool is_ns3_config(const std::string& text) {
  Words words(text, "");
  while (const Word w = words.next())
    if (w.text == "TOPOLOGY_FILE" || w.text == "CC_MODE" || w.text == "PACKET_PAYLOAD_SIZE") return true;
  return false;
}

}  // namespace tutti::net::packet
