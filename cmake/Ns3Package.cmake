# SPDX-License-Identifier: GPL-2.0-only
#
# ns-3's own commands for modules, build_lib() and build_lib_example(): the suite's modules build
# against an installed ns-3 with the same CMakeLists.txt files that an ns-3 source tree reads from its
# contrib/ folder. What is built can be installed, and found by find_package(ns3-dc-suite).
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/Ns3.cmake)
include(GNUInstallDirs)
set(CMAKE_INSTALL_RPATH "$ORIGIN;$<TARGET_FILE_DIR:${libcore}>")

# All modules; build_lib() adds each. The linker keeps one that only registers TypeIds.
add_library(suite-modules INTERFACE)
target_link_options(suite-modules INTERFACE LINKER:--no-as-needed)
target_compile_features(suite-modules INTERFACE cxx_std_20)
set_target_properties(suite-modules PROPERTIES EXPORT_NAME modules)
install(TARGETS suite-modules EXPORT ns3-dc-suite)
set(SUITE_INCLUDE "${CMAKE_BINARY_DIR}/include") # one-line stubs ns3/foo.h, as in an ns-3 build tree

function(_write_stub header)
  get_filename_component(_name "${header}" NAME)
  file(CONFIGURE OUTPUT "${SUITE_INCLUDE}/ns3/${_name}"
       CONTENT "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${header}\"\n" @ONLY)
endfunction()

# Header units that every module includes are compiled once (see SUITE_PCH in the top CMakeLists.txt).
function(_share_precompiled_headers target pch)
  set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "")
  if(SUITE_PCH)
    target_precompile_headers(${target} REUSE_FROM ${pch})
  endif()
endfunction()

# A unity build (SUITE_UNITY) compiles several sources as one. NS_LOG_COMPONENT_DEFINE gives every log
# component the same name, so each source gets a name of its own for it.
function(_unite target)
  if(NOT SUITE_UNITY GREATER 1)
    return()
  endif()
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${SUITE_UNITY} UNITY_BUILD_UNIQUE_ID SUITE_UNITY_ID
    UNITY_BUILD_CODE_BEFORE_INCLUDE "#define SUITE_PASTE_(a, b) a##b\n#define SUITE_PASTE(a, b) SUITE_PASTE_(a, b)\n#define g_log SUITE_PASTE(g_log_, SUITE_UNITY_ID)"
    UNITY_BUILD_CODE_AFTER_INCLUDE "#undef g_log")
  # Of a class outside a file's unnamed namespace that uses one inside: harmless where all is one file.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

function(build_lib)
  cmake_parse_arguments(
    LIB "IGNORE_PCH;GENERATE_EXPORT_HEADER" "LIBNAME"
    "SOURCE_FILES;HEADER_FILES;PRIVATE_HEADER_FILES;DEPRECATED_HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES;MODULE_ENABLED_FEATURES"
    ${ARGN})
  add_library(${LIB_LIBNAME} SHARED ${LIB_SOURCE_FILES})
  set_target_properties(${LIB_LIBNAME} PROPERTIES OUTPUT_NAME "suite-${LIB_LIBNAME}")
  set(_module "#pragma once\n")
  foreach(_header IN LISTS LIB_HEADER_FILES LIB_DEPRECATED_HEADER_FILES)
    _write_stub("${_header}")
    get_filename_component(_name "${_header}" NAME)
    string(APPEND _module "#include \"${_name}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT "${SUITE_INCLUDE}/ns3/${LIB_LIBNAME}-module.h" CONTENT "${_module}" @ONLY)
  target_include_directories(${LIB_LIBNAME} PUBLIC "$<BUILD_INTERFACE:${SUITE_INCLUDE}>"
                                                   "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${LIB_LIBNAME} PUBLIC ${LIB_LIBRARIES_TO_LINK})
  target_compile_features(${LIB_LIBNAME} PUBLIC cxx_std_20)
  # Elsewhere, too, the linker keeps a module of which a program names TypeIds only, in strings.
  target_link_options(${LIB_LIBNAME} INTERFACE "$<INSTALL_INTERFACE:-Wl,--no-as-needed>")
  _share_precompiled_headers(${LIB_LIBNAME} suite-pch)
  _unite(${LIB_LIBNAME})
  target_link_libraries(suite-modules INTERFACE ${LIB_LIBNAME})
  install(TARGETS ${LIB_LIBNAME} EXPORT ns3-dc-suite)
  install(FILES ${LIB_HEADER_FILES} ${LIB_DEPRECATED_HEADER_FILES} "${SUITE_INCLUDE}/ns3/${LIB_LIBNAME}-module.h"
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3)
  if(SUITE_TESTS AND LIB_TEST_SOURCES)
    add_library(${LIB_LIBNAME}-test OBJECT ${LIB_TEST_SOURCES})
    target_link_libraries(${LIB_LIBNAME}-test ${LIB_LIBNAME}) # as ns-3 does, so that modules can add to it
    target_compile_definitions(${LIB_LIBNAME}-test
                               PRIVATE "NS_TEST_SOURCEDIR=\"${CMAKE_CURRENT_SOURCE_DIR}/test\"")
    target_compile_options(${LIB_LIBNAME}-test PRIVATE ${SUITE_TEST_OPTIONS})
    _share_precompiled_headers(${LIB_LIBNAME}-test suite-test-pch)
    _unite(${LIB_LIBNAME}-test)
    set_property(GLOBAL APPEND PROPERTY SUITE_TEST_LIBRARIES ${LIB_LIBNAME}-test)
    foreach(_source IN LISTS LIB_TEST_SOURCES)
      get_filename_component(_suite "${_source}" NAME_WE) # a suite is named after its file
      string(REPLACE "-test-suite" "" _suite "${_suite}")
      set_property(GLOBAL APPEND PROPERTY SUITE_TEST_SUITES ${_suite})
    endforeach()
  endif()
  set(BLIB_LIBNAME ${LIB_LIBNAME})
  if(SUITE_EXAMPLES AND EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/examples/CMakeLists.txt")
    add_subdirectory(examples)
  endif()
endfunction()

function(build_lib_example)
  cmake_parse_arguments(EXAMPLE "IGNORE_PCH" "NAME" "SOURCE_FILES;HEADER_FILES;LIBRARIES_TO_LINK" ${ARGN})
  suite_program(${EXAMPLE_NAME} ${EXAMPLE_SOURCE_FILES})
  target_link_libraries(${EXAMPLE_NAME} PRIVATE ${BLIB_LIBNAME} ${EXAMPLE_LIBRARIES_TO_LINK})
endfunction()

# An executable that may use all of ns-3, as those of ns-3's own scratch/. What it does not use is not
# loaded, which one option says of all libraries together: CMake would move separate ones.
function(suite_stock_program name)
  suite_program(${name} ${ARGN})
  list(TRANSFORM SUITE_NS3_LIBRARIES REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE _files)
  list(JOIN _files "," _files)
  target_link_libraries(${name} PRIVATE "-Wl,--push-state,--as-needed,${_files},--pop-state")
endfunction()

# An executable that sees all modules, those behind its own too.
function(suite_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE suite-modules)
  _share_precompiled_headers(${name} suite-pch)
endfunction()
