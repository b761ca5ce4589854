# Library, headers, command line, and the package another project finds with
# find_package(tertium CONFIG REQUIRED).
include(CMakePackageConfigHelpers)

set(tertium_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tertium")

install(TARGETS tertium EXPORT tertium-targets)
if(TARGET tertium_cli)
  install(TARGETS tertium_cli)
endif()
# The headers directly in tertium/ are the interface; those of the stages are not installed.
file(GLOB tertium_public_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tertium/*.hpp")
install(FILES ${tertium_public_headers} "${tertium_generated}/tertium/version.hpp"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tertium"
)
install(EXPORT tertium-targets NAMESPACE tertium:: DESTINATION "${tertium_package_dir}")

configure_package_config_file(cmake/tertium-config.cmake.in
  "${PROJECT_BINARY_DIR}/tertium-config.cmake"
  INSTALL_DESTINATION "${tertium_package_dir}"
)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tertium-config-version.cmake"
  COMPATIBILITY SameMinorVersion
)
install(FILES
  "${PROJECT_BINARY_DIR}/tertium-config.cmake"
  "${PROJECT_BINARY_DIR}/tertium-config-version.cmake"
  DESTINATION "${tertium_package_dir}"
)
