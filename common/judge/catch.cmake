# Finds Catch2, and makes a library of what our tests add to it.

find_package(Catch2 REQUIRED) # 2.13 or 3.x: catch.h hides the difference
list(APPEND CMAKE_MODULE_PATH ${Catch2_DIR})

add_library(tilelab_catch STATIC ${CMAKE_CURRENT_LIST_DIR}/catch_session.cpp)
target_include_directories(tilelab_catch PUBLIC ${TILELAB_SOURCE_DIR}/common)
target_link_libraries(tilelab_catch PUBLIC Catch2::Catch2 PRIVATE tilelab_warnings)
# Where Catch2 is a header, this is all of it. Optimized, it takes twice as long to compile.
target_compile_options(tilelab_catch PRIVATE -O0)
