# Compiles submissions with the emulator, which runs them on the CPU.

add_subdirectory(${PROJECT_SOURCE_DIR}/common/emulator ${PROJECT_BINARY_DIR}/common/emulator)
include(${CMAKE_CURRENT_LIST_DIR}/editor.cmake)

add_library(tilelab_runtime INTERFACE)
target_link_libraries(tilelab_runtime INTERFACE tilelab_emulator)

# The part of a checked worker that reports what its kernels did.
add_library(tilelab_checked STATIC ${CMAKE_CURRENT_LIST_DIR}/checked.cpp)
target_link_libraries(tilelab_checked PRIVATE tilelab_worker tilelab_report tilelab_warnings)
add_dependencies(shared_harness launch_rewriter tilelab_checked tilelab_observer)

set(TILELAB_VECTOR_TYPES ${PROJECT_SOURCE_DIR}/common/emulator/include)
set(TILELAB_HAS_CHECKED TRUE)
set(TILELAB_COMPILER "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
set(TILELAB_COMPILER_READS ${PROJECT_SOURCE_DIR}/common/emulator
    ${PROJECT_SOURCE_DIR}/common/worker/standard $<TARGET_FILE:launch_rewriter>)
set(compile_sh ${PROJECT_SOURCE_DIR}/common/emulator/compile.sh)
include(${CMAKE_CURRENT_LIST_DIR}/precompiled.cmake)
# There is one build for all calls, so that a submission cannot tell those that are observed.
tilelab_build(
  checked
  COMPILE sh ${compile_sh} --checked ${CMAKE_CXX_COMPILER} $<TARGET_FILE:launch_rewriter> {source}
          {object} -I{include} -isystem ${PROJECT_SOURCE_DIR}/common/worker/standard
          ${precompiled_flags}
  LIBRARIES $<TARGET_FILE:tilelab_checked> $<TARGET_FILE:tilelab_observer>
            $<TARGET_FILE:tilelab_report> $<TARGET_FILE:tilelab_emulator>)

foreach(build IN ITEMS fast checked)
  if(build STREQUAL checked)
    set(option --checked)
    set(libraries $<TARGET_FILE:tilelab_observer> $<TARGET_FILE:tilelab_report>)
  endif()
  tilelab_program_build(
    ${build}
    CUDA sh ${compile_sh} ${option} ${CMAKE_CXX_COMPILER} $<TARGET_FILE:launch_rewriter> {source}
         {object} -DTILELAB_PROGRAM -DTILELAB_CHECKS_INDEXES -DTILELAB_NAMES_UNSET {flags}
    CXX sh ${compile_sh} ${option} --host ${CMAKE_CXX_COMPILER} $<TARGET_FILE:launch_rewriter>
        {source} {object} {flags}
    LINK ${CMAKE_CXX_COMPILER} {objects} -Wl,-u,tilelab_start_program
         $<TARGET_FILE:tilelab_program_${build}> $<TARGET_FILE:tilelab_curand> ${libraries}
         $<TARGET_FILE:tilelab_emulator> -lpthread -o {program})
endforeach()

function(tilelab_link_kernels target source)
  cmake_parse_arguments(PARSE_ARGV 2 kernels CHECKED "" "FLAGS;DEPENDS")
  cmake_path(GET source STEM stem)
  if(kernels_CHECKED)
    tilelab_checked_object(${target}_${stem} ${source} ${kernels_FLAGS})
  else()
    tilelab_emulated_object(${target}_${stem} ${source} ${kernels_FLAGS})
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    # Submissions are linked with the archive, so the object must be in it.
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${target}_${stem}.o)
    add_dependencies(${target} ${target}_${stem}_object)
  else()
    target_link_libraries(${target} PRIVATE ${target}_${stem})
  endif()
endfunction()
