// acis-mpirun: an unchanged MPI program with its collectives done by a switch.
//
// What it adds to mpiexec: it starts switches where none is named, preloads the library
// for the right MPI, tells the ranks the address, job and key by environment, and ends the
// switches when the program has ended, however it has.
#include "runtime/host/acis-mpirun/Fabric.h"
#include "runtime/host/acis-mpirun/Launch.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <unistd.h>

using namespace acis;
using namespace acis::tools;

namespace {

int fail(const Error &error) {
  std::cerr << "acis-mpirun: error: " << error.str() << "\n";
  return 1;
}

/// Why the program cannot be started here; "" if it can.
std::string whyNotStarted(const std::string &program) {
  namespace fs = std::filesystem;
  std::vector<fs::path> places = {program};
  if (program.find('/') == std::string::npos) {
    places.clear();
    std::istringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(path, folder, ':');)
      places.push_back(fs::path(folder) / program);
  }
  std::error_code ignored;
  std::string why = places.size() == 1 ? "no such file" : "no such program in the folders of PATH";
  for (const fs::path &place : places) {
    if (!fs::exists(place, ignored))
      continue;
    if (!fs::is_directory(place, ignored) && access(place.c_str(), X_OK) == 0)
      return "";
    why = place == program ? "cannot be executed" : place.string() + " cannot be executed";
  }
  if (places.size() > 1 && fs::exists(program, ignored))
    why += "; there is ./" + program;
  return why;
}

/// The MPI library that the dynamic linker would load for the program.
Result<std::string> mpiOf(const std::string &program) {
  if (const std::string why = whyNotStarted(program); !why.empty())
    return Error{program, why};
  std::string libraries = outputOf({program}, {{"LD_TRACE_LOADED_OBJECTS", "1"}});
  if (libraries.find("libmpich.so") != std::string::npos)
    return std::string("mpich");
  if (libraries.find("libmpi.so") != std::string::npos)
    return std::string("openmpi");
  return Error{program, "is not linked with MPICH or Open MPI; if it loads one later, say which "
                        "with --mpi=mpich or --mpi=openmpi"};
}

} // namespace

int main(int argc, char **argv) {
  MpirunOptions options;
  if (std::optional<int> code = parseOptions(argc, argv, options))
    return *code;
  std::string mpi = options.mpi;
  if (mpi.empty()) {
    Result<std::string> found = mpiOf(options.command[0]);
    if (!found)
      return fail(found.error());
    mpi = *found;
  }
  Fabric fabric;
  if (!options.plain)
    if (Status status = prepareFabric(options, fabric); !status)
      return fail(status.error());
  Result<Launch> launch = makeLaunch(options, mpi, fabric.variables);
  if (!launch)
    return fail(launch.error());
  Result<Child> launcher = start(launch->command, launch->variables);
  if (!launcher)
    return fail(launcher.error());
  forwardSignals(*launcher);
  return launcher->wait();
}
