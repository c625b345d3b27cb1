// See Operators.h. MPI_Op_create is a local call, so what it finds must have been agreed
// on before: at MPI_Init for ACIS_OPERATORS.
#include "runtime/host/mpi/interpose/Operators.h"

#include "runtime/host/mpi/acis_mpi.h"
#include "runtime/host/mpi/interpose/Process.h"

#include <dlfcn.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace acis::mpi {
namespace {

struct Operators {
  std::mutex mutex;
  std::map<std::string, uint64_t> byFunction; ///< of ACIS_OPERATORS
  std::unordered_map<MPI_Op, uint64_t> byOp;  ///< nodes stay where they are
  std::atomic<bool> any = false;
};

Operators &operators() {
  static Operators &instance = *new Operators;
  return instance;
}

Result<uint64_t> loadHere(const std::string &path, const std::string &handler) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.good() && bytes.empty())
    return Error{path, "cannot be read"};
  return process().session->loadOperator(
      {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}, handler);
}

/// Loaded by all ranks, or by none as far as calls are concerned.
Result<uint64_t> loadEverywhere(const std::string &path, const std::string &handler) {
  if (!process().attached)
    return Error{path, "no switch to load it"};
  Result<uint64_t> handle = loadHere(path, handler);
  // Equal handles everywhere, or a failure somewhere: the smallest of x and of ~x tell.
  uint64_t mine[2] = {handle ? *handle : 0, handle ? ~*handle : 0}, least[2] = {0, 0};
  PMPI_Allreduce(mine, least, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  if (!handle)
    return handle;
  if (least[0] != *handle || least[1] != ~*handle)
    return Error{path, "another rank could not load it or has another file"};
  return handle;
}

void remember(MPI_Op op, uint64_t handle) {
  Operators &all = operators();
  std::lock_guard lock(all.mutex);
  all.byOp[op] = handle;
  all.any = true;
}

void forget(MPI_Op op) {
  Operators &all = operators();
  std::lock_guard lock(all.mutex);
  all.byOp.erase(op);
}

/// The handle that ACIS_OPERATORS gives to a function, by its name in the symbol table.
std::optional<uint64_t> byName(MPI_User_function *function) {
  Operators &all = operators();
  Dl_info info;
  if (all.byFunction.empty() || !dladdr(reinterpret_cast<void *>(function), &info) ||
      !info.dli_sname)
    return std::nullopt;
  auto found = all.byFunction.find(info.dli_sname);
  return found == all.byFunction.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

const uint64_t *findOperator(MPI_Op op) {
  Operators &all = operators();
  if (!all.any)
    return nullptr;
  std::lock_guard lock(all.mutex);
  auto found = all.byOp.find(op);
  return found == all.byOp.end() ? nullptr : &found->second;
}

Status loadOperators() {
  Status first;
  for (const OperatorFile &file : process().settings.operators) {
    Result<uint64_t> handle = loadEverywhere(file.path, file.handler);
    if (handle)
      operators().byFunction[file.function] = *handle;
    else if (first)
      first = handle.error();
  }
  return first;
}

} // namespace acis::mpi

using namespace acis::mpi;

extern "C" {

int ACIS_Op_create(MPI_User_function *function, int commute, const char *binary,
                   const char *handler, MPI_Op *op) {
  int code = PMPI_Op_create(function, commute, op);
  if (code != MPI_SUCCESS)
    return code;
  if (acis::Result<uint64_t> handle = loadEverywhere(binary, handler))
    remember(*op, *handle);
  return MPI_SUCCESS;
}

int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op) {
  int code = PMPI_Op_create(function, commute, op);
  if (std::optional<uint64_t> handle = byName(function); handle && code == MPI_SUCCESS)
    remember(*op, *handle);
  return code;
}

int MPI_Op_free(MPI_Op *op) {
  forget(*op);
  return PMPI_Op_free(op);
}

} // extern "C"
