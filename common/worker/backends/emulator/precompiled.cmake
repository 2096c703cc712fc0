# Precompiles cuda_runtime.h, which takes most of the time that a submission's compilation takes.
#
# g++ ignores the result where it does not fit, and reads the header. Sets precompiled_flags and adds
# to TILELAB_COMPILER_READS.
set(precompiled_flags "")
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  return()
endif()
set(folder ${PROJECT_BINARY_DIR}/precompiled)
set(object ${folder}/cuda_runtime.h.gch)
# Where a file includes the header once more, g++ looks for it here.
file(CONFIGURE OUTPUT ${folder}/cuda_runtime.h CONTENT "#include_next <cuda_runtime.h>\n")
add_custom_command(
  OUTPUT ${object}
  COMMAND sh ${compile_sh} --checked ${CMAKE_CXX_COMPILER} $<TARGET_FILE:launch_rewriter>
          ${PROJECT_SOURCE_DIR}/common/emulator/include/cuda_runtime.h ${object} -MD -MF ${object}.d
          -MT ${object}
  DEPENDS ${compile_sh}
  DEPFILE ${object}.d
  COMMENT "Precompiling cuda_runtime.h for submissions"
  VERBATIM)
add_custom_target(precompiled_header DEPENDS ${object})
add_dependencies(shared_harness precompiled_header)
set(precompiled_flags -isystem ${folder} -fpch-preprocess)
list(APPEND TILELAB_COMPILER_READS ${folder})
