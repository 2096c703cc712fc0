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

# tilelab_build_json(NAME COMPILE ... LIBRARIES ...): sets NAME to how a build makes a worker.
function(tilelab_build_json name)
  cmake_parse_arguments(PARSE_ARGV 1 build "" "" "COMPILE;LIBRARIES")
  tilelab_json_list(compile ${build_COMPILE})
  tilelab_json_list(
    link ${CMAKE_CXX_COMPILER} {object} {dispatch} $<TARGET_FILE:tilelab_worker> ${build_LIBRARIES}
    -o {worker})
  set(${name} "    \"${name}\": {\n      \"compile\": ${compile},\n      \"link\": ${link}\n    }"
      PARENT_SCOPE)
endfunction()

# The folder that a tool's installation lies in, for the jail that compiles; the system's own is there
# anyway.
function(tilelab_installation result tool)
  get_filename_component(path ${tool} REALPATH)
  cmake_path(GET path PARENT_PATH path)
  cmake_path(GET path PARENT_PATH path)
  if(path STREQUAL "/usr" OR path STREQUAL "/")
    set(path "")
  endif()
  set(${result} ${path} PARENT_SCOPE)
endfunction()

tilelab_installation(cxx_installation ${CMAKE_CXX_COMPILER})

if(TILELAB_BACKEND STREQUAL "cuda")
  # The architectures of the GPUs that are there, if nvcc knows them; else code for a range of GPUs,
  # and PTX for later ones. Named, because `-arch=native` would have to see the GPU from within the
  # jail.
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
  set(compiler "nvcc ${CUDAToolkit_VERSION}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  tilelab_installation(toolkit ${TILELAB_NVCC})
  tilelab_build_json(
    fast
    COMPILE ${TILELAB_NVCC} -ccbin ${CMAKE_CXX_COMPILER} -std=c++20 -O3 -lineinfo
    ${TILELAB_CUDA_ARCHITECTURES} -I{include} -c {source} -o {object}
    LIBRARIES $<TARGET_FILE:tilelab_unobserved> $<TARGET_FILE:CUDA::cudart_static> -ldl -lrt -lpthread)
  set(builds "${fast}")
  tilelab_json_list(read_only ${toolkit} ${cxx_installation})
else()
  set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  set(compile_sh ${PROJECT_SOURCE_DIR}/common/emulator/compile.sh)
  set(compile_arguments ${CMAKE_CXX_COMPILER} $<TARGET_FILE:launch_rewriter> {source} {object}
                        -I{include})
  tilelab_build_json(
    fast
    COMPILE sh ${compile_sh} ${compile_arguments}
    LIBRARIES $<TARGET_FILE:tilelab_unobserved> $<TARGET_FILE:tilelab_emulator>)
  tilelab_build_json(
    checked
    COMPILE sh ${compile_sh} --checked ${compile_arguments}
    LIBRARIES $<TARGET_FILE:tilelab_observed> $<TARGET_FILE:tilelab_observer>
              $<TARGET_FILE:tilelab_report> $<TARGET_FILE:tilelab_emulator>)
  set(builds "${fast},\n${checked}")
  tilelab_json_list(read_only ${PROJECT_SOURCE_DIR}/common/emulator $<TARGET_FILE:launch_rewriter>
                    ${cxx_installation})
endif()

file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/toolchain.json CONTENT
"{
  \"schema\": 3,
  \"backend\": \"${TILELAB_BACKEND}\",
  \"compiler\": \"${compiler}\",
  \"builds\": {
${builds}
  },
  \"dispatch\": \"${CMAKE_BINARY_DIR}/lib/dispatch_{lab}.o\",
  \"judge\": \"${CMAKE_BINARY_DIR}/bin/judge_{lab}\",
  \"confine\": \"$<TARGET_FILE:confine>\",
  \"control\": \"${CMAKE_BINARY_DIR}/bin/peaks\",
  \"read_only\": ${read_only}
}
")
