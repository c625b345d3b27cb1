// acis._core: binaries, and their runs on arrays.
#include "compiler/python/Bindings.h"
#include "compiler/python/Execute.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <exception>
#include <optional>
#include <variant>

namespace nb = nanobind;

namespace acis::python {
namespace {

using Bytes = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Writable = nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T> using Array = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

/// An array of NumPy's that keeps the vector.
template <typename T> Array<T> toArray(std::vector<T> &&values) {
  auto *kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept,
                    [](void *pointer) noexcept { delete static_cast<std::vector<T> *>(pointer); });
  return Array<T>(kept->data(), {kept->size()}, owner);
}

/// Looks for a signal every now and then, on behalf of a run without the interpreter's lock, and
/// keeps what its handler raises (KeyboardInterrupt).
class Signals {
public:
  bool pending() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::milliseconds(20))
      return false;
    last = now;
    nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() == 0)
      return false;
    raised = std::make_exception_ptr(nb::python_error());
    return true;
  }
  /// With the lock.
  void raise() {
    if (raised)
      std::rethrow_exception(std::exchange(raised, nullptr));
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
  std::exception_ptr raised;
};

/// The program, or what is wrong with it.
std::variant<Program, std::string> loadProgram(const nb::bytes &binary, const std::string &overlay,
                                               const std::string &overlayName) {
  const std::span<const uint8_t> elf(static_cast<const uint8_t *>(binary.data()), binary.size());
  nb::gil_scoped_release unlocked;
  Result<Overlay> machine = Overlay::parse(overlay, overlayName);
  if (!machine)
    return machine.error().str();
  Result<std::shared_ptr<const Image>> image = loadImage(elf, *machine);
  if (!image)
    return image.error().str();
  return Program{std::move(*machine), std::move(*image)};
}

RunOutcome run(const Program &program, const std::string &handler, bool exact, bool trace,
               uint64_t deadline, const Bytes &data, std::vector<uint64_t> lengths,
               const std::optional<Writable> &memory) {
  Signals signals;
  RunRequest request;
  request.handler = handler;
  request.exact = exact;
  request.trace = trace;
  request.deadline = deadline;
  request.data = {data.data(), data.size()};
  request.lengths = std::move(lengths);
  if (memory)
    request.memory = {memory->data(), memory->size()};
  request.interrupt = [&] { return signals.pending(); };
  RunOutcome outcome;
  {
    nb::gil_scoped_release unlocked;
    outcome = execute(program, request);
  }
  signals.raise();
  return outcome;
}

nb::list handlersOf(const Program &program) {
  nb::list handlers;
  for (const Handler &one : program.image->handlers)
    handlers.append(nb::make_tuple(one.name, one.inBytes, one.outBytes, one.memoryBytes));
  return handlers;
}

} // namespace

void bindProgram(nb::module_ &module) {
  nb::class_<Program>(module, "Program")
      .def_prop_ro("handlers", &handlersOf,
                   nb::sig("def handlers(self) -> list[tuple[str, int, int, int]]"),
                   "(name, bytes of an input element, of an output element, of memory) of each.")
      .def_prop_ro("overlay", [](const Program &program) { return program.overlay.name; })
      .def_prop_ro("most_memory", [](const Program &program) { return program.overlay.memBytes; })
      .def("run", &run, nb::arg("handler"), nb::arg("exact"), nb::arg("trace"), nb::arg("deadline"),
           nb::arg("data"), nb::arg("lengths"), nb::arg("memory").none(),
           "Streams packets of these lengths, one after the other in the data; writes the memory.");
  nb::class_<RunOutcome>(module, "RunOutcome")
      .def_ro("good", &RunOutcome::good)
      .def_ro("where", &RunOutcome::where)
      .def_ro("what", &RunOutcome::what)
      .def_ro("trapped", &RunOutcome::trapped)
      .def_ro("pc", &RunOutcome::pc)
      .def(
          "take_output", [](RunOutcome &outcome) { return toArray(std::move(outcome.output)); },
          "The bytes of all packets, once.")
      .def(
          "take_lengths", [](RunOutcome &outcome) { return toArray(std::move(outcome.lengths)); },
          "The packets' lengths, once.")
      .def_ro("statistics", &RunOutcome::statistics)
      .def_ro("trace", &RunOutcome::trace);
  module.def("load", &loadProgram, nb::arg("binary"), nb::arg("overlay"), nb::arg("overlay_name"),
             "A program, or what is wrong with the binary.");
}

} // namespace acis::python
