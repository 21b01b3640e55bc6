# SPDX-License-Identifier: GPL-2.0-only
#
# Lets the suite's modules build against an installed ns-3 (the PyPI wheel, a distribution package
# or an installed prefix, 3.42 or later) with the same CMakeLists.txt files that an ns-3 source tree
# reads from its contrib/ folder. Three steps: find ns-3, mend its exported targets, offer ns-3's
# own build_lib() and build_lib_example().
include_guard(GLOBAL)

# ---- 1. Find ns-3: -Dns3_DIR=<folder of ns3Config.cmake>, else the wheel of the Python in use. ----
if(NOT ns3_DIR)
  find_package(Python3 COMPONENTS Interpreter QUIET)
  if(Python3_FOUND)
    # find_spec() does not import the package: importing needs the Python bindings, C++ use does not.
    set(_locate "import glob, importlib.util as u, os
spec = u.find_spec('ns3')
for base in (spec.submodule_search_locations if spec else []):
    print(*glob.glob(os.path.join(base, 'lib*', 'cmake', 'ns3')), sep=';', end='')")
    execute_process(COMMAND ${Python3_EXECUTABLE} -c "${_locate}" OUTPUT_VARIABLE _found ERROR_QUIET)
    if(_found)
      set(ns3_DIR "${_found}" CACHE PATH "Folder of ns3Config.cmake")
    endif()
  endif()
endif()
find_package(ns3 CONFIG QUIET)
if(NOT ns3_FOUND)
  message(FATAL_ERROR "ns-3 not found: install the wheel (pip install --no-deps ns3==3.44.post0) "
                      "or pass -Dns3_DIR=<folder of ns3Config.cmake>")
endif()
set(_prefix "${ns3_DIR}")
while(NOT EXISTS "${_prefix}/include/ns3/core-module.h")
  get_filename_component(_parent "${_prefix}" DIRECTORY)
  if(_parent STREQUAL _prefix)
    message(FATAL_ERROR "No include/ns3/core-module.h above ${ns3_DIR}")
  endif()
  set(_prefix "${_parent}")
endwhile()

# ---- 2. Mend the imported targets. -----------------------------------------------------------------
# Packages export the build machine's paths (/usr/include/glib-2.0, /usr/lib64/libgsl.so, brite.so):
# CMake stops at an include folder that is absent and the linker at a library that is absent. Only
# what exists here is kept. The wheel's include/ also holds a whole Boost 1.66, which must not shadow
# the Boost in use, so its ns3/ folder alone becomes visible, through a symbolic link.
set(_ns3_headers "${CMAKE_BINARY_DIR}/ns3-headers")
file(MAKE_DIRECTORY "${_ns3_headers}")
file(CREATE_LINK "${_prefix}/include/ns3" "${_ns3_headers}/ns3" SYMBOLIC)

function(_mend_link_interface target)
  set(_kept "")
  get_target_property(_libraries ${target} INTERFACE_LINK_LIBRARIES)
  foreach(_library IN LISTS _libraries)
    if(_library MATCHES "^(ns3::|-)" OR (IS_ABSOLUTE "${_library}" AND EXISTS "${_library}"))
      list(APPEND _kept "${_library}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${_kept}")
endfunction()

function(_mend_definitions target)
  get_target_property(_definitions ${target} INTERFACE_COMPILE_DEFINITIONS)
  if(_definitions)
    # The wheel's switches for its own Boost would ask for headers that step 2 hides.
    list(FILTER _definitions EXCLUDE REGEX "^PROJECT_SOURCE_PATH|^HAVE_BOOST")
    set_target_properties(${target} PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${_definitions}")
  endif()
endfunction()

get_property(_imported DIRECTORY PROPERTY IMPORTED_TARGETS)
foreach(_target IN LISTS _imported)
  get_target_property(_type ${_target} TYPE)
  if(_target MATCHES "^ns3::(lib)?(.+)$" AND _type STREQUAL "SHARED_LIBRARY")
    set(lib${CMAKE_MATCH_2} ${_target}) # ns3::libcore up to 3.42, ns3::core since: modules say ${libcore}
    list(APPEND SUITE_NS3_LIBRARIES ${_target})
    set_target_properties(${_target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_ns3_headers}")
    _mend_link_interface(${_target})
    _mend_definitions(${_target})
  endif()
endforeach()
message(STATUS "ns-3 ${ns3_VERSION} from ${_prefix}")

# ---- 3. ns-3's own commands for modules. -----------------------------------------------------------
add_library(suite-modules INTERFACE) # all of them; build_lib() adds each
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
  if(NOT SUITE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20 UNITY_BUILD_UNIQUE_ID SUITE_UNITY_ID
    UNITY_BUILD_CODE_BEFORE_INCLUDE "#define SUITE_PASTE_(a, b) a##b\n#define SUITE_PASTE(a, b) SUITE_PASTE_(a, b)\n#define g_log SUITE_PASTE(g_log_, SUITE_UNITY_ID)"
    UNITY_BUILD_CODE_AFTER_INCLUDE "#undef g_log")
  # Of a class outside a file's unnamed namespace that uses one inside: harmless where all is one file.
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
endfunction()

function(build_lib)
  cmake_parse_arguments(
    LIB "IGNORE_PCH;GENERATE_EXPORT_HEADER" "LIBNAME"
    "SOURCE_FILES;HEADER_FILES;PRIVATE_HEADER_FILES;DEPRECATED_HEADER_FILES;LIBRARIES_TO_LINK;TEST_SOURCES;TEST_LIBRARIES_TO_LINK;MODULE_ENABLED_FEATURES"
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
  target_include_directories(${LIB_LIBNAME} PUBLIC "${SUITE_INCLUDE}")
  target_link_libraries(${LIB_LIBNAME} PUBLIC ${LIB_LIBRARIES_TO_LINK})
  _share_precompiled_headers(${LIB_LIBNAME} suite-pch)
  _unite(${LIB_LIBNAME})
  target_link_libraries(suite-modules INTERFACE ${LIB_LIBNAME})
  if(SUITE_TESTS AND LIB_TEST_SOURCES)
    add_library(${LIB_LIBNAME}-test OBJECT ${LIB_TEST_SOURCES})
    target_link_libraries(${LIB_LIBNAME}-test PUBLIC ${LIB_LIBNAME} ${LIB_TEST_LIBRARIES_TO_LINK})
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

# An executable that sees all modules, those behind its own too: linking keeps modules that only
# register TypeIds.
function(suite_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE -Wl,--no-as-needed suite-modules)
  _share_precompiled_headers(${name} suite-pch)
endfunction()
