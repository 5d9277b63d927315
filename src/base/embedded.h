#pragma once
#include <string_view>

namespace tutti {

/// A file that comes with the program. CMake makes one of each src/<layer>/defaults/*: include "<layer>/defaults.h" for
/// tutti::<layer>::default_file("ccl.yaml").text, and "app/defaults.h" for all of them.
struct EmbeddedFile {
  std::string_view name;  ///< "ccl.yaml"
  std::string_view text;
};

}  // namespace tutti
