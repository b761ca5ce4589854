# One executable with every tests/<stage>/*_test.cpp and what they share, tests/*.cpp; ctest knows each
# case by its name.
find_package(GTest REQUIRED)
include(GoogleTest)

file(GLOB tertium_test_sources CONFIGURE_DEPENDS tests/*/*_test.cpp tests/*.cpp)
if(tertium_test_sources)
  add_executable(tertium_tests ${tertium_test_sources})
  set_target_properties(tertium_tests PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(tertium_tests PRIVATE
    tertium::tertium fmt::fmt nlohmann_json::nlohmann_json ZLIB::ZLIB
    GTest::gtest_main GTest::gmock tertium_warnings
  )
  # Compiling them takes longer than running them.
  target_compile_options(tertium_tests PRIVATE "$<$<CONFIG:Release>:-O1>")
  target_compile_definitions(tertium_tests PRIVATE TERTIUM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  tertium_precompile(tertium_tests <gmock/gmock.h> <gtest/gtest.h>)
  gtest_discover_tests(tertium_tests
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS unit TIMEOUT 300
  )
endif()
