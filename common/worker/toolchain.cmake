# Writes build/<preset>/toolchain.json, which tells the grading package how to turn a submission into
# a worker, and which program judges it.

tilelab_installation(cxx_installation ${CMAKE_CXX_COMPILER})
tilelab_json_list(read_only ${TILELAB_COMPILER_READS} ${cxx_installation})
list(JOIN TILELAB_BUILDS ",\n" builds)

file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/toolchain.json CONTENT
"{
  \"schema\": 4,
  \"backend\": \"${TILELAB_BACKEND}\",
  \"compiler\": \"${TILELAB_COMPILER}\",
  \"cxx\": \"${CMAKE_CXX_COMPILER}\",
  \"builds\": {
${builds}
  },
  \"dispatch\": \"${CMAKE_BINARY_DIR}/lib/dispatch_{lab}.o\",
  \"judge\": \"${CMAKE_BINARY_DIR}/bin/judge_{lab}\",
  \"confine\": \"$<TARGET_FILE:confine>\",
  \"peaks\": \"${CMAKE_BINARY_DIR}/bin/peaks\",
  \"read_only\": ${read_only}
}
")
