#pragma once

#define TUTTI_VERSION "0.1.0"

namespace tutti {
inline constexpr const char* version = TUTTI_VERSION;
}
