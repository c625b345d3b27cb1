# ACIS_PYTHON: whether the extension module of the Python package (compiler/python) is built. It
# takes nanobind, which comes from the Python package index (scripts/lib.sh puts it in
# build/nanobind), and Python's headers (python3-dev).
#
# In a build of the wheel (scikit-build-core) both are those of its environment; else Python is the
# system's, for which NumPy is a package.
if(NOT SKBUILD AND NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
set(ACIS_PYTHON OFF)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  return() # Python cannot load what is instrumented
endif()
find_package(Python 3.9 COMPONENTS Interpreter Development.Module)
find_program(ACIS_NANOBIND_PYTHON python PATHS ${CMAKE_SOURCE_DIR}/build/nanobind/bin NO_DEFAULT_PATH)
foreach(python IN ITEMS ${Python_EXECUTABLE} ${ACIS_NANOBIND_PYTHON})
  if(python AND NOT nanobind_ROOT)
    execute_process(COMMAND ${python} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endforeach()
if(Python_Development.Module_FOUND AND nanobind_ROOT)
  find_package(nanobind CONFIG QUIET)
  set(ACIS_PYTHON ${nanobind_FOUND})
endif()
if(NOT ACIS_PYTHON)
  message(STATUS "no nanobind (build/nanobind, see scripts/lib.sh) or no headers of Python "
    "(python3-dev): the Python package has no compiler and no engines")
endif()
