#include "workload/trace_format.h"

namespace tutti::workload {

#define TUTTI_BUILTIN(name) const TraceFormat& name##_trace_format();
#include "workload/formats/builtin.def"
#undef TUTTI_BUILTIN

const Registry<const TraceFormat*>& trace_formats() {
  static const Registry<const TraceFormat*> all("trace format", {
#define TUTTI_BUILTIN(name) &name##_trace_format(),
#include "workload/formats/builtin.def"
#undef TUTTI_BUILTIN
                                                                });
  return all;
}

}  // namespace tutti::workload
