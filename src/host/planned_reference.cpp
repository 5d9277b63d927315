#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/error.h"
#include "host/planned.h"
#include "memory/exact.h"

namespace tutti::host {
namespace {

/// What each output should hold, by the labels of plan::Collective alone.
class PlannedReference {
 public:
  PlannedReference(const plan::Collective& c, memory::DType t, memory::ReduceOp op, const Buffers& inputs)
      : t_(t), op_(op), inputs_(inputs) {
    for (int r = 0; r < c.ranks; ++r) {
      initial_.push_back(c.initial(r));
      std::sort(initial_.back().begin(), initial_.back().end(),
                [](const plan::Content& a, const plan::Content& b) { return a.label < b.label; });
    }
  }

  void check(int rank, const plan::Content& want, const std::vector<std::byte>& output, Verification& result) {
    if (want.where.count == 0 || want.from.empty()) return;
    if (want.label != label_ || want.where.count != static_cast<std::int64_t>(sum_.size()) || want.from != from_)
      form(want);
    const double bound = static_cast<double>(want.from.size() - 1) * memory::unit_roundoff(t_);
    for (std::int64_t i = 0; i < want.where.count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const std::int64_t at = want.where.begin + i;
      result.compare(t_, output.data() + at * memory::size_of(t_), sum_[k], bound * magnitude_[k],
                     static_cast<std::size_t>(rank), at);
    }
    result.elements += static_cast<std::uint64_t>(want.where.count);
  }

 private:
  /// The numbers of labels `want.label` on, combined over `want.from`.
  void form(const plan::Content& want) {
    const auto n = static_cast<std::size_t>(want.where.count);
    label_ = want.label, from_ = want.from;
    sum_.assign(n, 0), magnitude_.assign(n, 0);
    bool first = true;
    for (const int r : want.from) {
      const auto& have = initial_[static_cast<std::size_t>(r)];
      auto content = std::upper_bound(have.begin(), have.end(), want.label,
                                      [](std::int64_t label, const plan::Content& c) { return label < c.label; });
      CHECK(content != have.begin(), "a collective expects what nobody has");
      --content;
      for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t label = want.label + static_cast<std::int64_t>(i);
        while (label >= content->label + content->where.count) {
          ++content;
          CHECK(content != have.end() && content->label <= label, "a collective expects what nobody has");
        }
        const double x = memory::load_as_double(t_, inputs_[static_cast<std::size_t>(r)].data(),
                                                content->where.begin + label - content->label);
        magnitude_[i] += std::fabs(x);
        if (first)
          sum_[i] = x;
        else if (op_ == memory::ReduceOp::sum)
          sum_[i] += x;
        else
          sum_[i] = op_ == memory::ReduceOp::max ? std::max(sum_[i], x) : std::min(sum_[i], x);
      }
      first = false;
    }
    if (memory::is_float(t_) || op_ != memory::ReduceOp::sum) return;
    for (double& v : sum_) {  // integers wrap
      std::byte bytes[4] = {};
      memory::store_double(t_, bytes, 0, std::fmod(v, t_ == memory::DType::i8 ? 256.0 : 4294967296.0));
      v = memory::load_as_double(t_, bytes, 0);
    }
  }

  memory::DType t_;
  memory::ReduceOp op_;
  const Buffers& inputs_;
  std::vector<std::vector<plan::Content>> initial_;
  std::int64_t label_ = -1;
  std::vector<int> from_;
  std::vector<double> sum_, magnitude_;
};

}  // namespace

Verification verify_planned(const plan::Collective& collective, memory::DType dtype, memory::ReduceOp op,
                            const Buffers& inputs, const Buffers& outputs) {
  if (op == memory::ReduceOp::prod) throw ConfigError("error: there is no reference for products");
  Verification result;
  PlannedReference reference(collective, dtype, op, inputs);
  for (int r = 0; r < collective.ranks; ++r)
    for (const plan::Content& want : collective.expected(r))
      reference.check(r, want, outputs[static_cast<std::size_t>(r)], result);
  return result;
}

}  // namespace tutti::host
