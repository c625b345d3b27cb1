// acis._core: the compiler, and the descriptions of overlays.
#include "backend/overlay/Shipped.h"
#include "compiler/driver/Library.h"
#include "compiler/python/Bindings.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace acis::python {
namespace {

const char *nameOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Remark:
    return "remark";
  case Severity::Note:
    break;
  }
  return "note";
}

/// (text, "") or ("", what is wrong).
std::pair<std::string, std::string> overlayText(const std::string &path) {
  Result<std::string> text = Overlay::readText(path);
  return text ? std::pair(*text, std::string()) : std::pair(std::string(), text.error().str());
}

/// What is wrong with a description, or "".
std::string overlayProblem(const std::string &text, const std::string &name) {
  const Result<Overlay> machine = Overlay::parse(text, name);
  return machine ? "" : machine.error().str();
}

driver::Compilation failed(const Error &error) {
  driver::Compilation made;
  Diagnostic wrong;
  wrong.file = error.where;
  wrong.refusal = Refusal(Why::Said, error.what);
  made.messages = error.str() + "\n";
  made.diagnostics.push_back(std::move(wrong));
  return made;
}

driver::Compilation compile(const std::string &file, std::optional<std::string> text,
                            const std::string &overlay, const std::string &overlayName,
                            std::vector<std::string> arguments, const std::string &mapper,
                            unsigned mapperSeconds, unsigned minIi, bool scalarLoops,
                            bool doubleBuffer, bool certify, const std::string &requiredRate,
                            bool remarks) {
  Result<Overlay> machine = Overlay::parse(overlay, overlayName);
  if (!machine)
    return failed(machine.error());
  driver::Options options;
  options.input = file;
  options.text = std::move(text);
  options.config = overlayName;
  options.clangArgs = std::move(arguments);
  options.exactMapper = mapper == "exact";
  options.persistentMapper = mapper == "persistent";
  options.mapperSeconds = mapperSeconds;
  options.minIi = minIi;
  options.scalarLoops = scalarLoops;
  options.doubleBuffer = doubleBuffer;
  options.certify = certify;
  options.remarks = remarks;
  if (!requiredRate.empty()) {
    options.requiredRate = driver::parseRateRequirement(requiredRate);
    if (!options.requiredRate)
      return failed({"", "require_rate: found '" + requiredRate +
                             "'; allowed: for example 100G@256B or 950M@64B"});
  }
  return driver::compile(std::move(options), *machine);
}

} // namespace

void bindCompiler(nb::module_ &module) {
  module.def("overlays", &shippedOverlays, "Names of the descriptions that come along.");
  module.def("overlay_text", &overlayText, nb::arg("path"),
             nb::call_guard<nb::gil_scoped_release>(),
             "A description, as (text, '') or ('', what is wrong).");
  module.def("overlay_problem", &overlayProblem, nb::arg("text"), nb::arg("name"),
             "What is wrong with a description, or ''.");

  nb::class_<Diagnostic>(module, "Diagnostic")
      .def_ro("file", &Diagnostic::file)
      .def_ro("line", &Diagnostic::line)
      .def_ro("column", &Diagnostic::column)
      .def_prop_ro("message", &Diagnostic::text)
      .def_prop_ro("kind", [](const Diagnostic &one) { return nameOf(one.refusal.why); })
      .def_prop_ro("way_out", [](const Diagnostic &one) { return wayOutOf(one.refusal); })
      .def_ro("notes", &Diagnostic::notes)
      .def_prop_ro("severity", [](const Diagnostic &one) { return nameOf(one.severity); });

  using driver::Compilation;
  nb::class_<Compilation>(module, "Compilation")
      .def_ro("good", &Compilation::good)
      .def_prop_ro(
          "binary",
          [](const Compilation &made) { return nb::bytes(made.binary.data(), made.binary.size()); })
      .def_ro("diagnostics", &Compilation::diagnostics)
      .def_ro("messages", &Compilation::messages)
      .def_ro("report", &Compilation::report);

  module.def("compile", &compile, nb::arg("file"), nb::arg("text").none(), nb::arg("overlay"),
             nb::arg("overlay_name"), nb::arg("arguments"), nb::arg("mapper"),
             nb::arg("mapper_seconds"), nb::arg("min_ii"), nb::arg("scalar_loops"),
             nb::arg("double_buffer"), nb::arg("certify"), nb::arg("required_rate"),
             nb::arg("remarks"), nb::call_guard<nb::gil_scoped_release>(),
             "Compiles the text, or the file if there is none.");
}

} // namespace acis::python
