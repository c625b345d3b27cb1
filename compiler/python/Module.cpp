// The extension module.
#include "compiler/python/Bindings.h"

NB_MODULE(_core, module) {
  module.doc() = "Compiler and engines, for the package acis";
  module.attr("__version__") = ACIS_VERSION;
  acis::python::bindCompiler(module);
  acis::python::bindProgram(module);
}
