# The program finds its kernels in shared libraries too (tutti run --kernel-library): it holds and exports all that a kernel
# may call. Installed: program, headers, archives, and a CMake package for kernels and host programs outside of the tree.
set_target_properties(tutti PROPERTIES ENABLE_EXPORTS ON
  LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,tutti_ccl,tutti_memory,tutti_sim,tutti_base")

include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
install(TARGETS tutti RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(TUTTI_ARCHIVES)
foreach(layer IN LISTS above)
  get_target_property(type ${layer} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    install(TARGETS ${layer} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/tutti)
    list(APPEND TUTTI_ARCHIVES ${layer})
  endif()
endforeach()
foreach(layer IN LISTS TUTTI_LAYERS)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/src/${layer} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tutti
          FILES_MATCHING PATTERN "*.h" PATTERN "*_test.h" EXCLUDE)
endforeach()

# What the archives need of others, as seen by whoever links them.
set(TUTTI_NEEDS)
foreach(layer IN LISTS TUTTI_LAYERS)
  list(APPEND TUTTI_NEEDS ${TUTTI_LINK_${layer}})
endforeach()
list(REMOVE_DUPLICATES TUTTI_NEEDS)
set(TUTTI_TRAMPOLINES "")
if(TUTTI_TRAMPOLINE OR TUTTI_SANITIZE OR TUTTI_COVERAGE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(TUTTI_TRAMPOLINES "TUTTI_TRAMPOLINE=1")
endif()
set(TUTTI_SANITIZE_FLAGS "")
if(TUTTI_SANITIZE)
  set(TUTTI_SANITIZE_FLAGS "-fsanitize=${TUTTI_SANITIZE}")
endif()
include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/TuttiConfig.cmake.in ${CMAKE_BINARY_DIR}/TuttiConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tutti PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TuttiConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${CMAKE_BINARY_DIR}/TuttiConfig.cmake ${CMAKE_BINARY_DIR}/TuttiConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tutti)

# cpack -G DEB
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tutti)
set(CPACK_PACKAGE_CONTACT "the authors of Tutti")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of collective communication for machines of many processors")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_STRIP_FILES ON)
include(CPack)
