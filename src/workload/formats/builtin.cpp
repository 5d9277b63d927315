#include "workload/trace_format.h"

namespace tutti::workload {

#define TUTTI_BUILTIN(name) const TraceFormat& name##_trace_format();
#include "workload/formats/builtin.def"
#undef TUTTI_BUILTIN

const std::vector<const TraceFormat*>& trace_formats() {
  static const std::vector<const TraceFormat*> all = {
#define TUTTI_BUILTIN(name) &name##_trace_format(),
#include "workload/formats/builtin.def"
#undef TUTTI_BUILTIN
  };
  return all;
}

}  // namespace tutti::workload
