// The memory communicator over one session for each node.
#include "runtime/host/near/acis_near.h"

#include "runtime/host/client/Session.h"
#include "runtime/io/Bytes.h"
#include "runtime/switch/collective/Combine.h"
#include "runtime/switch/wire/Control.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>

using namespace acis;
using wire::Access;
using wire::Outcome;
using wire::Place;

struct acis_near_block {
  std::vector<uint64_t> handles; ///< one for each node
  uint64_t bytes = 0;
};

struct acis_near_function {
  std::vector<uint64_t> stages; ///< hashes
  uint32_t inBytes = 0, outBytes = 0;
};

namespace {

/// What is wrong, of which kind.
struct Problem {
  acis_near_class kind = ACIS_NEAR_OK;
  std::string what;
  explicit operator bool() const { return kind != ACIS_NEAR_OK; }
};

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
  }
  return ACIS_NEAR_NODE;
}

Problem argument(std::string what) { return {ACIS_NEAR_ARGUMENT, std::move(what)}; }

/// Under way on one node.
struct Started {
  unsigned node;
  uint64_t id;
};

} // namespace

struct acis_near {
  std::vector<std::string> names;
  std::vector<std::unique_ptr<Session>> nodes;
  std::vector<std::unique_ptr<acis_near_block>> blocks;
  std::vector<std::unique_ptr<acis_near_function>> functions;
  struct Launch {
    std::vector<Started> parts;
    uint64_t gives; ///< bytes, on each node
  };
  std::map<acis_near_request, Launch> launches;
  acis_near_request lastRequest = 0;
  Nanoseconds timeout = std::chrono::seconds(60);
  Problem last;

  const char *give(Problem problem) {
    last = std::move(problem);
    return last ? last.what.c_str() : nullptr;
  }
  bool knows(const acis_near_block *block) const {
    return std::any_of(blocks.begin(), blocks.end(),
                       [&](const auto &one) { return one.get() == block; });
  }
  bool knows(const acis_near_function *function) const {
    return std::any_of(functions.begin(), functions.end(),
                       [&](const auto &one) { return one.get() == function; });
  }
  Problem check(const acis_near_block *block, uint64_t bytes) const {
    if (!knows(block))
      return {ACIS_NEAR_BLOCK, "not a block of this communicator, or one that was freed"};
    if (bytes > block->bytes)
      return {ACIS_NEAR_BLOCK, "the block has " + std::to_string(block->bytes) +
                                   " bytes on a node; " + std::to_string(bytes) + " are asked for"};
    return {};
  }

  Problem start(unsigned node, const Access &access, std::vector<Started> &into) {
    Result<uint64_t> id = nodes[node]->startAccess(access);
    if (!id)
      return {ACIS_NEAR_NODE, names[node] + ": " + id.error().str()};
    into.push_back({node, *id});
    return {};
  }
  Problem wait(const Started &one, Outcome &out) {
    Result<Outcome> got = nodes[one.node]->waitAccess(one.id, timeout);
    if (!got)
      return {ACIS_NEAR_NODE, names[one.node] + ": " + got.error().str()};
    out = std::move(*got);
    if (out.failure != Outcome::Failure::None)
      return {kindOf(out.failure), names[one.node] + ": " + out.what};
    return {};
  }
  /// Waits for all of them, whatever becomes of some; the first problem. `use(i, outcome)`.
  template <typename Use> Problem waitAll(const std::vector<Started> &all, Use use) {
    Problem first;
    for (size_t i = 0; i < all.size(); ++i) {
      Outcome out;
      if (Problem problem = wait(all[i], out); problem && !first)
        first = std::move(problem);
      else if (!problem)
        use(i, out);
    }
    return first;
  }
  Problem waitAll(const std::vector<Started> &all) {
    return waitAll(all, [](size_t, const Outcome &) {});
  }
  /// The same request on every node.
  template <typename Use> Problem everywhere(const Access &access, Use use) {
    std::vector<Started> started;
    Problem problem;
    for (unsigned i = 0; i < nodes.size(); ++i)
      if (Problem one = start(i, access, started); one && !problem)
        problem = std::move(one);
    Problem waited = waitAll(started, [&](size_t i, Outcome &out) { use(started[i].node, out); });
    return problem ? problem : waited;
  }

  Problem release(const acis_near_block &block);
  Problem load(unsigned node, std::span<const uint8_t> elf, const std::string &name, uint64_t hash);
  Problem launch(const acis_near_function *function, acis_near_block *in, acis_near_block *operand,
                 acis_near_block *out, uint64_t length, uint64_t gives, acis_near_request *request);
};

namespace {

/// Bytes between here and a block, cut into what requests hold. Everything is started before
/// anything is waited for, so that all nodes are at work.
class Transfer {
public:
  Transfer(acis_near &near, Access::Op op) : near(near), op(op) {}

  Problem add(unsigned node, const acis_near_block &block, uint64_t offset, uint8_t *here,
              uint64_t row, uint32_t rows, uint64_t stride) {
    const uint64_t most = near.nodes[node]->accessBytes();
    if (row <= most) {
      const uint32_t together = uint32_t(std::max<uint64_t>(1, row ? most / row : rows));
      for (uint32_t first = 0; first < rows; first += std::min(together, rows - first))
        if (Problem problem = piece(node, block, offset + first * stride, here + first * row, row,
                                    std::min(together, rows - first), stride))
          return problem;
      return {};
    }
    for (uint32_t i = 0; i < rows; ++i)
      for (uint64_t at = 0; at < row; at += most)
        if (Problem problem = piece(node, block, offset + i * stride + at, here + i * row + at,
                                    std::min(most, row - at), 1, 0))
          return problem;
    return {};
  }

  Problem finish() {
    return near.waitAll(started, [&](size_t i, const Outcome &out) {
      if (op == Access::Op::Get)
        std::memcpy(where[i].data(), out.data.data(), std::min(where[i].size(), out.data.size()));
    });
  }

private:
  Problem piece(unsigned node, const acis_near_block &block, uint64_t offset, uint8_t *here,
                uint64_t row, uint32_t rows, uint64_t stride) {
    Access access;
    access.op = op;
    access.place = {block.handles[node], offset, row};
    access.rows = rows;
    access.stride = stride;
    const std::span<uint8_t> bytes(here, row * rows);
    if (op == Access::Op::Put)
      access.data = bytes;
    if (Problem problem = near.start(node, access, started))
      return problem;
    where.push_back(bytes);
    return {};
  }

  acis_near &near;
  Access::Op op;
  std::vector<Started> started;
  std::vector<std::span<uint8_t>> where;
};

/// `data` with the nodes' bytes one behind the other, or the same for all.
Problem moveAll(acis_near &near, Access::Op op, void *data, uint64_t step, acis_near_block *block,
                uint64_t bytes) {
  if (Problem problem = near.check(block, bytes))
    return problem;
  Transfer transfer(near, op);
  Problem first;
  for (unsigned i = 0; i < near.nodes.size(); ++i)
    if (Problem problem =
            transfer.add(i, *block, 0, static_cast<uint8_t *>(data) + i * step, bytes, 1, 0);
        problem && !first)
      first = std::move(problem);
  Problem rest = transfer.finish();
  return first ? first : rest;
}

Problem moveOne(acis_near &near, Access::Op op, unsigned node, acis_near_block *block,
                uint64_t offset, void *data, uint64_t row, uint32_t rows, uint64_t stride) {
  if (node >= near.nodes.size())
    return argument("node " + std::to_string(node) + "; there are " +
                    std::to_string(near.nodes.size()));
  if (Problem problem = near.check(block, 0))
    return problem;
  const uint64_t most = uint64_t(1) << 40;
  if (row > most || stride > most)
    return argument("rows of more than " + std::to_string(most) + " bytes");
  if (Problem problem = near.check(
          block, rows ? std::min(offset, ~uint64_t(0) >> 1) + (rows - 1) * stride + row : 0))
    return problem;
  Transfer transfer(near, op);
  Problem added =
      transfer.add(node, *block, offset, static_cast<uint8_t *>(data), row, rows, stride);
  Problem rest = transfer.finish();
  return added ? added : rest;
}

/// The communicator of MPI_Local_*.
thread_local acis_near *current = nullptr;

} // namespace

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
  return current = near.release();
}

void acis_near_close(acis_near *near) {
  if (current == near)
    current = nullptr;
  delete near;
}

unsigned acis_near_nodes(const acis_near *near) { return unsigned(near->nodes.size()); }
enum acis_near_class acis_near_error(const acis_near *near) { return near->last.kind; }

void acis_near_timeout(acis_near *near, double seconds) {
  near->timeout = Nanoseconds(int64_t(std::clamp(seconds, 0.0, 1e6) * 1e9));
}

Problem acis_near::release(const acis_near_block &block) {
  std::vector<Started> started;
  Problem first;
  for (unsigned i = 0; i < nodes.size(); ++i) {
    if (block.handles[i] == 0)
      continue;
    Access access;
    access.op = Access::Op::Free;
    access.place.handle = block.handles[i];
    if (Problem problem = start(i, access, started); problem && !first)
      first = std::move(problem);
  }
  Problem rest = waitAll(started);
  return first ? first : rest;
}

const char *acis_near_alloc(acis_near *near, uint64_t bytes, acis_near_block **block) {
  auto made = std::make_unique<acis_near_block>();
  made->bytes = bytes;
  made->handles.resize(near->nodes.size());
  Access access;
  access.op = Access::Op::Alloc;
  access.place.bytes = bytes;
  Problem problem = near->everywhere(
      access, [&](unsigned node, const Outcome &out) { made->handles[node] = out.value; });
  *block = nullptr;
  if (problem) {
    (void)near->release(*made); // nodes that had room
    return near->give(std::move(problem));
  }
  *block = made.get();
  near->blocks.push_back(std::move(made));
  return near->give({});
}

const char *acis_near_free(acis_near *near, acis_near_block *block) {
  if (Problem problem = near->check(block, 0))
    return near->give(std::move(problem));
  Problem problem = near->release(*block);
  std::erase_if(near->blocks, [&](const auto &one) { return one.get() == block; });
  return near->give(std::move(problem));
}

uint64_t acis_near_handle(const acis_near_block *block, unsigned node) {
  return node < block->handles.size() ? block->handles[node] : 0;
}

const char *acis_near_attach(acis_near *near, const uint64_t *handles, uint64_t bytes,
                             acis_near_block **block) {
  auto made = std::make_unique<acis_near_block>();
  made->bytes = bytes;
  made->handles.assign(handles, handles + near->nodes.size());
  *block = nullptr;
  std::vector<Started> started;
  Problem problem;
  for (unsigned i = 0; i < near->nodes.size() && !problem; ++i) {
    Access access; // nothing of its last byte: is it there?
    access.op = Access::Op::Get;
    access.place = {handles[i], bytes, 0};
    problem = near->start(i, access, started);
  }
  Problem waited = near->waitAll(started);
  if (problem || waited)
    return near->give(problem ? std::move(problem) : std::move(waited));
  *block = made.get();
  near->blocks.push_back(std::move(made));
  return near->give({});
}

const char *acis_near_list(acis_near *near, unsigned node, uint64_t *handles, uint64_t *bytes,
                           size_t most, size_t *count) {
  *count = 0;
  if (node >= near->nodes.size())
    return near->give(argument("there is no node " + std::to_string(node)));
  Access access;
  access.op = Access::Op::List;
  for (;;) {
    std::vector<Started> started;
    Outcome out;
    Problem problem = near->start(node, access, started);
    if (!problem)
      problem = near->wait(started.front(), out);
    if (problem)
      return near->give(std::move(problem));
    if (out.data.size() < 16)
      return near->give({});
    for (size_t at = 0; at + 16 <= out.data.size(); at += 16) {
      access.place.handle = io::load<uint64_t>(out.data.data() + at);
      if (*count < most) {
        handles[*count] = access.place.handle;
        bytes[*count] = io::load<uint64_t>(out.data.data() + at + 8);
      }
      ++*count;
    }
  }
}

const char *acis_near_put(acis_near *near, unsigned node, acis_near_block *block, uint64_t offset,
                          const void *data, uint64_t row, uint32_t rows, uint64_t stride) {
  return near->give(moveOne(*near, Access::Op::Put, node, block, offset, const_cast<void *>(data),
                            row, rows, stride));
}

const char *acis_near_get(acis_near *near, unsigned node, acis_near_block *block, uint64_t offset,
                          void *data, uint64_t row, uint32_t rows, uint64_t stride) {
  return near->give(moveOne(*near, Access::Op::Get, node, block, offset, data, row, rows, stride));
}

/// The first piece has no data: the node may have it.
Problem acis_near::load(unsigned node, std::span<const uint8_t> elf, const std::string &name,
                        uint64_t hash) {
  Access access;
  access.op = Access::Op::Load;
  access.function = hash;
  access.total = uint32_t(elf.size());
  access.name = name;
  const size_t most = nodes[node]->accessBytes() - std::min<size_t>(name.size(), 256);
  Outcome out;
  do {
    access.offset = uint32_t(out.value);
    std::vector<Started> started;
    if (Problem problem = start(node, access, started))
      return problem;
    const uint64_t before = out.value;
    if (Problem problem = wait(started.front(), out))
      return problem;
    if (!access.data.empty() && out.value <= before)
      return {ACIS_NEAR_NODE, names[node] + ": does not take the binary"};
    const size_t at = std::min<size_t>(out.value, elf.size());
    access.data = elf.subspan(at, std::min(most, elf.size() - at));
  } while (out.value < elf.size());
  return {};
}

const char *acis_near_load(acis_near *near, const void *elf, size_t bytes, const char *name,
                           uint32_t in_bytes, uint32_t out_bytes, acis_near_function **function) {
  *function = nullptr;
  const std::string handler = name ? name : "";
  if (!elf || bytes == 0 || bytes > UINT32_MAX || in_bytes == 0 || out_bytes == 0 ||
      handler.size() > 256)
    return near->give(argument("a function needs a binary, a name of at most 256 characters, and "
                               "elements of one byte or more"));
  const std::span<const uint8_t> binary(static_cast<const uint8_t *>(elf), bytes);
  auto made = std::make_unique<acis_near_function>();
  made->stages = {wire::operatorHash(binary, handler)};
  made->inBytes = in_bytes;
  made->outBytes = out_bytes;
  for (unsigned i = 0; i < near->nodes.size(); ++i)
    if (Problem problem = near->load(i, binary, handler, made->stages[0]))
      return near->give(std::move(problem));
  *function = made.get();
  near->functions.push_back(std::move(made));
  return near->give({});
}

const char *acis_near_compose(acis_near *near, const acis_near_function *first,
                              const acis_near_function *second, acis_near_function **function) {
  *function = nullptr;
  if (!near->knows(first) || !near->knows(second))
    return near->give(argument("not a function of this communicator"));
  if (first->outBytes != second->inBytes)
    return near->give(argument("the first gives elements of " + std::to_string(first->outBytes) +
                               " bytes, the second takes " + std::to_string(second->inBytes)));
  if (first->stages.size() + second->stages.size() > Access::MostStages)
    return near->give(argument("more than " + std::to_string(Access::MostStages) + " functions"));
  auto made = std::make_unique<acis_near_function>(*first);
  made->stages.insert(made->stages.end(), second->stages.begin(), second->stages.end());
  made->outBytes = second->outBytes;
  *function = made.get();
  near->functions.push_back(std::move(made));
  return near->give({});
}

Problem acis_near::launch(const acis_near_function *function, acis_near_block *in,
                          acis_near_block *operand, acis_near_block *out, uint64_t length,
                          uint64_t gives, acis_near_request *request) {
  *request = 0;
  if (!knows(function))
    return argument("not a function of this communicator");
  if (length == 0 || length > UINT32_MAX / std::max(function->inBytes, function->outBytes))
    return argument(std::to_string(length) + " elements; 1 to what 4 GB hold are allowed");
  if (Problem problem = check(in, length * function->inBytes))
    return problem;
  if (Problem problem = check(out, gives))
    return problem;
  if (operand)
    if (Problem problem = check(operand, 0))
      return problem;
  Launch launch;
  launch.gives = gives;
  Problem first;
  for (unsigned i = 0; i < nodes.size(); ++i) {
    Access access;
    access.op = Access::Op::Launch;
    access.place = {in->handles[i], 0, length * function->inBytes};
    access.output = {out->handles[i], 0, gives};
    if (operand)
      access.memory = {operand->handles[i], 0, operand->bytes};
    access.stages = function->stages;
    if (Problem problem = start(i, access, launch.parts); problem && !first)
      first = std::move(problem);
  }
  if (first) {
    (void)waitAll(launch.parts);
    return first;
  }
  launches[ *request = ++lastRequest] = std::move(launch);
  return {};
}

const char *acis_near_map(acis_near *near, const acis_near_function *function, acis_near_block *in,
                          acis_near_block *operand, acis_near_block *out, uint64_t length,
                          acis_near_request *request) {
  const uint64_t each = near->knows(function) ? function->outBytes : 0;
  return near->give(near->launch(function, in, operand, out, length, length * each, request));
}

const char *acis_near_local_reduce(acis_near *near, const acis_near_function *function,
                                   acis_near_block *in, acis_near_block *operand,
                                   acis_near_block *out, uint64_t length,
                                   acis_near_request *request) {
  const uint64_t each = near->knows(function) ? function->outBytes : 0;
  return near->give(near->launch(function, in, operand, out, length, each, request));
}

const char *acis_near_wait(acis_near *near, acis_near_request request, uint64_t *cycles) {
  if (cycles)
    *cycles = 0;
  auto found = near->launches.extract(request);
  if (!found)
    return near->give({});
  Problem size;
  Problem problem = near->waitAll(found.mapped().parts, [&](size_t i, const Outcome &out) {
    if (cycles)
      *cycles = std::max(*cycles, out.cycles);
    if (out.value != found.mapped().gives && !size)
      size = {ACIS_NEAR_TRAPPED, near->names[i] + ": the function gave " +
                                     std::to_string(out.value) + " bytes; " +
                                     std::to_string(found.mapped().gives) + " are right"};
  });
  return near->give(problem ? std::move(problem) : std::move(size));
}

const char *acis_near_test(acis_near *near, acis_near_request request, int *complete) {
  *complete = 1;
  if (const auto at = near->launches.find(request); at != near->launches.end())
    for (const Started &part : at->second.parts) {
      Result<bool> done = near->nodes[part.node]->testAccess(part.id);
      if (!done)
        return near->give({ACIS_NEAR_NODE, near->names[part.node] + ": " + done.error().str()});
      if (!*done)
        *complete = 0;
    }
  return near->give({});
}

const char *acis_near_bcast(acis_near *near, const void *data, acis_near_block *block,
                            uint64_t bytes) {
  return near->give(moveAll(*near, Access::Op::Put, const_cast<void *>(data), 0, block, bytes));
}

const char *acis_near_scatter(acis_near *near, const void *data, acis_near_block *block,
                              uint64_t bytes) {
  return near->give(moveAll(*near, Access::Op::Put, const_cast<void *>(data), bytes, block, bytes));
}

const char *acis_near_gather(acis_near *near, acis_near_block *block, void *data, uint64_t bytes) {
  return near->give(moveAll(*near, Access::Op::Get, data, bytes, block, bytes));
}

const char *acis_near_gather_in_turn(acis_near *near, acis_near_block *block, void *data,
                                     uint64_t bytes) {
  for (unsigned i = 0; i < near->nodes.size(); ++i)
    if (Problem problem = moveOne(*near, Access::Op::Get, i, block, 0,
                                  static_cast<uint8_t *>(data) + i * bytes, bytes, 1, 0))
      return near->give(std::move(problem));
  return near->give({});
}

const char *acis_near_allgather(acis_near *near, acis_near_block *block, acis_near_block *to,
                                uint64_t bytes) {
  const uint64_t all = bytes * near->nodes.size();
  if (Problem problem = near->check(to, all))
    return near->give(std::move(problem));
  std::vector<uint8_t> data(all);
  if (Problem problem = moveAll(*near, Access::Op::Get, data.data(), bytes, block, bytes))
    return near->give(std::move(problem));
  return near->give(moveAll(*near, Access::Op::Put, data.data(), 0, to, all));
}

const char *acis_near_reduce(acis_near *near, acis_near_block *block, void *result, uint64_t count,
                             enum acis_type type, enum acis_op op) {
  if (unsigned(type) >= NumElementTypes || unsigned(op) >= NumReduceOps ||
      !isDefined(ReduceOp(op), ElementType(type)) || op == ACIS_NONE || op == ACIS_USER)
    return near->give(argument("this operation on this type is not one of MPI's"));
  const uint64_t bytes = count * bytesOf(ElementType(type));
  std::vector<uint8_t> data(bytes * near->nodes.size());
  if (Problem problem = moveAll(*near, Access::Op::Get, data.data(), bytes, block, bytes))
    return near->give(std::move(problem));
  const std::span<uint8_t> all(data);
  for (size_t i = 1; i < near->nodes.size(); ++i)
    collective::combine(ReduceOp(op), ElementType(type), all.first(bytes),
                        all.subspan(i * bytes, bytes), all.first(bytes));
  std::memcpy(result, data.data(), bytes);
  return near->give({});
}

const char *acis_near_allreduce(acis_near *near, acis_near_block *block, uint64_t count,
                                enum acis_type type, enum acis_op op) {
  if (Problem problem = near->check(block, 0))
    return near->give(std::move(problem));
  std::vector<uint8_t> data(block->bytes);
  if (const char *wrong = acis_near_reduce(near, block, data.data(), count, type, op))
    return wrong;
  return near->give(
      moveAll(*near, Access::Op::Put, data.data(), 0, block, count * bytesOf(ElementType(type))));
}

const char *acis_near_barrier(acis_near *near) {
  Access access; // takes its turn after all that was started before, on each node
  access.op = Access::Op::List;
  access.place.handle = ~uint64_t(0);
  return near->give(near->everywhere(access, [](unsigned, const Outcome &) {}));
}

void *MPI_Local_Alloc(size_t bytes) {
  acis_near_block *block = nullptr;
  if (current)
    (void)acis_near_alloc(current, bytes, &block);
  return block;
}

int MPI_Local_Dealloc(void *block) {
  if (!current)
    return ACIS_NEAR_ARGUMENT;
  (void)acis_near_free(current, static_cast<acis_near_block *>(block));
  return current->last.kind;
}

int MPI_Local_Map(const acis_near_function *function, void *input, void *output, size_t length) {
  if (!current)
    return ACIS_NEAR_ARGUMENT;
  acis_near_request request;
  if (!acis_near_map(current, function, static_cast<acis_near_block *>(input), nullptr,
                     static_cast<acis_near_block *>(output), length, &request))
    (void)acis_near_wait(current, request, nullptr);
  return current->last.kind;
}

void *MPI_Local_Reduce(const acis_near_function *function, void *input, size_t length) {
  acis_near_block *out = nullptr;
  if (!current)
    return nullptr;
  if (!current->knows(function)) {
    (void)current->give(argument("not a function of this communicator"));
    return nullptr;
  }
  if (acis_near_alloc(current, function->outBytes, &out))
    return nullptr;
  acis_near_request request;
  if (!acis_near_local_reduce(current, function, static_cast<acis_near_block *>(input), nullptr,
                              out, length, &request) &&
      !acis_near_wait(current, request, nullptr))
    return out;
  Problem problem = current->last;
  (void)acis_near_free(current, out);
  (void)current->give(std::move(problem));
  return nullptr;
}

const char *MPI_Local_Error(void) {
  return current ? current->last.what.c_str()
                 : "there is no memory communicator; open one with acis_near_open";
}
