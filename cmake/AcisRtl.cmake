# The SystemVerilog of runtime/hardware/rtl: lint and simulation with Verilator.
#
#   acis_lint_rtl(name TOP module [LARGE] [PARAMS P=v...])
#     checks the module, and all below it, with `verilator -Wall`; part of acis-lint-rtl, or
#     of acis-lint-rtl-large, which is not part of the tests
#   acis_verilate(target TOP module [PREFIX class] [PARAMS P=v...] [FLAGS f...] [BLOCKS module...])
#     a library with the simulation of the module as a C++ class; what stands below it many
#     times, the BLOCKS, is translated and compiled once for all of the same parameters
#   acis_chain_overlay(variable base vpes)
#     a description: base, one of a chain (u280-full), with so many VPEs
#   acis_overlay_size(variable overlay path...)
#     a number of backend/overlay/descriptions/<overlay>.json
#
# A module stands in a file of its name, so only packages are named. What a target depends on is
# what Verilator has read for it.
#
# Without verilator, or make for what it writes, there is none of this: ACIS_RTL_TOOLS is
# false and runtime/ leaves the RTL out.
find_program(VERILATOR verilator)
find_program(ACIS_MAKE NAMES gmake make)
set(ACIS_RTL_TOOLS OFF)
if(NOT VERILATOR OR NOT ACIS_MAKE)
  message(STATUS "verilator or make was not found: the RTL is neither checked nor simulated")
  return()
endif()
set(ACIS_RTL_TOOLS ON)
get_filename_component(VERILATOR_INCLUDE ${VERILATOR} REALPATH)
get_filename_component(VERILATOR_INCLUDE ${VERILATOR_INCLUDE}/../../share/verilator/include ABSOLUTE)

set(ACIS_RTL ${CMAKE_SOURCE_DIR}/runtime/hardware/rtl)
file(GLOB ACIS_RTL_FOLDERS CONFIGURE_DEPENDS LIST_DIRECTORIES true ${ACIS_RTL}/*)
set(ACIS_RTL_PACKAGES
  ${CMAKE_BINARY_DIR}/backend/isa/acis_isa_pkg.sv
  ${ACIS_RTL}/common/acis_fu_pkg.sv)
# Behind the package of an overlay's sizes, which a target names: what depends on it
set(ACIS_RTL_SIZED ${ACIS_RTL}/common/acis_pkg.sv ${ACIS_RTL}/common/acis_bus_pkg.sv)
set(ACIS_VERILATOR_ARGS --assert -Wall ${ACIS_RTL}/lint.vlt)
foreach(folder IN LISTS ACIS_RTL_FOLDERS)
  if(IS_DIRECTORY ${folder})
    list(APPEND ACIS_VERILATOR_ARGS -y ${folder} +incdir+${folder})
  endif()
endforeach()
add_custom_target(acis-lint-rtl)
add_custom_target(acis-lint-rtl-large)
set(ACIS_RTL_OPTIMIZE -O2 CACHE STRING "how the compiler optimises simulations")

# acis_rtl_args(variable TOP module PARAMS P=v... PACKAGES p...): arguments of verilator.
function(acis_rtl_args variable)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TOP" "PARAMS;PACKAGES")
  set(args ${ACIS_VERILATOR_ARGS} ${ACIS_RTL_PACKAGES} ${ARG_PACKAGES} --top-module ${ARG_TOP})
  foreach(param IN LISTS ARG_PARAMS)
    list(APPEND args -G${param})
  endforeach()
  file(GLOB file ${ACIS_RTL}/*/${ARG_TOP}.sv)
  set(${variable} ${args} ${file} PARENT_SCOPE)
endfunction()

# Verilator's list of what it has read names all files that it has written; a build tool wants
# the one that stands for them.
function(acis_rtl_depfile variable list output)
  set(${variable} sed -i "1s|^[^:]*:|${output}:|" ${list} PARENT_SCOPE)
endfunction()

function(acis_lint_rtl name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "LARGE" "TOP" "PARAMS;PACKAGES")
  acis_rtl_args(args TOP ${ARG_TOP} PARAMS ${ARG_PARAMS} PACKAGES ${ARG_PACKAGES})
  set(stamp ${CMAKE_BINARY_DIR}/rtl/lint/${name}.stamp)
  set(folder ${CMAKE_BINARY_DIR}/rtl/lint/${name})
  set(list ${folder}/V${ARG_TOP}__ver.d)
  acis_rtl_depfile(rename ${list} ${stamp})
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${VERILATOR} --lint-only -MMD --Mdir ${folder} ${args}
    COMMAND ${rename}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS acis-isa-gen ${ACIS_RTL_PACKAGES} ${ARG_PACKAGES}
    DEPFILE ${list}
    COMMENT "Linting ${name}" VERBATIM)
  add_custom_target(acis-lint-${name} DEPENDS ${stamp})
  if(ARG_LARGE)
    add_dependencies(acis-lint-rtl-large acis-lint-${name})
  else()
    add_dependencies(acis-lint-rtl acis-lint-${name})
  endif()
endfunction()

# Verilator's own run-time library, once.
add_library(AcisVerilated STATIC EXCLUDE_FROM_ALL ${VERILATOR_INCLUDE}/verilated.cpp
  ${VERILATOR_INCLUDE}/verilated_threads.cpp ${VERILATOR_INCLUDE}/verilated_fst_c.cpp
  ${VERILATOR_INCLUDE}/verilated_dpi.cpp)
target_include_directories(AcisVerilated SYSTEM PUBLIC ${VERILATOR_INCLUDE} ${VERILATOR_INCLUDE}/vltstd)
target_compile_options(AcisVerilated PRIVATE -w)
target_link_libraries(AcisVerilated PUBLIC pthread z)

function(acis_verilate target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TOP;PREFIX" "PARAMS;PACKAGES;FLAGS;BLOCKS")
  if(NOT ARG_PREFIX)
    set(ARG_PREFIX ${target})
  endif()
  acis_rtl_args(args TOP ${ARG_TOP} PARAMS ${ARG_PARAMS} PACKAGES ${ARG_PACKAGES})
  set(folder ${CMAKE_BINARY_DIR}/rtl/${target})
  set(archive ${folder}/${ARG_PREFIX}__ALL.a)
  # Named as an output, so that what includes it is compiled again in the same build.
  set(header ${folder}/${ARG_PREFIX}.h)
  set(list ${folder}/${ARG_PREFIX}__ver.d)
  acis_rtl_depfile(rename ${list} ${archive})
  find_program(CCACHE ccache)
  set(makefile ${ARG_PREFIX}.mk)
  set(make_target ${ARG_PREFIX}__ALL.a)
  set(clear ${CMAKE_COMMAND} -E true)
  set(join ${clear})
  if(ARG_BLOCKS)
    # Its makefile does not see when of what it had written something is missing.
    set(clear ${CMAKE_COMMAND} -E rm -rf ${folder})
    set(blocks "`verilator_config\n")
    foreach(block IN LISTS ARG_BLOCKS)
      string(APPEND blocks "hier_block -module \"${block}\"\n")
    endforeach()
    file(CONFIGURE OUTPUT ${folder}.vlt CONTENT "${blocks}" @ONLY)
    list(APPEND ARG_FLAGS --hierarchical ${folder}.vlt)
    set(makefile ${ARG_PREFIX}_hier.mk)
    set(make_target hier_build)
    # Their libraries, whose names Verilator makes, as parts of the one.
    set(join sh -c "${CMAKE_CXX_COMPILER_AR} qsL ${archive} ${folder}/V*/lib*.a")
  endif()
  # The simulation is optimised in every preset: it is what the tests spend their time in.
  add_custom_command(OUTPUT ${archive} BYPRODUCTS ${header}
    COMMAND ${clear}
    COMMAND ${VERILATOR} --cc -O3 --x-assign fast --x-initial fast
      --Mdir ${folder} --prefix ${ARG_PREFIX} ${ARG_FLAGS} ${args}
    COMMAND ${CMAKE_COMMAND} -E touch ${header}
    COMMAND ${ACIS_MAKE} -s -j2 -C ${folder} -f ${makefile} CXX=${CMAKE_CXX_COMPILER}
      $<$<BOOL:${CCACHE}>:OBJCACHE=${CCACHE}> OPT_FAST=${ACIS_RTL_OPTIMIZE} OPT_SLOW=-O0
      CFG_CXXFLAGS_STD_NEWEST=-std=c++20 "CFG_CXXFLAGS_NO_UNUSED=-w" ${make_target}
    COMMAND ${join}
    COMMAND ${rename}
    DEPENDS acis-isa-gen ${ACIS_RTL_PACKAGES} ${ARG_PACKAGES}
    DEPFILE ${list}
    COMMENT "Verilating ${target}" VERBATIM)
  add_custom_target(${target}-gen DEPENDS ${archive})
  add_library(${target} STATIC IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${archive})
  file(MAKE_DIRECTORY ${folder})
  target_include_directories(${target} SYSTEM INTERFACE ${folder})
  target_link_libraries(${target} INTERFACE AcisVerilated)
  add_dependencies(${target} ${target}-gen)
endfunction()

# acis_chain_overlay(variable base vpes): a file with the overlay `base` of so many VPEs.
function(acis_chain_overlay variable base vpes)
  set(description ${CMAKE_SOURCE_DIR}/backend/overlay/descriptions/${base}.json)
  file(READ ${description} text)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${description})
  string(JSON text SET "${text}" grid cols ${vpes})
  string(JSON text SET "${text}" name \"${base}x${vpes}\")
  string(JSON text REMOVE "${text}" $schema)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/rtl/overlays/${base}x${vpes}.json CONTENT "${text}" @ONLY)
  set(${variable} ${CMAKE_BINARY_DIR}/rtl/overlays/${base}x${vpes}.json PARENT_SCOPE)
endfunction()

function(acis_overlay_size variable overlay)
  file(READ ${CMAKE_SOURCE_DIR}/backend/overlay/descriptions/${overlay}.json text)
  string(JSON value GET "${text}" ${ARGN})
  set(${variable} ${value} PARENT_SCOPE)
endfunction()
