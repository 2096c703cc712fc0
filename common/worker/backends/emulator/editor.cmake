# Commands for editors: clangd reads compile_commands.json, and then understands the labs on a
# machine without CUDA. Nothing here is ever built.

file(GLOB_RECURSE editor_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/labs/*.cu
     ${PROJECT_SOURCE_DIR}/solutions/*.cu)
add_library(tilelab_editor OBJECT EXCLUDE_FROM_ALL ${editor_sources})
set_source_files_properties(${editor_sources} PROPERTIES LANGUAGE CXX)
set_target_properties(tilelab_editor PROPERTIES CXX_COMPILER_LAUNCHER "")
file(GLOB editor_labs CONFIGURE_DEPENDS LIST_DIRECTORIES true ${PROJECT_SOURCE_DIR}/labs/*)
# clang's own CUDA, without the headers and libraries of a toolkit.
target_compile_options(
  tilelab_editor PRIVATE -xcuda --cuda-host-only -nocudainc -nocudalib -Wno-unknown-cuda-version
                         -Wno-cuda-compat
                         "SHELL:-Xclang -fcuda-allow-variadic-functions"
                         -include ${CMAKE_CURRENT_LIST_DIR}/editor.h)
target_include_directories(tilelab_editor PRIVATE ${editor_labs})
target_include_directories(tilelab_editor SYSTEM PRIVATE ${PROJECT_SOURCE_DIR}/common/emulator/include)
