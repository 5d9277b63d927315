#include "app/cli/plugins.h"

#include "app/cli/command.h"
#include "ccl/kernel.h"
#include "device/memory_kind.h"
#include "fabric/route_policy.h"
#include "fabric/sip_topology.h"
#include "net/backend.h"
#include "plan/algorithm.h"
#include "workload/trace_format.h"

namespace tutti::app {
namespace {

template <class T>
Plugin describe(const T& one) {
  if constexpr (std::is_pointer_v<T>) {
    return describe(*one);
  } else {
    Plugin p;
    if constexpr (requires { one.name(); })
      p.name = one.name();
    else
      p.name = one.name;
    if constexpr (requires { one.summary; }) p.summary = one.summary;
    return p;
  }
}

template <auto Registered>
std::vector<Plugin> described() {
  std::vector<Plugin> all;
  for (const auto& one : Registered()) all.push_back(describe(one));
  return all;
}

}  // namespace

const std::vector<PluginKind>& plugin_kinds() {
  static const std::vector<PluginKind> kinds = {
      {"algorithms", &described<&plan::algorithms>},       {"kernels", &described<&ccl::kernels>},
      {"topologies", &described<&fabric::sip_topologies>}, {"routes", &described<&fabric::route_policies>},
      {"memories", &described<&device::memory_kinds>},     {"backends", &described<&net::backends>},
      {"formats", &described<&workload::trace_formats>},   {"commands", &described<&commands>},
  };
  return kinds;
}

}  // namespace tutti::app
