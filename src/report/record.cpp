#include "report/record.h"

namespace tutti::report {

const char* to_string(Activity a) {
  constexpr const char* names[activities] = {"compute", "reduction",  "memory",    "send",
                                             "receive", "collective", "wait_data", "wait_credit"};
  return names[static_cast<std::size_t>(a)];
}

}  // namespace tutti::report
