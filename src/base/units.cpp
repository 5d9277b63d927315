#include "base/units.h"

#include <array>
#include <charconv>
#include <cmath>

namespace tutti {
namespace {

__extension__ using Wide = __int128;

struct Unit {
  std::string_view name;
  std::int64_t factor;  // in base units
};

constexpr std::array<Unit, 5> kTime{
    {{"ps", 1}, {"ns", 1'000}, {"us", 1'000'000}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}}};
constexpr std::array<Unit, 9> kBytes{{{"B", 1},
                                      {"KB", 1'000},
                                      {"MB", 1'000'000},
                                      {"GB", 1'000'000'000},
                                      {"TB", 1'000'000'000'000},
                                      {"KiB", 1LL << 10},
                                      {"MiB", 1LL << 20},
                                      {"GiB", 1LL << 30},
                                      {"TiB", 1LL << 40}}};
constexpr std::array<Unit, 13> kRate{{{"bps", 1},
                                      {"Kbps", 1'000},
                                      {"Mbps", 1'000'000},
                                      {"Gbps", 1'000'000'000},
                                      {"Tbps", 1'000'000'000'000},
                                      {"B/s", 8},
                                      {"KB/s", 8'000},
                                      {"MB/s", 8'000'000},
                                      {"GB/s", 8'000'000'000},
                                      {"TB/s", 8'000'000'000'000},
                                      {"KiB/s", 8LL << 10},
                                      {"MiB/s", 8LL << 20},
                                      {"GiB/s", 8LL << 30}}};

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

/// Decimal text times a unit, exact where the product is whole, else rounded to nearest (half up).
template <std::size_t N>
bool parse_quantity(std::string_view text, const std::array<Unit, N>& units, const char* noun, const char* example,
                    std::int64_t& out, std::string& why) {
  const auto fail = [&](const std::string& reason) {
    why = "'" + std::string(text) + "': " + reason + "; expected " + noun + " such as \"" + example + "\"";
    return false;
  };
  std::string_view s = trim(text);
  bool negative = false;
  if (!s.empty() && (s.front() == '-' || s.front() == '+')) {
    negative = s.front() == '-';
    s.remove_prefix(1);
  }
  Wide digits = 0;
  int decimals = 0;
  bool any = false, point = false;
  std::size_t i = 0;
  for (; i < s.size(); ++i) {
    const char c = s[i];
    if (c >= '0' && c <= '9') {
      if (digits > static_cast<Wide>(1) << 90) return fail("too many digits");
      digits = digits * 10 + (c - '0');
      any = true;
      if (point) ++decimals;
    } else if (c == '.' && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (!any) return fail("not a number");
  int exponent = 0;
  if (i + 1 < s.size() && (s[i] == 'e' || s[i] == 'E') &&
      (std::isdigit(static_cast<unsigned char>(s[i + 1])) || s[i + 1] == '-' || s[i + 1] == '+')) {
    const char* first = s.data() + i + 1 + (s[i + 1] == '+' ? 1 : 0);
    const auto r = std::from_chars(first, s.data() + s.size(), exponent);
    if (r.ec != std::errc() || exponent > 30 || exponent < -30) return fail("exponent out of range");
    i = static_cast<std::size_t>(r.ptr - s.data());
  }
  const std::string_view name = trim(s.substr(i));
  if (name.empty()) return fail("no unit");
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    if (digits != 0 && digits > (static_cast<Wide>(1) << 120) / unit.factor) return fail("out of range");
    Wide value = digits * unit.factor;
    int shift = exponent - decimals;
    for (; shift > 0; --shift) {
      if (value > static_cast<Wide>(1) << 100) return fail("out of range");
      value *= 10;
    }
    if (shift < 0) {
      Wide divisor = 1;
      for (; shift < 0; ++shift) {
        if (divisor > static_cast<Wide>(1) << 100) return fail("too many decimals");
        divisor *= 10;
      }
      value = (value + divisor / 2) / divisor;
    }
    if (value > INT64_MAX) return fail("out of range");
    out = static_cast<std::int64_t>(negative ? -value : value);
    return true;
  }
  std::string known;
  for (const Unit& unit : units) known += (known.empty() ? "" : ", ") + std::string(unit.name);
  return fail("unknown unit '" + std::string(name) + "', known: " + known);
}

template <std::size_t N>
std::string print_quantity(std::int64_t value, const std::array<Unit, N>& units, std::size_t first, std::size_t last) {
  const bool negative = value < 0;
  const Wide magnitude = negative ? -static_cast<Wide>(value) : static_cast<Wide>(value);
  const Unit* best = &units[first];
  for (std::size_t i = first; i <= last; ++i)
    if (magnitude >= units[i].factor) best = &units[i];
  const Wide whole = magnitude / best->factor;
  Wide rest = magnitude % best->factor;
  std::string text = (negative ? "-" : "") + std::to_string(static_cast<std::int64_t>(whole));
  if (rest != 0) {
    text += '.';
    for (int k = 0; rest != 0 && k < 40; ++k) {
      rest *= 10;
      text += static_cast<char>('0' + static_cast<int>(rest / best->factor));
      rest %= best->factor;
    }
  }
  return text + " " + std::string(best->name);
}

}  // namespace

Time Time::from_ns(double v) { return Time(static_cast<std::int64_t>(std::llround(v * 1e3))); }

bool parse(std::string_view text, Time& out, std::string& why) {
  std::int64_t v = 0;
  if (!parse_quantity(text, kTime, "a time", "500 ns", v, why)) return false;
  out = Time::ps(v);
  return true;
}

bool parse(std::string_view text, Bytes& out, std::string& why) {
  std::int64_t v = 0;
  if (!parse_quantity(text, kBytes, "a size", "4 KiB", v, why)) return false;
  out = Bytes(v);
  return true;
}

bool parse(std::string_view text, Bandwidth& out, std::string& why) {
  std::int64_t v = 0;
  if (!parse_quantity(text, kRate, "a bandwidth", "50 GB/s", v, why)) return false;
  out = Bandwidth::bits_per_second(v);
  return true;
}

std::string to_string(Time t) { return print_quantity(t.ps(), kTime, 0, 4); }

std::string to_string(Bytes b) {
  const std::int64_t n = b.count();
  if (n != 0 && n % 1024 == 0) return print_quantity(n, kBytes, 5, 8);
  return print_quantity(n, kBytes, 0, 0);
}

std::string to_string(Bandwidth b) {
  const std::int64_t n = b.bits_per_second();
  return n % 8 == 0 ? print_quantity(n, kRate, 5, 9) : print_quantity(n, kRate, 0, 4);
}

std::string to_ns(Time t) {
  const bool negative = t.ps() < 0;
  const std::uint64_t magnitude =
      negative ? 0 - static_cast<std::uint64_t>(t.ps()) : static_cast<std::uint64_t>(t.ps());
  std::string text = (negative ? "-" : "") + std::to_string(magnitude / 1000);
  if (std::uint64_t rest = magnitude % 1000; rest != 0) {
    std::string decimals = std::to_string(1000 + rest).substr(1);
    while (decimals.back() == '0') decimals.pop_back();
    text += "." + decimals;
  }
  return text;
}

}  // namespace tutti
