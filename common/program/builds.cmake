# How a CUDA program of its own is compiled and linked, in the form of program.json. The grading
# package fills in {source}, {object}, {objects}, {flags} and {program}.

# tilelab_program_build(NAME CUDA ... CXX ... LINK ...): adds a build, "fast" or "checked", to
# TILELAB_PROGRAM_BUILDS. CUDA compiles a .cu file, CXX a file of the host alone.
function(tilelab_program_build name)
  cmake_parse_arguments(PARSE_ARGV 1 build "" "" "CUDA;CXX;LINK")
  tilelab_json_list(cuda ${build_CUDA})
  tilelab_json_list(cxx ${build_CXX})
  tilelab_json_list(link ${build_LINK})
  list(APPEND TILELAB_PROGRAM_BUILDS
       "    \"${name}\": {\n      \"cuda\": ${cuda},\n      \"cxx\": ${cxx},\n      \"link\": ${link}\n    }")
  set(TILELAB_PROGRAM_BUILDS "${TILELAB_PROGRAM_BUILDS}" PARENT_SCOPE)
endfunction()

# tilelab_write_program_builds(): writes them to program.json.
function(tilelab_write_program_builds)
  list(JOIN TILELAB_PROGRAM_BUILDS ",\n" builds)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/program.json CONTENT
"{
  \"schema\": 1,
  \"builds\": {
${builds}
  },
  \"describe\": \"${CMAKE_BINARY_DIR}/bin/describe_report\",
  \"estimator\": \"${CMAKE_BINARY_DIR}/bin/estimator\"
}
")
endfunction()
