# SimGrid, on which clusters are simulated; what needs it is left out where it is not installed.
# Its package has a pkg-config file and, in Debian 12, no CMake configuration.
set(ACIS_SIMGRID OFF)
find_path(ACIS_SIMGRID_INCLUDE simgrid/s4u.hpp)
find_library(ACIS_SIMGRID_LIBRARY simgrid)
find_path(ACIS_SMPI_INCLUDE mpi.h PATHS ${ACIS_SIMGRID_INCLUDE}/smpi NO_DEFAULT_PATH)
get_filename_component(ACIS_SIMGRID_FOLDER "${ACIS_SIMGRID_LIBRARY}" DIRECTORY)
find_program(ACIS_SMPIMAIN smpimain PATHS ${ACIS_SIMGRID_FOLDER}/simgrid)
find_program(ACIS_SMPICC smpicc)
find_program(ACIS_SMPICXX smpicxx)
if(ACIS_SIMGRID_INCLUDE AND ACIS_SIMGRID_LIBRARY AND ACIS_SMPI_INCLUDE AND ACIS_SMPIMAIN
    AND ACIS_SMPICC AND ACIS_SMPICXX)
  set(ACIS_SIMGRID ON)
  add_library(acis-simgrid-of INTERFACE)
  target_include_directories(acis-simgrid-of SYSTEM INTERFACE ${ACIS_SIMGRID_INCLUDE})
  target_link_libraries(acis-simgrid-of INTERFACE ${ACIS_SIMGRID_LIBRARY})
  # MPI there.
  add_library(acis-mpi-of-smpi INTERFACE)
  target_include_directories(acis-mpi-of-smpi SYSTEM INTERFACE ${ACIS_SMPI_INCLUDE})
  target_link_libraries(acis-mpi-of-smpi INTERFACE acis-simgrid-of)
else()
  message(STATUS "SimGrid (libsimgrid-dev) is not there: clusters are not simulated")
endif()
