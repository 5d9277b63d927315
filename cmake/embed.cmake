# Puts src/<layer>/defaults/* into generated/<layer>/defaults.h, so that the program runs without any file.
# A changed or new file runs this again at the next build.
function(tutti_write_if_different path text)
  if(EXISTS ${path})
    file(READ ${path} before)
    if(before STREQUAL text)
      return()
    endif()
  endif()
  file(WRITE ${path} "${text}")
endfunction()

function(tutti_embed_defaults layer)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${layer}/defaults/*)
  if(NOT files)
    return()
  endif()
  set(entries)
  foreach(file IN LISTS files)
    cmake_path(GET file FILENAME name)
    file(READ ${file} text)
    # A string literal of a compiler may be short: pieces are joined by it.
    set(pieces)
    string(LENGTH "${text}" length)
    set(at 0)
    while(at LESS length)
      string(SUBSTRING "${text}" ${at} 8000 piece)
      string(APPEND pieces "R\"tutti(${piece})tutti\"\n")
      math(EXPR at "${at} + 8000")
    endwhile()
    string(APPEND entries "    {\"${name}\", ${pieces}},\n")
    set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  string(CONCAT header
    "#pragma once\n#include \"base/embedded.h\"\n\nnamespace tutti::${layer} {\n\n"
    "inline constexpr EmbeddedFile default_files[] = {\n${entries}};\n\n"
    "/// The file of that name; one with an empty name if there is none.\n"
    "constexpr EmbeddedFile default_file(std::string_view name) {\n"
    "  for (const EmbeddedFile& f : default_files)\n    if (f.name == name) return f;\n  return {};\n}\n\n}\n")
  tutti_write_if_different(${CMAKE_BINARY_DIR}/generated/${layer}/defaults.h "${header}")
  set_property(GLOBAL APPEND PROPERTY TUTTI_EMBEDDED ${layer})
endfunction()

function(tutti_embed_index)
  get_property(layers GLOBAL PROPERTY TUTTI_EMBEDDED)
  set(includes)
  set(pushes)
  foreach(layer IN LISTS layers)
    string(APPEND includes "#include \"${layer}/defaults.h\"\n")
    string(APPEND pushes "  for (const EmbeddedFile& f : ${layer}::default_files) all.push_back(f);\n")
  endforeach()
  tutti_write_if_different(${CMAKE_BINARY_DIR}/generated/app/defaults.h
    "#pragma once\n#include <vector>\n#include \"base/embedded.h\"\n${includes}\nnamespace tutti::app {\n\ninline std::vector<EmbeddedFile> default_files() {\n  std::vector<EmbeddedFile> all;\n${pushes}  return all;\n}\n\n}\n")
endfunction()
