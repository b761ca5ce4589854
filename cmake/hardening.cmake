# tertium_hardening: an interface target with what makes mistakes in releases harder to exploit. Not for
# builds with sanitizers or for measuring coverage, which look for the mistakes themselves.
# tests/tools/test_hardening.py looks for it in the binary.
add_library(tertium_hardening INTERFACE)

if(NOT TERTIUM_HARDENING)
  return()
endif()

include(CheckCXXCompilerFlag)
set(tertium_released "$<OR:$<CONFIG:Release>,$<CONFIG:RelWithDebInfo>,$<CONFIG:MinSizeRel>>")
foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection=full)
  string(MAKE_C_IDENTIFIER "TERTIUM_HAS${flag}" known)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    target_compile_options(tertium_hardening INTERFACE "$<${tertium_released}:${flag}>")
  endif()
endforeach()

# Level 3 sees sizes that are known only at run time; compilers without it warn and take 2.
set(tertium_fortify 2)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
  set(tertium_fortify 3)
endif()
target_compile_options(tertium_hardening INTERFACE
  "$<${tertium_released}:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${tertium_fortify}>"
)
target_link_options(tertium_hardening INTERFACE
  "$<${tertium_released}:LINKER:-z,relro,-z,now,-z,noexecstack>"
)
