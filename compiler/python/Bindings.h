// The parts of the extension module acis._core. What it offers is for the Python files of the
// package, which check what people give and raise what people see: functions here return failures
// as values. All of them give up the interpreter's lock while they work.
#pragma once

#include <nanobind/nanobind.h>

namespace acis::python {

void bindCompiler(nanobind::module_ &module);
void bindProgram(nanobind::module_ &module);

} // namespace acis::python
