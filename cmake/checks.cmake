# Checks that are not tests: source format, static analysis, stage order, installation.
# They need what tools/setup installs and fail with a hint when it is missing.
set(tertium_python "${PROJECT_SOURCE_DIR}/.venv/bin/python")

# tertium_check(NAME LABEL TIMEOUT COMMAND...): a test run from the source directory.
function(tertium_check name label timeout)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${timeout})
endfunction()

tertium_check(lint.format lint 120 "${tertium_python}" tools/format.py)
tertium_check(lint.stages lint 60 "${tertium_python}" tools/check_stages.py)
tertium_check(lint.tidy lint 3600 "${tertium_python}" tools/tidy.py)
set_tests_properties(lint.tidy PROPERTIES PROCESSORS 2)

tertium_check(install.find_package install 600 "${CMAKE_COMMAND}"
  "-DBUILD_DIR=${PROJECT_BINARY_DIR}"
  "-DCXX=${CMAKE_CXX_COMPILER}"
  "-DGENERATOR=${CMAKE_GENERATOR}"
  "-DVERSION=${PROJECT_VERSION}"
  -P tests/install/check.cmake
)
