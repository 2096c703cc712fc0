# Writes the two files that describe an installed harness, without a folder of this machine in them,
# and a third one that says which sources it was built from.

set(to ${CMAKE_INSTALL_PREFIX}/${TILELAB_HOME}/${TILELAB_HARNESS})

# The grading package fills in {home}, {precompiled}, {cxx} and {compiler}.
foreach(name IN ITEMS toolchain program)
  file(READ ${TILELAB_BINARY_DIR}/${name}.json text)
  string(REPLACE "${TILELAB_BINARY_DIR}/precompiled" "{precompiled}" text "${text}")
  string(REPLACE "${TILELAB_BINARY_DIR}" "{home}/${TILELAB_HARNESS}" text "${text}")
  string(REPLACE "${TILELAB_SOURCE_DIR}" "{home}" text "${text}")
  string(REPLACE "\"${TILELAB_CXX}\"" "\"{cxx}\"" text "${text}")
  string(REGEX REPLACE "(\"compiler\": )\"[^\"]*\"" "\\1\"{compiler}\"" text "${text}")
  file(WRITE ${to}/${name}.json "${text}")
endforeach()

# As sha256sum writes and reads it.
list(TRANSFORM TILELAB_SOURCES PREPEND ${TILELAB_SOURCE_DIR}/)
file(GLOB files LIST_DIRECTORIES false ${TILELAB_SOURCES})
file(GLOB_RECURSE common ${TILELAB_SOURCE_DIR}/common/*)
list(FILTER common EXCLUDE REGEX "\\.md$")
set(lines "")
foreach(file IN LISTS files common)
  file(SHA256 ${file} sum)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${TILELAB_SOURCE_DIR})
  string(APPEND lines "${sum}  ${file}\n")
endforeach()
file(WRITE ${to}/sources.sha256 "${lines}")
