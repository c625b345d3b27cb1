// See Call.h. Arguments that only MPI can judge (invalid ones) are Refused, so that the MPI
// underneath says what is wrong; in such a program there is no right answer that ranks could
// disagree on.
#include "runtime/host/mpi/interpose/Call.h"

#include "runtime/host/mpi/interpose/Operators.h"

namespace acis::mpi {

const Roles &rolesOf(Kind kind) {
  using enum Who;
  // Those of a prefix or an Allreduce, and of a reduction whose result is split.
  constexpr Roles Same = {All, All, All, Nobody, false, false};
  constexpr Roles Split = {All, All, All, Nobody, true, false};
  static constexpr Roles Table[NumKinds] = {
      /* Allreduce          */ Same,
      /* Reduce             */ {All, Root, Root, Nobody, false, false},
      /* Bcast              */ {Root, Others, Nobody, Nobody, false, false},
      /* Gather             */ {All, Root, Root, Nobody, false, true},
      /* Allgather          */ {All, All, All, Nobody, false, true},
      /* Scatter            */ {Root, All, Nobody, Root, true, false},
      /* ReduceScatter      */ Split,
      /* ReduceScatterBlock */ Split,
      /* Barrier            */ {Nobody, Nobody, Nobody, Nobody, false, false},
      /* Scan               */ Same,
      /* Exscan             */ Same,
      /* Alltoall           */ {All, All, All, Nobody, true, true},
  };
  return Table[unsigned(kind)];
}

namespace {

/// Of a reduction: how one lies in memory.
struct Item {
  TypeLayout layout;
  std::shared_ptr<const ItemForm> form; ///< null: as the switch gets it
};

/// The arguments, by what they mean on this rank.
class Reader {
public:
  Reader(const Arguments &given, int rank, int size)
      : given(given), roles(rolesOf(given.kind)), rank(rank), size(size), gives(is(roles.gives)),
        takes(is(roles.takes)), givesInPlace(gives && given.send.at == MPI_IN_PLACE),
        takesInPlace(takes && given.recv.at == MPI_IN_PLACE),
        measure(!takes || is(roles.takesInPlace) ? given.send : given.recv), items(countItems()) {}

  /// Mistakes that the MPI underneath reports, as far as a look at the arguments shows them.
  bool looksValid() const;
  /// Of arguments that look valid: all that a Call has but its name and communicator.
  void read(Call &call) const;

private:
  bool is(Who who) const {
    return unsigned(who) & unsigned(rank == given.root ? Who::Root : Who::Others);
  }
  int64_t countItems() const;
  bool areOne() const;
  Reason chooseOperation(Collective &collective, Item &item) const;
  Reason chooseOperator(Collective &collective, Item &item) const;
  Message messageOf(const BufferArgument &own, bool each, const BufferArgument &other,
                    bool otherEach, const Item &element) const;

  const Arguments &given;
  const Roles &roles;
  const int rank, size;
  const bool gives, takes;               ///< whether the buffers mean something here
  const bool givesInPlace, takesInPlace; ///< and are MPI_IN_PLACE
  const BufferArgument &measure; ///< says how long a block is: the one that may not be in place
  const int64_t items;           ///< of a block, ReduceScatter: of all; negative: a mistake
};

int64_t Reader::countItems() const {
  if (given.kind != Kind::ReduceScatter)
    return measure.count;
  int64_t sum = given.counts ? 0 : -1;
  for (int r = 0; r < size && sum >= 0; ++r)
    sum = given.counts[r] < 0 ? -1 : sum + given.counts[r];
  return sum;
}

/// Buffers that are one, or of an Allgather what is sent is the own block of the result: MPI does
/// not allow it, but libraries may do it. All ranks of a program that does must see it.
bool Reader::areOne() const {
#ifdef OPEN_MPI
  // Of a movement whose root names one buffer twice the others see nothing. Open MPI does it, so
  // the switch has to.
  if (given.kind == Kind::Gather || given.kind == Kind::Scatter)
    return false;
#endif
  const void *send = given.send.at, *recv = given.recv.at;
  return send &&
         (send == recv ||
          (given.kind == Kind::Allgather &&
           send == layoutOf(given.recv.type).address(recv, int64_t(rank) * given.recv.count)));
}

bool Reader::looksValid() const {
  const bool reduces = isReduction(given.kind);
  if (given.root < 0 || given.root >= size || items < 0 || (reduces && given.op == MPI_OP_NULL))
    return false;
  const bool sends = gives && !givesInPlace, receives = takes && !takesInPlace;
  auto isSound = [&](const BufferArgument &buffer, bool isRead) {
    return (!isRead && &buffer != &measure) ||
           (buffer.count >= 0 && buffer.type != MPI_DATATYPE_NULL && isCommitted(buffer.type));
  };
  if (!isSound(given.send, sends) || !isSound(given.recv, receives) ||
      (given.kind == Kind::Bcast && given.recv.at == MPI_IN_PLACE))
    return false;
  if (items == 0)
    return true;
  if ((givesInPlace && !is(roles.givesInPlace)) || (takesInPlace && !is(roles.takesInPlace)) ||
      (sends && receives && areOne()))
    return false;
  // Predefined types only: no address is MPI_BOTTOM.
  return !reduces || ((!sends || given.send.at) && (!receives || given.recv.at));
}

/// Nothing (Offloaded), or why MPI or the switch do not have this operation on this type.
Reason Reader::chooseOperation(Collective &collective, Item &item) const {
  if (const uint64_t *handle = findOperator(given.op)) {
    collective.op = ReduceOp::User;
    collective.operatorHandle = *handle;
    return chooseOperator(collective, item);
  }
  if (!isPredefined(given.op))
    return Reason::UserOperator;
  collective.op = reduceOpOf(given.op);
  const std::optional<NamedElement> element = namedElement(measure.type);
  if (!element)
    return Reason::Type;
  if (!acis::mpi::takes(collective.op, element->classes) ||
      !isDefined(collective.op, element->type))
    return Reason::Operator;
  collective.type = element->type;
  const uint64_t bytes = bytesOf(element->type);
  item.layout = {bytes, int64_t(bytes), /*packed=*/true};
  return Reason::Offloaded;
}

/// The same of an operator with a handler: which takes items, of any type that has a form.
Reason Reader::chooseOperator(Collective &collective, Item &item) const {
  std::optional<ItemForm> form = formOf(measure.type);
  if (!form)
    return Reason::Type;
  int commutes = 0;
  PMPI_Op_commutative(given.op, &commutes);
  collective.commutative = commutes;
  collective.type = form->type;
  collective.itemElements = form->elements;
  item.layout = {form->bytes(), form->extent, form->isDense};
  if (!form->isDense)
    item.form = std::make_shared<const ItemForm>(std::move(*form));
  return Reason::Offloaded;
}

/// What is in `own`, or in place, then in `other`: a block, or one for `each` rank. `element`: of a
/// reduction.
Message Reader::messageOf(const BufferArgument &own, bool each, const BufferArgument &other,
                          bool otherEach, const Item &element) const {
  Message message;
  message.isUsed = true;
  message.isInPlace = own.at == MPI_IN_PLACE;
  const BufferArgument &from = message.isInPlace ? other : own;
  message.items = uint64_t(from.count) * uint64_t(each ? size : 1);
  message.type = from.type;
  message.layout = isReduction(given.kind) ? element.layout : layoutOf(from.type);
  message.form = element.form;
  const bool isOneOfEach = message.isInPlace && otherEach && !each;
  message.at = message.layout.address(from.at, isOneOfEach ? int64_t(rank) * from.count : 0);
  return message;
}

void Reader::read(Call &call) const {
  Collective &collective = call.collective;
  Item element;
  if (isReduction(given.kind))
    if (call.reason = chooseOperation(collective, element); call.reason != Reason::Offloaded)
      return;
  call.reason = Reason::Empty;
  if (items == 0)
    return;
  if (gives)
    call.give = messageOf(given.send, roles.givesEach, given.recv, roles.takesEach, element);
  if (takes)
    call.take = messageOf(given.recv, roles.takesEach, given.send, roles.givesEach, element);
  const uint64_t item = (&measure == &given.send ? call.give : call.take).layout.size;
  const uint64_t elements = item / bytesOf(collective.type); // moved as bytes
  call.bytes = uint64_t(items) * item;
  collective.count = uint64_t(items) * elements;
  if (given.kind == Kind::ReduceScatter) {
    call.give.items = uint64_t(items);
    call.take.items = uint64_t(given.counts[rank]);
    for (int r = 0; r < size; ++r)
      call.counts.push_back(uint64_t(given.counts[r]) * elements);
    collective.counts = call.counts;
  }
  if (call.bytes > 0)
    call.reason = Reason::Offloaded;
}

} // namespace

Call normalise(const Arguments &given, int rank, int size) {
  Call call;
  call.name = given.name;
  call.comm = given.comm;
  call.collective.kind = given.kind;
  call.collective.root = uint32_t(given.root);
  if (given.kind == Kind::Barrier)
    call.reason = Reason::Offloaded;
  else if (Reader reader(given, rank, size); reader.looksValid())
    reader.read(call);
  return call;
}

std::optional<Call> asOthersSee(const Arguments &given, int rank, int size) {
  if (rolesOf(given.kind).takes != Who::Root || given.root != rank || given.send.at == MPI_IN_PLACE)
    return std::nullopt;
  static char elsewhere; // in neither buffer
  Arguments seen = given;
  seen.recv = {&elsewhere, given.send.count, given.send.type};
  Call call = normalise(seen, rank, size);
  if (call.reason != Reason::Offloaded)
    return std::nullopt;
  call.isRefused = true;
  call.take = {
      .isUsed = true, .items = call.take.bytes(), .type = MPI_BYTE, .layout = {1, 1, true}};
  return call;
}

} // namespace acis::mpi
