// Opening and closing, and requests of nodes.
#include "runtime/host/near/Communicator.h"

#include <algorithm>

using namespace acis;
using near::Problem;
using near::Started;
using wire::Access;
using wire::Outcome;

namespace {

acis_near_class kindOf(Outcome::Failure failure) {
  switch (failure) {
  case Outcome::Failure::None:
    return ACIS_NEAR_OK;
  case Outcome::Failure::Malformed:
    return ACIS_NEAR_ARGUMENT;
  case Outcome::Failure::NoHandle:
  case Outcome::Failure::Bounds:
    return ACIS_NEAR_BLOCK;
  case Outcome::Failure::Full:
    return ACIS_NEAR_FULL;
  case Outcome::Failure::NoFunction:
  case Outcome::Failure::BadFunction:
    return ACIS_NEAR_FUNCTION;
  case Outcome::Failure::Trapped:
    return ACIS_NEAR_TRAPPED;
  case Outcome::Failure::NoFold:
    return ACIS_NEAR_NODE;
  }
  return ACIS_NEAR_NODE;
}

} // namespace

thread_local std::vector<acis_near *> acis_near::opened;
acis_near::Told acis_near::toldWithout;

const char *acis_near::give(Problem problem) {
  last = std::move(problem);
  lastCode = told.code(last);
  return last ? last.what.c_str() : nullptr;
}

bool acis_near::knows(const acis_near_block *block) const {
  return std::any_of(blocks.begin(), blocks.end(),
                     [&](const auto &one) { return one.get() == block; });
}

bool acis_near::knows(const acis_near_function *function) const {
  return std::any_of(functions.begin(), functions.end(),
                     [&](const auto &one) { return one.get() == function; });
}

Problem acis_near::check(const acis_near_block *block, uint64_t bytes) const {
  if (!knows(block))
    return {ACIS_NEAR_BLOCK, "not a block of this communicator, or one that was freed"};
  if (bytes > block->bytes)
    return {ACIS_NEAR_BLOCK, "the block has " + std::to_string(block->bytes) +
                                 " bytes on a node; " + std::to_string(bytes) + " are asked for"};
  return {};
}

Problem acis_near::start(unsigned node, const Access &access, std::vector<Started> &into) {
  Result<uint64_t> id = nodes[node]->startAccess(access);
  if (!id)
    return {ACIS_NEAR_NODE, names[node] + ": " + id.error().str()};
  into.push_back({node, *id});
  return {};
}

Problem acis_near::wait(const Started &one, Outcome &out) {
  Result<Outcome> got = nodes[one.node]->waitAccess(one.id, timeout);
  if (!got)
    return {ACIS_NEAR_NODE, names[one.node] + ": " + got.error().str()};
  out = std::move(*got);
  if (out.failure != Outcome::Failure::None)
    return {kindOf(out.failure), names[one.node] + ": " + out.what};
  return {};
}

acis_near *acis_near_open(const char *nodes, uint32_t job, const char *key, uint32_t rank,
                          uint32_t size, const char **error) {
  static thread_local std::string text;
  auto near = std::make_unique<acis_near>();
  std::string list = nodes ? nodes : "";
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    near->names.push_back("memory node " + list.substr(at, end - at));
    Result<std::unique_ptr<Session>> session =
        Session::open({list.substr(at, end - at), job, key ? key : ""}, rank, size);
    if (!session) {
      text = near->names.back() + ": " + session.error().what;
      if (error)
        *error = text.c_str();
      return nullptr;
    }
    near->nodes.push_back(std::move(*session));
    at = end + 1;
  }
  if (error)
    *error = nullptr;
  acis_near::opened.push_back(near.get());
  return near.release();
}

void acis_near_close(acis_near *near) {
  std::erase(acis_near::opened, near);
  delete near;
}

unsigned acis_near_nodes(const acis_near *near) { return unsigned(near->nodes.size()); }
enum acis_near_class acis_near_error(const acis_near *near) { return near->last.kind; }

void acis_near_timeout(acis_near *near, double seconds) {
  near->timeout = Nanoseconds(int64_t(std::clamp(seconds, 0.0, 1e6) * 1e9));
}

void acis_near_on_error(acis_near *near, acis_near_handler *handler, void *context) {
  (near ? near->told : acis_near::toldWithout) = {handler, context};
}
