# OpenCL: the headers are enough for libacis-device, which finds the functions in the program that
# it is loaded into; programs of the tests link the loader.
set(ACIS_OPENCL OFF)
find_path(ACIS_OPENCL_INCLUDE CL/cl_layer.h)
find_library(ACIS_OPENCL_LIBRARY OpenCL)
if(ACIS_OPENCL_INCLUDE AND ACIS_OPENCL_LIBRARY AND ACIS_MPI_FLAVOURS)
  set(ACIS_OPENCL ON)
  add_library(acis-opencl-headers INTERFACE)
  target_include_directories(acis-opencl-headers SYSTEM INTERFACE ${ACIS_OPENCL_INCLUDE})
  target_compile_definitions(acis-opencl-headers INTERFACE CL_TARGET_OPENCL_VERSION=300)
  add_library(acis-opencl INTERFACE)
  target_link_libraries(acis-opencl INTERFACE acis-opencl-headers ${ACIS_OPENCL_LIBRARY})
else()
  message(STATUS "OpenCL (ocl-icd-opencl-dev, opencl-c-headers) or MPI is not there: "
    "no device buffers in MPI")
endif()
