# acis_add_library(name SOURCES... [LLVM] [DEPENDS lib...] [PRECOMPILE header...] [OPTIONS flag...])
# acis_add_executable(name SOURCES... [DEPENDS lib...])
# One include root (the repository) and the project's warnings for every target.
#
# Most of a first build is the reading of headers. A library of many sources that use LLVM names
# what they share as PRECOMPILE; targets without LLVM share one of three AcisStandard*, unless
# they have OPTIONS of their own. Every source still includes what it uses, and builds the same with
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON (which lets checkouts in several folders share a
# compiler cache).

set(ACIS_WARNINGS -Wall -Wextra -Wno-unused-parameter -Wnon-virtual-dtor -Wimplicit-fallthrough)
if(ACIS_WERROR)
  list(APPEND ACIS_WARNINGS -Werror)
endif()

function(acis_target_defaults target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${ACIS_WARNINGS}>
    -ffunction-sections -fdata-sections)
  if(ACIS_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  # backend/isa/Ops.def and its like are generated (backend/isa/CMakeLists.txt).
  add_dependencies(${target} acis-isa-gen)
endfunction()

# acis_precompile(target header... | REUSE_FROM other)
function(acis_precompile target)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  if(ARGV1 STREQUAL REUSE_FROM)
    target_precompile_headers(${target} ${ARGN})
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  # What is precompiled from the same text is then the same, and ccache can tell.
  target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
endfunction()

# acis_add_precompiled(name FOR libraries|executables header... [DEPENDS lib...])
# For targets without LLVM to reuse: the standard headers, and these.
function(acis_add_precompiled name)
  cmake_parse_arguments(ARG "" "FOR" "DEPENDS" ${ARGN})
  file(CONFIGURE OUTPUT ${name}.cpp CONTENT "" @ONLY)
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  acis_target_defaults(${name})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS})
  acis_precompile(${name} <algorithm> <array> <cstdint> <cstring> <functional> <map> <memory>
    <optional> <span> <string> <vector> ${ARG_UNPARSED_ARGUMENTS})
  # A library's code may go into a shared one (-fPIC), an executable's does not (-fPIE).
  if(ARG_FOR STREQUAL executables)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  endif()
endfunction()

function(acis_add_library name)
  cmake_parse_arguments(ARG "LLVM" "" "SOURCES;DEPENDS;PRECOMPILE;OPTIONS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES} ${ARG_UNPARSED_ARGUMENTS})
  acis_target_defaults(${name})
  if(ARG_LLVM)
    acis_use_llvm(${name})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  if(ARG_PRECOMPILE)
    acis_precompile(${name} ${ARG_PRECOMPILE})
  elseif(NOT ARG_LLVM AND NOT ARG_OPTIONS)
    acis_precompile(${name} REUSE_FROM AcisStandard)
  endif()
endfunction()

function(acis_add_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES} ${ARG_UNPARSED_ARGUMENTS})
  acis_target_defaults(${name})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS})
  if(CLI11::CLI11 IN_LIST ARG_DEPENDS)
    acis_precompile(${name} REUSE_FROM AcisStandardTool)
  endif()
endfunction()
