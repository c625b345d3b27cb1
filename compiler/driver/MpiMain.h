// acisc --mpi: from files to a report and rewritten files.
#pragma once

namespace acis::driver {

/// The exit code. Writes to stdout and stderr.
int mpiMain(int argc, char **argv);

} // namespace acis::driver
