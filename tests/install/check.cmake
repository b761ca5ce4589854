# Installs the build under a fresh prefix and lets a project that knows only that prefix find, build
# with and run the library. Run by ctest as install.find_package:
#   cmake -DBUILD_DIR=... -DCXX=... -DGENERATOR=... -DVERSION=... -P tests/install/check.cmake
set(work "${BUILD_DIR}/install_check")
file(REMOVE_RECURSE "${work}")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${work}/prefix")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${work}/build" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${work}/prefix"
  "-DEXPECTED_VERSION=${VERSION}"
)
run("${CMAKE_COMMAND}" --build "${work}/build")
file(WRITE "${work}/answers.csv" "anchor,near,far\nhog,monkey,giraffe\nmonkey,hog,giraffe\n")
run("${work}/build/consumer" "${work}/answers.csv" "${work}/result")
run("${work}/prefix/bin/tertium" --version)
