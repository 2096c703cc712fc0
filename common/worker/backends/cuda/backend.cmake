# Compiles submissions with nvcc and runs them on an NVIDIA GPU.

# CMake 3.25 expects this library, which CUDA 13 has no longer, and stops where there is none.
add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
find_package(CUDAToolkit 12 REQUIRED)
find_program(TILELAB_NVCC nvcc HINTS ${CUDAToolkit_BIN_DIR} REQUIRED)

# The architectures of this machine's GPUs, if nvcc knows them. Otherwise code for a range of GPUs,
# and PTX for later ones. They are named because `-arch=native` would need the GPU inside the jail.
execute_process(
  COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
  OUTPUT_VARIABLE capabilities ERROR_QUIET)
execute_process(COMMAND ${TILELAB_NVCC} --list-gpu-arch OUTPUT_VARIABLE known ERROR_QUIET)
string(REPLACE "." "" capabilities "${capabilities}")
string(REGEX MATCHALL "[0-9]+" capabilities "${capabilities}")
string(REGEX MATCHALL "[0-9]+" known "${known}")
list(REMOVE_DUPLICATES capabilities)
foreach(native IN LISTS capabilities)
  if(native IN_LIST known)
    list(APPEND default_architectures -gencode arch=compute_${native},code=sm_${native})
  endif()
endforeach()
if(NOT default_architectures)
  set(default_architectures -gencode arch=compute_75,code=sm_75 -gencode
                            arch=compute_80,code=sm_80 -gencode
                            arch=compute_90,code=[sm_90,compute_90])
endif()
set(TILELAB_CUDA_ARCHITECTURES "${default_architectures}"
    CACHE STRING "nvcc's options that name the architectures to compile for")

add_library(tilelab_runtime INTERFACE)
target_link_libraries(tilelab_runtime INTERFACE CUDA::cudart_static)

set(TILELAB_VECTOR_TYPES ${CUDAToolkit_INCLUDE_DIRS})
set(TILELAB_HAS_CHECKED FALSE)
set(TILELAB_COMPILER
    "nvcc ${CUDAToolkit_VERSION}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
tilelab_installation(toolkit ${TILELAB_NVCC})
set(TILELAB_COMPILER_READS ${toolkit} ${PROJECT_SOURCE_DIR}/common/worker/standard)
tilelab_build(
  fast
  COMPILE ${TILELAB_NVCC} -ccbin ${CMAKE_CXX_COMPILER} -std=c++20 -O3 -lineinfo
          ${TILELAB_CUDA_ARCHITECTURES} -I{include} -isystem
          ${PROJECT_SOURCE_DIR}/common/worker/standard -c {source} -o {object}
  LIBRARIES $<TARGET_FILE:tilelab_unchecked> $<TARGET_FILE:CUDA::cudart_static> -ldl -lrt -lpthread)

set(compile ${TILELAB_NVCC} -ccbin ${CMAKE_CXX_COMPILER} -O3 -lineinfo --extended-lambda
            ${TILELAB_CUDA_ARCHITECTURES} {flags} -c {source} -o {object})
tilelab_program_build(fast CUDA ${compile} CXX ${compile}
                      LINK ${TILELAB_NVCC} -ccbin ${CMAKE_CXX_COMPILER} {objects} -o {program})

function(tilelab_link_kernels target source)
  cmake_parse_arguments(PARSE_ARGV 2 kernels CHECKED "" "FLAGS;DEPENDS")
  cmake_path(ABSOLUTE_PATH source)
  cmake_path(GET source STEM stem)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}_${stem}.o)
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${TILELAB_NVCC} -ccbin ${CMAKE_CXX_COMPILER} -std=c++20 -O3 ${TILELAB_CUDA_ARCHITECTURES}
            ${kernels_FLAGS} -c ${source} -o ${object}
    DEPENDS ${source} ${kernels_DEPENDS}
    VERBATIM)
  target_sources(${target} PRIVATE ${object})
  target_link_libraries(${target} PRIVATE tilelab_runtime)
endfunction()
