# SPDX-License-Identifier: GPL-2.0-only
#
# Finds an installed ns-3 (the PyPI wheel, a distribution package or an installed prefix, 3.42 or
# later) and mends the targets that it exports. The suite's build uses it, and what is built with the
# installed suite.
include_guard(DIRECTORY)

# -Dns3_DIR=<folder of ns3Config.cmake>, else the wheel of the Python in use.
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
    # The wheel's switches for its own Boost would ask for headers that are hidden here.
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
