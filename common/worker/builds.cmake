# How a submission is compiled and linked, in the form of toolchain.json. The grading package fills in
# {source}, {object}, {include} (a folder with only the contract header), {dispatch} and {worker}.

function(tilelab_json_list result)
  set(quoted ${ARGN})
  list(TRANSFORM quoted PREPEND "\"")
  list(TRANSFORM quoted APPEND "\"")
  list(JOIN quoted ", " joined)
  set(${result} "[${joined}]" PARENT_SCOPE)
endfunction()

# tilelab_build(NAME COMPILE ... LIBRARIES ...): adds a build, "fast" or "checked", to TILELAB_BUILDS.
function(tilelab_build name)
  cmake_parse_arguments(PARSE_ARGV 1 build "" "" "COMPILE;LIBRARIES")
  tilelab_json_list(compile ${build_COMPILE})
  tilelab_json_list(
    link ${CMAKE_CXX_COMPILER} {object} {dispatch} $<TARGET_FILE:tilelab_worker> ${build_LIBRARIES}
    -o {worker})
  list(APPEND TILELAB_BUILDS
       "    \"${name}\": {\n      \"compile\": ${compile},\n      \"link\": ${link}\n    }")
  set(TILELAB_BUILDS "${TILELAB_BUILDS}" PARENT_SCOPE)
endfunction()

# The folder that a tool is installed in, so that the compile jail can show it. "" for the system's
# own folders, which the jail always shows.
function(tilelab_installation result tool)
  get_filename_component(path ${tool} REALPATH)
  cmake_path(GET path PARENT_PATH path)
  cmake_path(GET path PARENT_PATH path)
  if(path STREQUAL "/usr" OR path STREQUAL "/")
    set(path "")
  endif()
  set(${result} ${path} PARENT_SCOPE)
endfunction()
