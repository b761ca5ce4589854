# One Google Benchmark executable per bench/*_bench.cpp, named after its file, in build/bench/.
find_package(benchmark QUIET)
file(GLOB tertium_bench_sources CONFIGURE_DEPENDS bench/*_bench.cpp)

if(NOT benchmark_FOUND)
  message(STATUS "tertium: Google Benchmark not found, C++ benchmarks left out")
  return()
endif()

foreach(source IN LISTS tertium_bench_sources)
  cmake_path(GET source STEM name)
  add_executable(${name} ${source})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench"
    CXX_EXTENSIONS OFF
  )
  target_link_libraries(${name} PRIVATE
    tertium::tertium fmt::fmt benchmark::benchmark_main tertium_warnings
  )
  target_compile_definitions(${name} PRIVATE TERTIUM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endforeach()
