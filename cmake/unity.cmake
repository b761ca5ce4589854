# tertium_unite(TARGET): with TERTIUM_UNITY, compiles the files of TARGET in one folder as one file, so
# that what they include is parsed, and its templates are compiled, once for all of them: a build from
# nothing takes half of the time or less. No two files of a folder may give one name two meanings. What
# only a single file shows, that it includes what it uses and hides no name, the release build tells,
# which goes without.
# CMake's own UNITY_BUILD names files by their whole paths, so that no two checkouts could share in
# ccache what was compiled.
function(tertium_unite target)
  if(NOT TERTIUM_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(groups "")
  foreach(source IN LISTS sources)
    get_filename_component(source "${source}" ABSOLUTE)
    file(RELATIVE_PATH source "${PROJECT_SOURCE_DIR}" "${source}")
    get_filename_component(group "${source}" DIRECTORY)
    string(MAKE_C_IDENTIFIER "${group}" group)
    list(APPEND groups "${group}")
    string(APPEND text_of_${group} "#include \"${source}\"\n")
  endforeach()
  set_source_files_properties(${sources} PROPERTIES HEADER_FILE_ONLY ON)
  list(REMOVE_DUPLICATES groups)
  foreach(group IN LISTS groups)
    set(united "${CMAKE_CURRENT_BINARY_DIR}/unity/${target}/${group}.cpp")
    file(CONFIGURE OUTPUT "${united}" CONTENT "${text_of_${group}}" @ONLY)
    target_sources(${target} PRIVATE "${united}")
  endforeach()
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
endfunction()
