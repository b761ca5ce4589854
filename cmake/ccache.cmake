# What was compiled once, in this folder or another, is not compiled again where there is ccache.
# Says where the time of a build went: ccache --show-stats.
if(TERTIUM_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TERTIUM_CCACHE_PROGRAM ccache)
  mark_as_advanced(TERTIUM_CCACHE_PROGRAM)
  if(TERTIUM_CCACHE_PROGRAM)
    # Paths below the sources are taken relative to the build, so that all checkouts share results.
    # What a file depends on is learnt from the compiler: to preprocess first would cost builds from
    # nothing a tenth of their time.
    # ccache asks for the sloppiness to work with precompiled headers: a header that uses __TIME__, or
    # a macro defined for one target only, must not be among them.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
      CCACHE_NOHASHDIR=1
      CCACHE_DEPEND=1
      "CCACHE_SLOPPINESS=pch_defines,time_macros"
      CCACHE_PCH_EXTSUM=1
      "${TERTIUM_CCACHE_PROGRAM}"
    )
  endif()
endif()
