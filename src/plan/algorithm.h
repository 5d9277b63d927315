#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/registry.h"
#include "plan/schedule.h"

namespace tutti::plan {

struct Parameter {
  std::string_view name;
  std::int64_t standard;  ///< value when none is given
  std::int64_t low, high;
  std::string_view meaning;
};

/// Values of parameters by name; every parameter of the algorithm is there.
class Parameters {
 public:
  std::int64_t operator[](std::string_view name) const;
  void set(std::string_view name, std::int64_t value) { values_[std::string(name)] = value; }
  const std::map<std::string, std::int64_t, std::less<>>& all() const { return values_; }

 private:
  std::map<std::string, std::int64_t, std::less<>> values_;
};

/// A way to carry out a collective: one file in algorithms/, one line in algorithms/builtin.def.
struct Algorithm {
  std::string_view name;
  CollectiveKind kind;
  std::string_view summary;
  std::string_view source;  ///< the paper that describes it
  std::vector<Parameter> parameters;
  /// @pre the collective is of `kind` and was checked; it fits(). All slices of the schedule are in place if it can be.
  Schedule (*make)(const Collective& collective, const Parameters& parameters);
  /// Why this number of ranks cannot be served; empty if it can. Null: any number can.
  std::string (*unfit)(const Collective& collective, const Parameters& parameters) = nullptr;
};

/// Algorithms of algorithms/builtin.def, in its order.
const Registry<Algorithm>& algorithms();
/// @throws ConfigError  unknown; lists what is known.
const Algorithm& algorithm(std::string_view name);

/// The schedule of `algorithm` for `collective`. `given` may leave parameters out. The parameter "tile" is understood
/// by every all_reduce, reduce and broadcast: the buffer is treated in tiles of so many elements, one after the other
/// (0: at once).
/// @throws ConfigError  unknown parameter, value out of range, another kind of collective, or an unfit number of ranks.
Schedule make_schedule(const Algorithm& algorithm, const Collective& collective, const Parameters& given = {});
/// The parameters that make_schedule would use. @throws as make_schedule.
Parameters effective_parameters(const Algorithm& algorithm, const Parameters& given);
bool can_be_tiled(CollectiveKind kind);

}  // namespace tutti::plan
