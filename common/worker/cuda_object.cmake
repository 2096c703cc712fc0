# tilelab_cuda_object(OBJECT SOURCE.cu [FLAGS ...] [DEPENDS ...])
#
# Compiles kernels of our own with nvcc, for the GPUs that submissions are compiled for.
function(tilelab_cuda_object object source)
  cmake_parse_arguments(PARSE_ARGV 2 cuda "" "" "FLAGS;DEPENDS")
  cmake_path(ABSOLUTE_PATH source)
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${TILELAB_NVCC} -ccbin ${CMAKE_CXX_COMPILER} -std=c++20 -O3 ${TILELAB_CUDA_ARCHITECTURES}
            ${cuda_FLAGS} -c ${source} -o ${object}
    DEPENDS ${source} ${cuda_DEPENDS}
    VERBATIM)
endfunction()
