# SPDX-License-Identifier: GPL-2.0-only
#
# Header-only Boost, 1.81 or later: -DBOOST_INCLUDE=<folder>, else PyPI's libboost-headers of the
# Python in use, else the system's. Never the copy inside the ns-3 wheel (1.66, not valid C++20).
include_guard(DIRECTORY)
if(NOT BOOST_INCLUDE)
  find_package(Python3 COMPONENTS Interpreter QUIET)
  if(Python3_FOUND)
    set(_locate "import importlib.util as u, os
spec = u.find_spec('libboost_headers')
for base in (spec.submodule_search_locations if spec else []):
    print(os.path.join(base, 'include'), end='')")
    execute_process(COMMAND ${Python3_EXECUTABLE} -c "${_locate}" OUTPUT_VARIABLE _boost ERROR_QUIET)
  endif()
  find_path(BOOST_INCLUDE boost/version.hpp HINTS ${_boost} REQUIRED)
endif()
file(STRINGS "${BOOST_INCLUDE}/boost/version.hpp" _boost_version REGEX "^#define BOOST_VERSION ")
string(REGEX MATCH "[0-9]+" _boost_version "${_boost_version}")
if(_boost_version LESS 108100)
  message(FATAL_ERROR "Boost in ${BOOST_INCLUDE} is too old: 1.81 or later is needed; -DBOOST_INCLUDE=<folder>")
endif()
include_directories(SYSTEM "${BOOST_INCLUDE}")
