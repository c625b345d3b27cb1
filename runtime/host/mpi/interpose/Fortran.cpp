// Open MPI's Fortran functions call PMPI_ and so pass this library by. Here their calls are led to
// it: in the table of functions that Open MPI's library for Fortran imports, the entries of those
// that this library has are its own. What that library does for Fortran (handles, constants,
// statuses, all its modules) stays, and nobody else's PMPI_ is touched. MPICH's Fortran functions
// call MPI_.
#include <mpi.h>

#ifdef OPEN_MPI

#include <cstdint>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace acis::mpi {
namespace {

#if defined(__x86_64__)
constexpr unsigned Slot = R_X86_64_JUMP_SLOT, Entry = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
constexpr unsigned Slot = R_AARCH64_JUMP_SLOT, Entry = R_AARCH64_GLOB_DAT;
#else
constexpr unsigned Slot = ~0u, Entry = ~0u; // not known: Fortran is left to MPI
#endif

/// This library's function of that name; null if it has none.
void *own(std::string_view name) {
  static const void *const base = [] {
    Dl_info here;
    return dladdr(reinterpret_cast<const void *>(&own), &here) ? here.dli_fbase : nullptr;
  }();
  void *found = dlsym(RTLD_DEFAULT, std::string(name).c_str());
  Dl_info where;
  return found && dladdr(found, &where) && where.dli_fbase == base ? found : nullptr;
}

/// The table may have been made read-only when the library was loaded.
void write(ElfW(Addr) * slot, void *function) {
  const auto page = uintptr_t(sysconf(_SC_PAGESIZE));
  const uintptr_t first = uintptr_t(slot) / page * page;
  const size_t bytes = uintptr_t(slot) + sizeof *slot - first;
  if (mprotect(reinterpret_cast<void *>(first), bytes, PROT_READ | PROT_WRITE) == 0)
    *slot = ElfW(Addr)(function);
}

/// Relocations of a library's imports, and what they name.
struct Imports {
  const ElfW(Rela) *from = nullptr, *to = nullptr;
};

void lead(const dl_phdr_info &file, const Imports &imports, const ElfW(Sym) * symbols,
          const char *names) {
  for (const ElfW(Rela) *each = imports.from; each < imports.to; ++each) {
    const auto type = unsigned(ELF64_R_TYPE(each->r_info));
    if (type != Slot && type != Entry)
      continue;
    const std::string_view name = names + symbols[ELF64_R_SYM(each->r_info)].st_name;
    if (name.starts_with("PMPI_"))
      if (void *function = own(name.substr(1)))
        write(reinterpret_cast<ElfW(Addr) *>(file.dlpi_addr + each->r_offset), function);
  }
}

int look(dl_phdr_info *file, size_t, void *) {
  const std::string_view path = file->dlpi_name;
  if (!path.substr(path.rfind('/') + 1).starts_with("libmpi_mpifh"))
    return 0;
  const ElfW(Dyn) *entry = nullptr;
  for (int i = 0; i < file->dlpi_phnum; ++i)
    if (file->dlpi_phdr[i].p_type == PT_DYNAMIC)
      entry = reinterpret_cast<const ElfW(Dyn) *>(file->dlpi_addr + file->dlpi_phdr[i].p_vaddr);
  const ElfW(Sym) *symbols = nullptr;
  const char *names = nullptr;
  uintptr_t calls = 0, others = 0;
  size_t callBytes = 0, otherBytes = 0;
  auto at = [&](ElfW(Addr) address) { // the loader has added the base, or not
    return address < file->dlpi_addr ? address + file->dlpi_addr : address;
  };
  for (; entry && entry->d_tag != DT_NULL; ++entry)
    switch (entry->d_tag) {
    case DT_SYMTAB:
      symbols = reinterpret_cast<const ElfW(Sym) *>(at(entry->d_un.d_ptr));
      break;
    case DT_STRTAB:
      names = reinterpret_cast<const char *>(at(entry->d_un.d_ptr));
      break;
    case DT_JMPREL:
      calls = at(entry->d_un.d_ptr);
      break;
    case DT_PLTRELSZ:
      callBytes = entry->d_un.d_val;
      break;
    case DT_RELA:
      others = at(entry->d_un.d_ptr);
      break;
    case DT_RELASZ:
      otherBytes = entry->d_un.d_val;
      break;
    }
  auto imports = [](uintptr_t from, size_t bytes) {
    return Imports{reinterpret_cast<const ElfW(Rela) *>(from),
                   reinterpret_cast<const ElfW(Rela) *>(from + bytes)};
  };
  if (symbols && names) {
    lead(*file, imports(calls, callBytes), symbols, names);
    lead(*file, imports(others, otherBytes), symbols, names);
  }
  return 0;
}

/// All libraries of a program are loaded before the first of their constructors runs.
[[gnu::constructor]] void leadFortran() { dl_iterate_phdr(look, nullptr); }

} // namespace
} // namespace acis::mpi

#endif
