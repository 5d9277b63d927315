#pragma once

namespace tutti {
inline constexpr const char* version = "0.1.0";
}
