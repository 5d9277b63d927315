#pragma once
#include <string>
#include <string_view>

namespace tutti::workload::convert {

std::string base64(std::string_view bytes);
/// With or without padding; '-' and '_' as well. @return false for other characters.
bool from_base64(std::string_view text, std::string& bytes);

}  // namespace tutti::workload::convert
