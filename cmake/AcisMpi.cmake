# The MPI libraries that are installed, and targets built once for each.
#
# Both libraries may be there at once, as Debian installs them; their compiler wrappers
# say what to include and link. ACIS_MPI_FLAVOURS lists those that were found.

set(ACIS_MPI_FLAVOURS)
foreach(flavour mpich openmpi)
  find_program(ACIS_MPICC_${flavour} NAMES mpicc.${flavour})
  if(NOT ACIS_MPICC_${flavour})
    continue()
  endif()
  execute_process(COMMAND ${ACIS_MPICC_${flavour}} -show
    OUTPUT_VARIABLE shown OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(words UNIX_COMMAND "${shown}")
  foreach(kind I L l)
    set(words_${kind} ${words})
    list(FILTER words_${kind} INCLUDE REGEX "^-${kind}.")
  endforeach()
  list(TRANSFORM words_I REPLACE "^-I" "")
  # Debian has the wrapper in one package and the header in another.
  find_path(ACIS_MPI_HEADER_${flavour} mpi.h PATHS ${words_I} NO_DEFAULT_PATH)
  if(NOT ACIS_MPI_HEADER_${flavour})
    message(STATUS "mpicc.${flavour} is there without mpi.h: nothing is built for it")
    continue()
  endif()
  add_library(acis-mpi-of-${flavour} INTERFACE)
  target_include_directories(acis-mpi-of-${flavour} SYSTEM INTERFACE ${words_I})
  target_link_options(acis-mpi-of-${flavour} INTERFACE ${words_L})
  target_link_libraries(acis-mpi-of-${flavour} INTERFACE ${words_l})
  # Not the C++ bindings of old: they bring a second library and many warnings.
  target_compile_definitions(acis-mpi-of-${flavour} INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  list(APPEND ACIS_MPI_FLAVOURS ${flavour})
endforeach()

# acis_add_mpi_program(name SOURCES...)
# An MPI program for tests and examples, as <name>-mpich and <name>-openmpi in mpi/ of the
# build folder. It knows nothing of this project's libraries.
function(acis_add_mpi_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES" ${ARGN})
  foreach(flavour IN LISTS ACIS_MPI_FLAVOURS)
    set(target ${name}-${flavour})
    add_executable(${target} EXCLUDE_FROM_ALL ${ARG_SOURCES})
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter)
    target_link_libraries(${target} PRIVATE acis-mpi-of-${flavour})
    set_target_properties(${target} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/mpi ENABLE_EXPORTS ON)
    add_dependencies(acis-test-depends ${target})
  endforeach()
endfunction()
