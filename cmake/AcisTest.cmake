# acis_add_unittest(name SOURCES... [LLVM] [DEPENDS lib...])
# A GoogleTest executable in test-unit/, found and run by lit and built by the
# target acis-unittests.

add_custom_target(acis-unittests)
add_custom_target(acis-test-depends)
add_dependencies(acis-test-depends acis-unittests)

function(acis_add_unittest name)
  cmake_parse_arguments(ARG "LLVM" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES} ${ARG_UNPARSED_ARGUMENTS})
  acis_target_defaults(${name})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} GTest::gtest GTest::gtest_main)
  if(ARG_LLVM)
    acis_link_llvm(${name} MLIR CLANG LLVM_COMPONENTS all)
  else()
    acis_reuse_precompiled(${name} AcisStandardTest)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test-unit)
  add_dependencies(acis-unittests ${name})
endfunction()

# acis_add_fuzzer(name SOURCES... [DEPENDS lib...])
# A libFuzzer executable in fuzz/, in the preset `fuzz` only. Run one with
#   build/fuzz/fuzz/<name> -max_total_time=600 <folder for the corpus>
function(acis_add_fuzzer name)
  if(NOT ACIS_FUZZ)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES} ${ARG_UNPARSED_ARGUMENTS})
  acis_target_defaults(${name})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
endfunction()
