# What the emulator and the estimator need where they are built, tested and installed without the
# course.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

option(BUILD_TESTING "Whether to build the tests, which need Catch2" OFF)
if(BUILD_TESTING)
  include(${CMAKE_CURRENT_LIST_DIR}/judge/catch.cmake)
  enable_testing()
  add_custom_target(thorough_tests ALL)
endif()

# The version is the course's.
file(STRINGS ${TILELAB_SOURCE_DIR}/CMakeLists.txt first_lines REGEX "^project\\(")
string(REGEX MATCH "[0-9.]+" TILELAB_VERSION "${first_lines}")

# What compilers and shells read is installed here, in folders named as in common/.
set(TILELAB_SHARED ${CMAKE_INSTALL_DATADIR}/tilelab)

# tilelab_install_headers(FOLDER): the headers of a folder of common/.
function(tilelab_install_headers folder)
  install(DIRECTORY ${TILELAB_SOURCE_DIR}/common/${folder} DESTINATION ${TILELAB_SHARED}
          FILES_MATCHING PATTERN *.h)
endfunction()

# tilelab_install_package(NAME TARGETS... [NEEDS PACKAGES...] [FUNCTIONS FILES.cmake...])
#
# Installs targets so that find_package(NAME) finds them. Their names there begin with TileLab::
# instead of tilelab_. FILES.cmake are installed ones, relative to TILELAB_SHARED.
function(tilelab_install_package name)
  cmake_parse_arguments(PARSE_ARGV 1 package "" "" "NEEDS;FUNCTIONS")
  foreach(target IN LISTS package_UNPARSED_ARGUMENTS)
    string(REGEX REPLACE "^tilelab_" "" exported ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${exported})
  endforeach()
  set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/${name})
  install(TARGETS ${package_UNPARSED_ARGUMENTS} EXPORT ${name} INCLUDES DESTINATION ${TILELAB_SHARED})
  install(EXPORT ${name} NAMESPACE TileLab:: FILE ${name}Targets.cmake DESTINATION ${folder})

  set(config "@PACKAGE_INIT@\ninclude(CMakeFindDependencyMacro)\n")
  # First, because another package that is found sets PACKAGE_PREFIX_DIR.
  foreach(file IN LISTS package_FUNCTIONS)
    string(APPEND config "include(\${PACKAGE_PREFIX_DIR}/${TILELAB_SHARED}/${file})\n")
  endforeach()
  foreach(needed IN LISTS package_NEEDS)
    string(APPEND config "find_dependency(${needed})\n")
  endforeach()
  string(APPEND config "include(\${CMAKE_CURRENT_LIST_DIR}/${name}Targets.cmake)\n")
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${name})
  file(WRITE ${made}.cmake.in "${config}")
  configure_package_config_file(${made}.cmake.in ${made}Config.cmake INSTALL_DESTINATION ${folder})
  write_basic_package_version_file(${made}ConfigVersion.cmake VERSION ${TILELAB_VERSION}
                                   COMPATIBILITY SameMajorVersion)
  install(FILES ${made}Config.cmake ${made}ConfigVersion.cmake DESTINATION ${folder})
endfunction()

# The report, which both packages need, is one of its own.
add_subdirectory(${TILELAB_SOURCE_DIR}/common/report report)
add_subdirectory(${TILELAB_SOURCE_DIR}/common/costs costs)
tilelab_install_headers(schema)
tilelab_install_headers(report)
tilelab_install_package(TileLabReport tilelab_report)
