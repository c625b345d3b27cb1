// The pipeline on a stack of its own.
#include "compiler/driver/Library.h"

#include "compiler/driver/Pipeline.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <pthread.h>

namespace acis::driver {
namespace {

/// Trees of programs are walked by recursion, and nobody knows the stack of the caller's thread.
/// Pages that are not touched cost nothing.
constexpr size_t StackBytes = size_t(256) << 20;

/// Calls `body` on a thread with that stack; without room for one, on this thread.
void withStack(llvm::function_ref<void()> body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  auto start = [](void *given) -> void * {
    (*static_cast<llvm::function_ref<void()> *>(given))();
    return nullptr;
  };
  const bool isStarted = pthread_attr_setstacksize(&attributes, StackBytes) == 0 &&
                         pthread_create(&thread, &attributes, start, &body) == 0;
  pthread_attr_destroy(&attributes);
  if (isStarted)
    pthread_join(thread, nullptr);
  else
    body();
}

} // namespace

Compilation compile(Options options, const Overlay &overlay) {
  options.report = true;
  options.color = false;
  PipelineResult result;
  withStack([&] { result = runPipeline(options, overlay); });
  Compilation made;
  made.good = result.good;
  made.diagnostics = std::move(result.diagnostics);
  made.messages = std::move(result.messages);
  if (!made.good)
    return made;
  made.binary = std::move(result.output);
  made.report = llvm::formatv("{0}", result.report.json()).str();
  return made;
}

} // namespace acis::driver
