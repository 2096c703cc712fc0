# Functions that compile .cu files, in the build of the emulator and where it is installed.

# tilelab_emulated_object(TARGET SOURCE.cu [FLAGS...])
#
# Compiles SOURCE.cu for the emulator. Link TARGET to use its functions.
function(tilelab_emulated_object target source)
  _tilelab_compiled_object(${target} ${source} TileLab::emulator "" ${ARGN})
endfunction()

# tilelab_checked_object(TARGET SOURCE.cu [FLAGS...])
#
# The same for a checked build. All objects of a program must come from the same build.
# TILELAB_KERNEL_COMPILER, if it is set, compiles them instead of CMAKE_CXX_COMPILER.
function(tilelab_checked_object target source)
  _tilelab_compiled_object(${target} ${source} TileLab::observer --checked ${ARGN})
endfunction()

function(_tilelab_compiled_object target source library build)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.o)
  cmake_path(ABSOLUTE_PATH source)
  set(compiler ${CMAKE_CXX_COMPILER})
  if(TILELAB_KERNEL_COMPILER)
    set(compiler ${TILELAB_KERNEL_COMPILER})
  endif()
  set(emulator ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${emulator}/include/* ${emulator}/observer/hooks/*.awk)
  list(JOIN CMAKE_CXX_COMPILER_LAUNCHER " " launcher)
  # Launchers are started here for C++ files.
  add_custom_command(
    OUTPUT ${object}
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
    COMMAND ${CMAKE_COMMAND} -E env "TILELAB_LAUNCHER=${launcher}"
            ${emulator}/compile.sh ${build} ${compiler} $<TARGET_FILE:TileLab::launch_rewriter>
            ${source} ${object} ${ARGN}
    DEPENDS ${source} TileLab::launch_rewriter ${emulator}/compile.sh ${headers}
            ${emulator}/observer/hooks/redirected_symbols
    COMMENT "Compiling ${source} for the emulator"
    VERBATIM)
  add_custom_target(${target}_object DEPENDS ${object})
  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE ${object} ${library})
  add_dependencies(${target} ${target}_object)
endfunction()
