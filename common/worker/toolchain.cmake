# Writes build/<preset>/toolchain.json: how one submission is compiled and linked. {source}, {object},
# {include} (a folder that holds the contract header alone), {dispatch} and {worker} are filled in by
# the grading side.

function(tilelab_json_list result)
  set(quoted ${ARGN})
  list(TRANSFORM quoted PREPEND "\"")
  list(TRANSFORM quoted APPEND "\"")
  list(JOIN quoted ", " joined)
  set(${result} "[${joined}]" PARENT_SCOPE)
endfunction()

get_filename_component(cxx ${CMAKE_CXX_COMPILER} REALPATH)

if(TILELAB_BACKEND STREQUAL "cuda")
  # A GPU's own architecture where there is one; else code for a range of GPUs, and PTX for later ones.
  execute_process(COMMAND nvidia-smi -L OUTPUT_VARIABLE gpus ERROR_QUIET RESULT_VARIABLE no_gpu)
  if(NOT no_gpu AND gpus MATCHES "GPU 0")
    set(default_architectures -arch=native)
  else()
    set(default_architectures -gencode arch=compute_75,code=sm_75 -gencode
                              arch=compute_80,code=sm_80 -gencode
                              arch=compute_90,code=[sm_90,compute_90])
  endif()
  set(TILELAB_CUDA_ARCHITECTURES "${default_architectures}"
      CACHE STRING "nvcc's options that name the architectures to compile for")
  set(compiler "nvcc ${CUDAToolkit_VERSION}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  get_filename_component(toolkit ${TILELAB_NVCC} REALPATH)
  cmake_path(GET toolkit PARENT_PATH toolkit)
  cmake_path(GET toolkit PARENT_PATH toolkit)
  tilelab_json_list(
    compile ${TILELAB_NVCC} -ccbin ${CMAKE_CXX_COMPILER} -std=c++20 -O3 -lineinfo
    ${TILELAB_CUDA_ARCHITECTURES} -I{include} -c {source} -o {object})
  tilelab_json_list(read_only ${toolkit})
  set(runtime_libraries $<TARGET_FILE:CUDA::cudart_static> -ldl -lrt -lpthread)
else()
  set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  tilelab_json_list(
    compile sh ${PROJECT_SOURCE_DIR}/common/emulator/compile.sh ${CMAKE_CXX_COMPILER}
    $<TARGET_FILE:launch_rewriter> {source} {object} -I{include})
  tilelab_json_list(read_only ${PROJECT_SOURCE_DIR}/common/emulator $<TARGET_FILE:launch_rewriter>)
  set(runtime_libraries $<TARGET_FILE:tilelab_emulator>)
endif()

tilelab_json_list(
  link ${CMAKE_CXX_COMPILER} {object} {dispatch} $<TARGET_FILE:tilelab_worker>
  ${runtime_libraries} -o {worker})

file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/toolchain.json CONTENT
"{
  \"schema\": 1,
  \"backend\": \"${TILELAB_BACKEND}\",
  \"compiler\": \"${compiler}\",
  \"compile\": ${compile},
  \"link\": ${link},
  \"dispatch\": \"${CMAKE_BINARY_DIR}/lib/dispatch_{lab}.o\",
  \"judge\": \"${CMAKE_BINARY_DIR}/bin/judge_{lab}\",
  \"confine\": \"$<TARGET_FILE:confine>\",
  \"read_only\": ${read_only}
}
")
