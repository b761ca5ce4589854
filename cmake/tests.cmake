# One executable with every tests/<stage>/*_test.cpp and what they share, tests/*.cpp. ctest knows each
# case by its name, unless TERTIUM_TEST_PROCESSES share them all: with sanitizers the start of a process
# takes longer than most of the cases.
find_package(GTest REQUIRED)
include(GoogleTest)

# The tests of what runs in several threads, as patterns of Suite.Name. With TERTIUM_PARALLEL_TESTS
# only these are run, and only files that have one are compiled.
set(tertium_parallel_tests "Run*" "*Thread*" "*Ways.*")
set(TERTIUM_TEST_PROCESSES 0 CACHE STRING "Run the C++ tests in so many processes; 0: one each")
option(TERTIUM_PARALLEL_TESTS "Of the C++ tests, only those of what runs in several threads" OFF)

# tertium_has_parallel_tests(SOURCE RESULT): whether a test in the file SOURCE fits a pattern.
function(tertium_has_parallel_tests source result)
  set(${result} FALSE PARENT_SCOPE)
  file(STRINGS "${source}" lines REGEX "^TEST")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^TEST[_FP]*\\(([A-Za-z0-9_]+), *([A-Za-z0-9_]*).*" "\\1.\\2" test "${line}")
    foreach(pattern IN LISTS tertium_parallel_tests)
      string(REPLACE "." "[.]" regex "${pattern}")
      string(REPLACE "*" ".*" regex "${regex}")
      if(test MATCHES "^${regex}$")
        set(${result} TRUE PARENT_SCOPE)
      endif()
    endforeach()
  endforeach()
endfunction()

file(GLOB tertium_test_sources CONFIGURE_DEPENDS tests/*/*_test.cpp tests/*.cpp)
set(tertium_test_filter "*")
if(TERTIUM_PARALLEL_TESTS)
  list(JOIN tertium_parallel_tests ":" tertium_test_filter)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tertium_test_sources})
  foreach(source IN LISTS tertium_test_sources)
    tertium_has_parallel_tests("${source}" parallel)
    if(source MATCHES "_test[.]cpp$" AND NOT parallel)
      list(REMOVE_ITEM tertium_test_sources "${source}")
    endif()
  endforeach()
endif()

if(tertium_test_sources)
  add_executable(tertium_tests ${tertium_test_sources})
  set_target_properties(tertium_tests PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(tertium_tests PRIVATE
    tertium::tertium fmt::fmt nlohmann_json::nlohmann_json ZLIB::ZLIB
    GTest::gtest_main GTest::gmock tertium_warnings
  )
  # Compiling them takes longer than running them.
  target_compile_options(tertium_tests PRIVATE
    "$<$<CONFIG:Release>:-O1>" "$<$<CONFIG:Sanitize>:-O0>"
  )
  target_compile_definitions(tertium_tests PRIVATE TERTIUM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  tertium_precompile(tertium_tests <gmock/gmock.h> <gtest/gtest.h>)
  tertium_unite(tertium_tests)
  if(TERTIUM_TEST_PROCESSES)
    foreach(number RANGE 1 ${TERTIUM_TEST_PROCESSES})
      math(EXPR index "${number} - 1")
      add_test(NAME unit.${number} COMMAND tertium_tests "--gtest_filter=${tertium_test_filter}")
      set_tests_properties(unit.${number} PROPERTIES
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${TERTIUM_TEST_PROCESSES};GTEST_SHARD_INDEX=${index}"
        LABELS unit
        TIMEOUT 900
      )
    endforeach()
  else()
    gtest_discover_tests(tertium_tests
      TEST_FILTER "${tertium_test_filter}"
      DISCOVERY_MODE PRE_TEST
      DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS unit TIMEOUT 300
    )
  endif()
endif()
