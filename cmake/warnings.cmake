# tertium_warnings: an interface target with the warnings every target of this project is built with.
add_library(tertium_warnings INTERFACE)

target_compile_options(tertium_warnings INTERFACE
  -Wall -Wextra -Wpedantic
  -Wconversion -Wsign-conversion -Wdouble-promotion
  -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wsuggest-override
  -Wcast-align -Wextra-semi -Wformat=2 -Wimplicit-fallthrough
  # Options and results are plain structs with defaults; leaving fields out is their purpose.
  -Wno-missing-field-initializers
)

if(NOT TERTIUM_UNITY)  # where a name in one file may hide that of another
  target_compile_options(tertium_warnings INTERFACE -Wshadow)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(tertium_warnings INTERFACE
    -Wduplicated-branches -Wduplicated-cond -Wlogical-op
    # False alarms in optimised code (thrown aggregates, std::optional, Eigen). Clang's analyzer, run
    # by tools/tidy.py, looks for the same mistake.
    -Wno-maybe-uninitialized
  )
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: false alarms for std::string operator+.
    target_compile_options(tertium_warnings INTERFACE -Wno-restrict)
  endif()
endif()

if(TERTIUM_WERROR)
  target_compile_options(tertium_warnings INTERFACE -Werror)
endif()
