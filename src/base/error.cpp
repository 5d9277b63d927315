#include "base/error.h"

namespace tutti {

void check_failed(const char* condition, const char* file, int line, const std::string& message) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": internal error: " + message + " (" +
                      condition + ")");
}

}  // namespace tutti
