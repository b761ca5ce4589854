# fuzz/: readers of input as targets. tertium_fuzz lets libFuzzer invent inputs (tools/fuzz.py runs
# it); tertium_replay, a test, runs the inputs of fuzz/corpus through the same code in any build.
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)

file(GLOB tertium_fuzz_sources CONFIGURE_DEPENDS fuzz/*.cpp)
list(FILTER tertium_fuzz_sources EXCLUDE REGEX "/(libfuzzer|replay)[.]cpp$")
# Of the command line, what understands flags.
list(APPEND tertium_fuzz_sources cli/call_errors.cpp cli/checked_flags.cpp cli/input_flags.cpp)

# tertium_fuzz_program(NAME MAIN): a program with all targets.
function(tertium_fuzz_program name main)
  add_executable(${name} ${tertium_fuzz_sources} ${main})
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(${name} PRIVATE
    tertium::tertium CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json ZLIB::ZLIB tertium_warnings
  )
  # Compiling them takes longer than running them.
  target_compile_options(${name} PRIVATE
    "$<$<CONFIG:Release>:-O1>" "$<$<CONFIG:Sanitize>:-O1>"
  )
  tertium_precompile(${name})
  tertium_unite(${name})
endfunction()

if(TERTIUM_FUZZ)
  tertium_fuzz_program(tertium_fuzz fuzz/libfuzzer.cpp)
  target_link_options(tertium_fuzz PRIVATE -fsanitize=fuzzer)
endif()
if(TERTIUM_TESTS AND NOT TERTIUM_PARALLEL_TESTS)
  tertium_fuzz_program(tertium_replay fuzz/replay.cpp)
  add_test(NAME fuzz.corpus COMMAND tertium_replay "${PROJECT_SOURCE_DIR}/fuzz/corpus")
  set_tests_properties(fuzz.corpus PROPERTIES LABELS unit TIMEOUT 300)
endif()
