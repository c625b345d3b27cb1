// See Program.h.
#include "runtime/sim/acis-simrun/Program.h"

#include "runtime/io/Files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace acis::tools {
namespace {

constexpr std::string_view SimGrid("\0libsimgrid.so", 14);
constexpr std::array<std::string_view, 10> NonBlocking = {
    "MPI_Ibarrier",   "MPI_Ibcast",   "MPI_Iallreduce", "MPI_Ireduce", "MPI_Igather",
    "MPI_Iallgather", "MPI_Iscatter", "MPI_Ialltoall",  "MPI_Iscan",   "MPI_Iexscan"};

} // namespace

Result<SimProgram> copyProgram(const std::string &path, const std::string &copy,
                               const std::string &library) {
  Result<std::vector<uint8_t>> bytes = io::readFile(path);
  if (!bytes)
    return bytes.error();
  std::string text(bytes->begin(), bytes->end());
  // Names in a table of names: each ends with a zero, and one is before it.
  size_t at = text.starts_with("\177ELF") ? text.find(SimGrid) : std::string::npos;
  if (at == std::string::npos)
    return Error{path, "is not compiled for the simulator: compile it with smpicc, smpicxx or "
                       "smpif90 in place of mpicc and its like"};
  for (; at != std::string::npos && !library.empty(); at = text.find(SimGrid, at + 1)) {
    const size_t length = std::strlen(&text[at + 1]);
    if (length < library.size())
      return Error{path, "needs " + text.substr(at + 1, length) + ", a name too short to replace"};
    std::fill_n(&text[at + 1], length, '\0');
    std::copy(library.begin(), library.end(), &text[at + 1]);
  }
  SimProgram out;
  out.namesNonBlocking =
      std::any_of(NonBlocking.begin(), NonBlocking.end(),
                  [&](std::string_view name) { return text.find(name) != std::string::npos; });
  if (Status status =
          io::writeFile(copy, {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
      !status)
    return status.error();
  return out;
}

} // namespace acis::tools
