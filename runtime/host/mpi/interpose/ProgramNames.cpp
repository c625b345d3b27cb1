// See ProgramNames.h. Names that an ELF file imports stand in its dynamic symbol table before those
// that its hash table finds (the exported ones).
#include "runtime/host/mpi/interpose/ProgramNames.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <elf.h>
#include <link.h>
#include <span>
#include <string>
#include <string_view>

namespace acis::mpi {
namespace {

constexpr std::array<std::string_view, 10> NonBlocking = {
    "mpi_ibarrier",   "mpi_ibcast",   "mpi_iallreduce", "mpi_ireduce", "mpi_igather",
    "mpi_iallgather", "mpi_iscatter", "mpi_ialltoall",  "mpi_iscan",   "mpi_iexscan"};

constexpr std::array<std::string_view, 4> Pairs = {"mpi_igatherv", "mpi_iscatterv",
                                                   "mpi_ialltoallv", "mpi_ialltoallw"};

constexpr std::array<std::string_view, 10> Varying = {
    "mpi_allgatherv",  "mpi_gatherv",  "mpi_scatterv",  "mpi_alltoallv",  "mpi_alltoallw",
    "mpix_allgatherv", "mpix_gatherv", "mpix_scatterv", "mpix_alltoallv", "mpix_alltoallw"};

/// What is looked for, and whether it was found.
struct Search {
  std::span<const std::string_view> names;
  bool isFound = false;

  /// As C has it or Fortran: MPI_Ireduce, mpi_ireduce_, MPI_Ireduce_scatter_block.
  bool isOne(std::string_view name) const {
    std::string lower;
    for (char c : name)
      lower += char(std::tolower(static_cast<unsigned char>(c)));
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view known) { return lower.starts_with(known); });
  }
};

/// The tables that a file's dynamic section points to.
struct Tables {
  const ElfW(Sym) *symbols = nullptr;
  const char *names = nullptr;
  size_t end = 0; ///< symbols before this one are, or may be, imported
};

Tables tablesOf(const dl_phdr_info &file) {
  Tables tables;
  auto at = [&](ElfW(Addr) address) { // the loader has added the base, or not
    return reinterpret_cast<const uint32_t *>(address < file.dlpi_addr ? address + file.dlpi_addr
                                                                       : address);
  };
  for (int i = 0; i < file.dlpi_phnum; ++i) {
    if (file.dlpi_phdr[i].p_type != PT_DYNAMIC)
      continue;
    const auto *entry =
        reinterpret_cast<const ElfW(Dyn) *>(file.dlpi_addr + file.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry)
      if (entry->d_tag == DT_SYMTAB)
        tables.symbols = reinterpret_cast<const ElfW(Sym) *>(at(entry->d_un.d_ptr));
      else if (entry->d_tag == DT_STRTAB)
        tables.names = reinterpret_cast<const char *>(at(entry->d_un.d_ptr));
      else if (entry->d_tag == DT_GNU_HASH)
        tables.end = at(entry->d_un.d_ptr)[1]; // the first symbol that it has
      else if (entry->d_tag == DT_HASH && tables.end == 0)
        tables.end = at(entry->d_un.d_ptr)[1]; // of chains: of all symbols
  }
  return tables;
}

/// MPI libraries name all of MPI, and so does this one.
bool isOfMpi(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("libmpi") || name.starts_with("libacis-mpi") ||
         name.starts_with("linux-vdso");
}

int look(dl_phdr_info *file, size_t, void *argument) {
  auto &search = *static_cast<Search *>(argument);
  if (isOfMpi(file->dlpi_name))
    return 0;
  const Tables tables = tablesOf(*file);
  if (!tables.symbols || !tables.names)
    return 0;
  for (size_t i = 1; i < tables.end; ++i)
    if (tables.symbols[i].st_shndx == SHN_UNDEF &&
        search.isOne(tables.names + tables.symbols[i].st_name)) {
      search.isFound = true;
      return 1;
    }
  return 0;
}

bool names(std::span<const std::string_view> what) {
  Search search{what};
  dl_iterate_phdr(look, &search);
  return search.isFound;
}

} // namespace

bool namesNonBlocking() { return names(NonBlocking); }
bool namesPairs() { return names(Pairs); }
bool namesVarying() { return names(Varying); }

} // namespace acis::mpi
