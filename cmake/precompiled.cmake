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
  endif()
endfunction()
