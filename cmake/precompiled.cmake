if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # As CMake has it, but with nothing that ccache cannot take relative to the folder of the build.
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH "-include-pch;<PCH_FILE>")
endif()

# tertium_precompile(TARGET HEADER...): parses the HEADERs, and those below that most files include,
# once for TARGET. Nothing may rely on it: every file includes what it uses, and the release build,
# which goes without, fails when one does not. With GCC 12 and -Werror it does not build: from
# precompiled headers that compiler reports overflows in std::string that are none.
function(tertium_precompile target)
  if(TERTIUM_PCH)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <numeric> <optional>
      <string> <string_view> <utility> <vector>
      <Eigen/Core> <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp>
      ${ARGN}
    )
    # A time in them would make every build another one to ccache.
    target_compile_options(${target} PRIVATE
      "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>"
    )
    tertium_name_precompiled(${target} ${ARGN})
  endif()
endfunction()

# A precompiled header holds the folder it was made in, so to ccache it would be another one in every
# checkout. This names it by the text that its headers come to instead (CCACHE_PCH_EXTSUM).
function(tertium_name_precompiled target)
  get_target_property(headers ${target} PRECOMPILE_HEADERS)
  set(includes "")
  foreach(header IN LISTS headers)
    string(APPEND includes "#include ${header}\n")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.headers.cpp")
  file(WRITE "${source}" "${includes}")
  get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -isystem ${eigen} -E -P "${source}"
    OUTPUT_VARIABLE text RESULT_VARIABLE failed ERROR_QUIET
  )
  if(NOT failed)
    string(SHA256 name "${text}")
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch.sum" "${name}")
  endif()
endfunction()
