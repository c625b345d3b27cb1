# acis_add_library(name SOURCES... [LLVM] [DEPENDS lib...])
# acis_add_executable(name SOURCES... [DEPENDS lib...])
# One include root (the repository) and the project's warnings for every target.

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

function(acis_add_library name)
  cmake_parse_arguments(ARG "LLVM" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES} ${ARG_UNPARSED_ARGUMENTS})
  acis_target_defaults(${name})
  if(ARG_LLVM)
    acis_use_llvm(${name})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS})
endfunction()

function(acis_add_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES} ${ARG_UNPARSED_ARGUMENTS})
  acis_target_defaults(${name})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS})
endfunction()
