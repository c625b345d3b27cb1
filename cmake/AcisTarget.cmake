# acis_add_library(name SOURCES... [LLVM] [DEPENDS lib...] [PRECOMPILED other] [OPTIONS flag...])
# acis_add_executable(name SOURCES... [DEPENDS lib...])
# acis_add_objects(name SOURCES... [DEPENDS lib...])
# One include root (the repository) and the project's warnings for every target.
#
# Most of a first build is the reading of headers, so targets share precompiled ones, which
# acis_add_precompiled() makes: a library that uses LLVM names them as PRECOMPILED, those without
# LLVM have one of three AcisStandard*, unless they have OPTIONS of their own. Every source still
# includes what it uses, and builds the same with -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON (which lets
# checkouts in several folders share a compiler cache).

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

# acis_reuse_precompiled(target other)
function(acis_reuse_precompiled target other)
  if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

# acis_add_precompiled(name FOR libraries|executables [LLVM] header... [DEPENDS lib...])
# For targets to reuse, with LLVM for those with LLVM: the standard headers, and these.
function(acis_add_precompiled name)
  cmake_parse_arguments(ARG "LLVM" "FOR" "DEPENDS" ${ARGN})
  file(CONFIGURE OUTPUT ${name}.cpp CONTENT "" @ONLY)
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  acis_target_defaults(${name})
  if(ARG_LLVM)
    acis_use_llvm(${name})
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS})
  if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_precompile_headers(${name} PRIVATE <algorithm> <array> <cstdint> <cstring> <functional>
      <map> <memory> <optional> <span> <string> <vector> ${ARG_UNPARSED_ARGUMENTS})
    # What is precompiled from the same text is then the same, and ccache can tell.
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  # A library's code may go into a shared one (-fPIC), an executable's does not (-fPIE).
  if(ARG_FOR STREQUAL executables)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  endif()
endfunction()

function(acis_add_library name)
  cmake_parse_arguments(ARG "LLVM" "PRECOMPILED" "SOURCES;DEPENDS;OPTIONS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES} ${ARG_UNPARSED_ARGUMENTS})
  acis_target_defaults(${name})
  if(ARG_LLVM)
    acis_use_llvm(${name})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  if(ARG_PRECOMPILED)
    acis_reuse_precompiled(${name} ${ARG_PRECOMPILED})
  elseif(NOT ARG_LLVM AND NOT ARG_OPTIONS)
    acis_reuse_precompiled(${name} AcisStandard)
  endif()
endfunction()

# acis_add_objects(name SOURCES... [DEPENDS lib...])
# Sources without LLVM that go into several libraries and are compiled once:
# $<TARGET_OBJECTS:name> there.
function(acis_add_objects name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  acis_target_defaults(${name})
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
  acis_reuse_precompiled(${name} AcisStandard)
endfunction()

function(acis_add_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES} ${ARG_UNPARSED_ARGUMENTS})
  acis_target_defaults(${name})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS})
  if(CLI11::CLI11 IN_LIST ARG_DEPENDS)
    acis_reuse_precompiled(${name} AcisStandardTool)
  endif()
endfunction()
