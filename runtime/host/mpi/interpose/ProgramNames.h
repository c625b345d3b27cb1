// What a program calls, by the names that it leaves to the dynamic linker.
#pragma once

namespace acis::mpi {

/// Whether the program, or a library of it that is not MPI's, names a non-blocking collective that
/// a switch can do. What it loads later is not seen.
bool namesNonBlocking();
/// The same of those whose blocks have lengths that only two ranks know.
bool namesPairs();
/// The same of those with blocks of different lengths whose ranks may ask each other, or know all.
bool namesVarying();

} // namespace acis::mpi
