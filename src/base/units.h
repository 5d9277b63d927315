#pragma once
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti {

/// A point or span of simulated time: 64-bit integer picoseconds (106 days at most).
/// Parsed from text with a unit ("500 ns", "0.005ms", "2us"); a bare number is refused.
class Time {
 public:
  constexpr Time() = default;
  static constexpr Time ps(std::int64_t v) { return Time(v); }
  static constexpr Time ns(std::int64_t v) { return Time(v * 1'000); }
  static constexpr Time us(std::int64_t v) { return Time(v * 1'000'000); }
  static constexpr Time ms(std::int64_t v) { return Time(v * 1'000'000'000); }
  static constexpr Time s(std::int64_t v) { return Time(v * 1'000'000'000'000); }
  /// Nearest picosecond, half away from zero.
  static Time from_ns(double v);
  static constexpr Time max() { return Time(INT64_MAX); }

  constexpr std::int64_t ps() const { return ps_; }
  constexpr double ns() const { return static_cast<double>(ps_) / 1e3; }
  constexpr double us() const { return static_cast<double>(ps_) / 1e6; }
  constexpr double s() const { return static_cast<double>(ps_) / 1e12; }

  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time operator+(Time o) const { return Time(ps_ + o.ps_); }
  constexpr Time operator-(Time o) const { return Time(ps_ - o.ps_); }
  constexpr Time operator*(std::int64_t k) const { return Time(ps_ * k); }
  constexpr std::int64_t operator/(Time o) const { return ps_ / o.ps_; }
  constexpr Time& operator+=(Time o) { return ps_ += o.ps_, *this; }
  constexpr Time& operator-=(Time o) { return ps_ -= o.ps_, *this; }

 private:
  constexpr explicit Time(std::int64_t v) : ps_(v) {}
  std::int64_t ps_ = 0;
};

/// A number of bytes. "4 KiB" is 4096, "4 KB" is 4000.
class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::int64_t v) : n_(v) {}
  constexpr std::int64_t count() const { return n_; }
  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes operator+(Bytes o) const { return Bytes(n_ + o.n_); }
  constexpr Bytes operator-(Bytes o) const { return Bytes(n_ - o.n_); }
  constexpr Bytes operator*(std::int64_t k) const { return Bytes(n_ * k); }
  constexpr Bytes& operator+=(Bytes o) { return n_ += o.n_, *this; }
  constexpr Bytes& operator-=(Bytes o) { return n_ -= o.n_, *this; }

 private:
  std::int64_t n_ = 0;
};

/// A rate, held in bits a second so that network rates ("400Gbps") and memory rates ("50 GB/s") are both exact.
class Bandwidth {
 public:
  constexpr Bandwidth() = default;
  static constexpr Bandwidth bits_per_second(std::int64_t v) { return Bandwidth(v); }
  static constexpr Bandwidth bytes_per_second(std::int64_t v) { return Bandwidth(v * 8); }
  static constexpr Bandwidth gbps(std::int64_t v) { return Bandwidth(v * 1'000'000'000); }
  static constexpr Bandwidth gb_per_s(std::int64_t v) { return Bandwidth(v * 8'000'000'000); }
  constexpr std::int64_t bits_per_second() const { return bps_; }
  constexpr double bytes_per_ns() const { return static_cast<double>(bps_) / 8e9; }
  constexpr auto operator<=>(const Bandwidth&) const = default;

 private:
  constexpr explicit Bandwidth(std::int64_t v) : bps_(v) {}
  std::int64_t bps_ = 0;
};

/// Time that `size` occupies a link of rate `rate`, rounded up to the next picosecond. @pre rate > 0, size >= 0.
/// Saturates at Time::max().
constexpr Time serialization_time(Bytes size, Bandwidth rate) {
  __extension__ using Wide = __int128;
  const Wide bit_ps = static_cast<Wide>(size.count()) * 8 * 1'000'000'000'000;
  const Wide ps = (bit_ps + rate.bits_per_second() - 1) / rate.bits_per_second();
  return ps > INT64_MAX ? Time::max() : Time::ps(static_cast<std::int64_t>(ps));
}
static_assert(serialization_time(Bytes(1), Bandwidth::gb_per_s(1)) == Time::ns(1));
static_assert(serialization_time(Bytes(1), Bandwidth::gb_per_s(3)) == Time::ps(334));
static_assert(serialization_time(Bytes(0), Bandwidth::gb_per_s(3)) == Time());

/// Parse text with a unit. On failure: false, and `why` says what was expected. Units: ps ns us ms s; B KB MB GB TB KiB
/// MiB GiB TiB; bps Kbps Mbps Gbps Tbps, B/s KB/s MB/s GB/s TB/s KiB/s MiB/s GiB/s. A space before the unit is
/// optional; case matters.
bool parse(std::string_view text, Time& out, std::string& why);
bool parse(std::string_view text, Bytes& out, std::string& why);
bool parse(std::string_view text, Bandwidth& out, std::string& why);

/// Shortest exact text with a fitting unit: "1.5 us", "64 KiB", "50 GB/s".
std::string to_string(Time t);
std::string to_string(Bytes b);
std::string to_string(Bandwidth b);

/// Nanoseconds with up to three decimals, exact to the picosecond: "12345.678", "20". The form of every time in JSON.
std::string to_ns(Time t);

}  // namespace tutti
