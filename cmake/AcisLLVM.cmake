# The only file that knows how LLVM, MLIR and Clang are found and linked.
#
# Libraries of this project never link LLVM themselves; an executable does, by
# one call of acis_link_llvm(), so that no process can hold two copies of it.

find_package(MLIR 22.1 REQUIRED CONFIG) # brings LLVM
find_package(Clang 22.1 REQUIRED CONFIG)

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}" "${CLANG_CMAKE_DIR}")
# LLVM_DEFINITIONS is one string; passed as it is, macros are defined twice.
separate_arguments(acis_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")

set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/lib)
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})
set(LLVM_EXTERNAL_LIT "${LLVM_TOOLS_BINARY_DIR}/lit" CACHE FILEPATH "the test runner")

set(LLVM_TABLEGEN_EXE "${LLVM_TOOLS_BINARY_DIR}/llvm-tblgen")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# Clang in process has to be told where its own headers are.
execute_process(COMMAND ${LLVM_TOOLS_BINARY_DIR}/clang -print-resource-dir
  OUTPUT_VARIABLE ACIS_CLANG_RESOURCE_DIR OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)

# The C++ library whose headers handlers may use: nothing of it is linked.
find_path(ACIS_LIBCXX_DIR __config PATHS ${LLVM_INSTALL_PREFIX}/include/c++/v1 NO_DEFAULT_PATH)
if(NOT ACIS_LIBCXX_DIR)
  message(STATUS "no headers of libc++ (package libc++-22-dev): handlers in C++ have those of C only")
  set(ACIS_LIBCXX_DIR "")
endif()

# acis_use_llvm(target): headers and definitions of LLVM, MLIR and Clang, no link.
function(acis_use_llvm target)
  # Behind the folders of the system: libc++'s package puts its <cxxabi.h> beside LLVM's headers.
  foreach(folder IN LISTS LLVM_INCLUDE_DIRS MLIR_INCLUDE_DIRS CLANG_INCLUDE_DIRS)
    target_compile_options(${target} PUBLIC "SHELL:-idirafter ${folder}")
  endforeach()
  target_compile_definitions(${target} PUBLIC ${acis_llvm_definitions})
  # LLVM is built with RTTI and without exceptions.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
endfunction()

if(ACIS_STATIC)
  # The exported static targets name the shared LLVM and Polly in their
  # interfaces; without this loop a static tool would load libLLVM as well.
  foreach(lib IN LISTS CLANG_EXPORTED_TARGETS MLIR_EXPORTED_TARGETS LLVM_AVAILABLE_LIBS)
    if(NOT TARGET ${lib})
      continue()
    endif()
    get_target_property(deps ${lib} INTERFACE_LINK_LIBRARIES)
    if(deps)
      list(REMOVE_ITEM deps LLVM MLIR clang-cpp Polly)
      set_target_properties(${lib} PROPERTIES INTERFACE_LINK_LIBRARIES "${deps}")
    endif()
  endforeach()
endif()

# acis_link_llvm(executable [CLANG] [MLIR]
#                [LLVM_COMPONENTS c...] [MLIR_LIBS l...] [CLANG_LIBS l...])
# Shared build: libLLVM, and libMLIR and libclang-cpp when CLANG or MLIR is
# given. Static build: the named archives and what they need.
function(acis_link_llvm target)
  cmake_parse_arguments(ARG "CLANG;MLIR" "" "LLVM_COMPONENTS;MLIR_LIBS;CLANG_LIBS" ${ARGN})
  acis_use_llvm(${target})
  if(NOT ACIS_STATIC)
    target_link_libraries(${target} PRIVATE
      $<$<BOOL:${ARG_CLANG}>:clang-cpp> $<$<BOOL:${ARG_MLIR}>:MLIR> LLVM)
    # With libc++ beside it, CMake takes the folder of LLVM's libraries for one that the loader
    # knows, and leaves it out.
    set_property(TARGET ${target} APPEND PROPERTY BUILD_RPATH ${LLVM_LIBRARY_DIR})
    set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH ${LLVM_LIBRARY_DIR})
    return()
  endif()
  llvm_map_components_to_libnames(llvm_libs ${ARG_LLVM_COMPONENTS})
  # lld resolves archives in any order; ld would need groups, which CMake
  # cannot form over the cyclic exported targets.
  target_link_libraries(${target} PRIVATE ${ARG_CLANG_LIBS} ${ARG_MLIR_LIBS} ${llvm_libs})
  get_target_property(type ${target} TYPE)
  target_link_options(${target} PRIVATE -fuse-ld=lld $<$<STREQUAL:${type},EXECUTABLE>:-no-pie> -Wl,--as-needed
    -static-libstdc++ -static-libgcc -Wl,--gc-sections $<$<CONFIG:Release>:-s>)
endfunction()

# acis_link_compiler(target [LLVM_COMPONENTS c...] [CLANG_LIBS l...]): what AcisDriver needs, and these.
function(acis_link_compiler target)
  cmake_parse_arguments(ARG "" "" "LLVM_COMPONENTS;CLANG_LIBS" ${ARGN})
  acis_link_llvm(${target} CLANG MLIR
    CLANG_LIBS clangAST clangBasic clangCodeGen clangFrontend clangLex ${ARG_CLANG_LIBS}
    LLVM_COMPONENTS Analysis Core Coverage InstCombine Option RISCVAsmParser RISCVCodeGen RISCVDesc RISCVInfo
      ScalarOpts Support TargetParser TransformUtils ${ARG_LLVM_COMPONENTS}
    MLIR_LIBS MLIRIR MLIRPass MLIRTransforms)
endfunction()
