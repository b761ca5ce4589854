# The Python tests, those of the command line against the program of this build. They need the Python
# environment that tools/setup makes. TERTIUM_PYTEST_OPTIONS picks among the tests of the command line.
set(TERTIUM_PYTEST_OPTIONS "" CACHE STRING "Further options for pytest, such as -k;threads")

# tertium_pytest(NAME FOLDER OPTION...): the tests of tests/FOLDER, once there are any.
function(tertium_pytest name folder)
  file(GLOB tests CONFIGURE_DEPENDS tests/${folder}/test_*.py)
  if(tests)
    add_test(NAME ${name}
      COMMAND "${PROJECT_SOURCE_DIR}/.venv/bin/python" -m pytest -q -n auto --dist worksteal
        tests/${folder} ${ARGN}
      WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    )
    set_tests_properties(${name} PROPERTIES
      ENVIRONMENT "TERTIUM_BIN=${PROJECT_BINARY_DIR}/tertium"
      LABELS python
      PROCESSORS 2
      TIMEOUT 1800
    )
  endif()
endfunction()

if(TERTIUM_CHECKS)
  tertium_pytest(tools.pytest tools)
endif()
if(TERTIUM_CLI)
  tertium_pytest(cli.pytest cli ${TERTIUM_PYTEST_OPTIONS})
endif()
