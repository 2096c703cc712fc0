# How everything here is compiled: the course, and what is built without it.

include_guard(GLOBAL)

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH TILELAB_SOURCE_DIR)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

# What has to be fast asks for more. With -O3, the build type's own, half of a first build would go
# into optimizing tests.
add_compile_options(-O1)

# Warnings for our own code, and only for it. They are errors in the developers' presets only, so
# that a newer compiler never breaks a user's build. Files are compiled together (see below), so
# names of one may be used in functions of another: g++ can tell that from real shadowing.
add_library(tilelab_warnings INTERFACE)
target_compile_options(
  tilelab_warnings INTERFACE -Wall -Wextra -Wpedantic
                             $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>)

# If ccache is installed, what several presets share is compiled only once.
find_program(TILELAB_CCACHE ccache)
if(TILELAB_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TILELAB_CCACHE})
endif()

# tilelab_join_files(TARGET [EXCEPT FILE.cpp...])
#
# Compiles the files of a target together, many of them in two halves, so that a header that all of
# them include is read once or twice and two processors are busy. A name of an anonymous namespace
# is therefore used once in a target. Files that cannot be read together are exceptions.
function(tilelab_join_files target)
  cmake_parse_arguments(PARSE_ARGV 1 join "" "" EXCEPT)
  set_source_files_properties(${join_EXCEPT} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  get_target_property(sources ${target} SOURCES)
  list(LENGTH sources count)
  if(count GREATER 12)
    math(EXPR count "(${count} + 1) / 2")
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
endfunction()

# tilelab_own_functions(TARGET): the static library shares no function of the standard library with
# the programs that link it.
function(tilelab_own_functions target)
  add_custom_command(TARGET ${target} POST_BUILD
                     COMMAND sh ${TILELAB_SOURCE_DIR}/common/own_functions.sh $<TARGET_FILE:${target}>
                     VERBATIM)
endfunction()
