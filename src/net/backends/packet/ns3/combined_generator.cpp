#include "net/backends/packet/ns3/combined_generator.h"

namespace tutti::net::packet {
namespace {

constexpr std::uint64_t m1 = 4294967087, m2 = 4294944443;
constexpr std::uint64_t a12 = 1403580, a13 = 810728, a21 = 527612, a23 = 1370589;

using Matrix = std::array<std::array<std::uint64_t, 3>, 3>;

constexpr Matrix times(const Matrix& a, const Matrix& b, std::uint64_t m) {
  Matrix c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) c[i][j] = (c[i][j] + a[i][k] * b[k][j] % m) % m;
  return c;
}
/// a^(2^e)
constexpr Matrix power_of_two(Matrix a, int e, std::uint64_t m) {
  for (int i = 0; i < e; ++i) a = times(a, a, m);
  return a;
}
constexpr Matrix step1 = {{{0, 1, 0}, {0, 0, 1}, {m1 - a13, a12, 0}}};
constexpr Matrix step2 = {{{0, 1, 0}, {0, 0, 1}, {m2 - a23, 0, a21}}};

struct Jump {
  Matrix first, second;
};
constexpr Jump to_stream{power_of_two(step1, 127, m1), power_of_two(step2, 127, m2)};
constexpr Jump to_substream{power_of_two(step1, 76, m1), power_of_two(step2, 76, m2)};

void apply(const Matrix& a, std::uint64_t* s, std::uint64_t m) {
  std::uint64_t r[3];
  for (std::size_t i = 0; i < 3; ++i) r[i] = (a[i][0] * s[0] % m + a[i][1] * s[1] % m + a[i][2] * s[2] % m) % m;
  s[0] = r[0], s[1] = r[1], s[2] = r[2];
}
void apply(const Jump& j, std::array<std::uint64_t, 6>& s) {
  apply(j.first, s.data(), m1);
  apply(j.second, s.data() + 3, m2);
}
/// `n` jumps at once.
void apply(Jump j, std::uint64_t n, std::array<std::uint64_t, 6>& s) {
  for (; n != 0; n >>= 1) {
    if (n & 1) apply(j, s);
    j = {times(j.first, j.first, m1), times(j.second, j.second, m2)};
  }
}

}  // namespace

CombinedGenerator::CombinedGenerator(std::uint64_t stream, std::uint64_t run) {
  start_.fill(1);
  apply(to_stream, stream, start_);
  apply(to_substream, run, start_);
  state_ = start_;
}

void CombinedGenerator::next_stream() {
  apply(to_stream, start_);
  state_ = start_;
}

double CombinedGenerator::next() {
  auto& s = state_;
  const std::uint64_t p1 = (a12 * s[1] + (m1 - a13) * s[0] % m1) % m1;
  s[0] = s[1], s[1] = s[2], s[2] = p1;
  const std::uint64_t p2 = (a21 * s[5] + (m2 - a23) * s[3] % m2) % m2;
  s[3] = s[4], s[4] = s[5], s[5] = p2;
  const std::uint64_t difference = p1 > p2 ? p1 - p2 : p1 + m1 - p2;
  return static_cast<double>(difference) * 2.328306549295727688e-10;
}

}  // namespace tutti::net::packet
