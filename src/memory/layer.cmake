# The element loops: compilers turn them into vectors at -O3, and only if no one watches the floating-point flags.
set_source_files_properties(${CMAKE_SOURCE_DIR}/src/memory/reduce.cpp ${CMAKE_SOURCE_DIR}/src/memory/exact.cpp PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>;-fno-trapping-math")
