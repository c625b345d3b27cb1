# The CMake package `acis`: libraries as imported targets, for find_package(acis).
#
#   acis::client       switches, memory nodes and control groups from C (acis_client.h, acis_near.h,
#                      acis_control.h, acis_handler.h)
#   acis::model        times of collectives (acis_model.h)
#   acis::headers      include folder alone: acis.h for handlers that are built for the host
#   acis::cccf-MPI, acis::near-MPI, acis::kernels-MPI
#                      for programs of MPI `mpich` or `openmpi`, where they are installed; link the MPI
#                      library itself besides
#   ACIS_COMPILER      acisc

get_filename_component(_acis_here "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(_acis_prefix "${_acis_here}/../../../.." ABSOLUTE)

set(ACIS_COMPILER "${_acis_prefix}/bin/acisc")

if(NOT TARGET acis::headers)
  add_library(acis::headers INTERFACE IMPORTED)
  set_target_properties(acis::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${_acis_prefix}/include")
endif()

foreach(_acis_library client model)
  if(NOT TARGET acis::${_acis_library} AND EXISTS "${_acis_prefix}/lib/libacis-${_acis_library}.so")
    add_library(acis::${_acis_library} SHARED IMPORTED)
    set_target_properties(acis::${_acis_library} PROPERTIES
      IMPORTED_LOCATION "${_acis_prefix}/lib/libacis-${_acis_library}.so"
      INTERFACE_LINK_LIBRARIES acis::headers)
  endif()
endforeach()

foreach(_acis_library cccf near kernels)
  foreach(_acis_mpi mpich openmpi)
    set(_acis_target acis::${_acis_library}-${_acis_mpi})
    set(_acis_file "${_acis_prefix}/lib/libacis-${_acis_library}-${_acis_mpi}.a")
    if(NOT TARGET ${_acis_target} AND EXISTS "${_acis_file}")
      add_library(${_acis_target} STATIC IMPORTED)
      set_target_properties(${_acis_target} PROPERTIES IMPORTED_LOCATION "${_acis_file}"
        INTERFACE_LINK_LIBRARIES "acis::headers;$<$<STREQUAL:${_acis_library},near>:acis::client>;${CMAKE_DL_LIBS}")
    endif()
  endforeach()
endforeach()

unset(_acis_here)
unset(_acis_prefix)
