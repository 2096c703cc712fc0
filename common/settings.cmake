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
# that a newer compiler never breaks a user's build.
add_library(tilelab_warnings INTERFACE)
target_compile_options(tilelab_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow)

# If ccache is installed, what several presets share is compiled only once.
find_program(TILELAB_CCACHE ccache)
if(TILELAB_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TILELAB_CCACHE})
endif()

# tilelab_join_folders(TARGET [EXCEPT FILE.cpp...])
#
# Compiles all files of a folder at once, so that a header that all of them include is read once.
# Files that cannot be read together are exceptions.
function(tilelab_join_folders target)
  cmake_parse_arguments(PARSE_ARGV 1 join "" "" EXCEPT)
  list(TRANSFORM join_EXCEPT PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    if(path IN_LIST join_EXCEPT)
      continue()
    endif()
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${TILELAB_SOURCE_DIR})
    cmake_path(GET path PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER ${folder} group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# tilelab_own_functions(TARGET): the static library shares no function of the standard library with
# the programs that link it.
function(tilelab_own_functions target)
  add_custom_command(TARGET ${target} POST_BUILD
                     COMMAND sh ${TILELAB_SOURCE_DIR}/common/own_functions.sh $<TARGET_FILE:${target}>
                     VERBATIM)
endfunction()
