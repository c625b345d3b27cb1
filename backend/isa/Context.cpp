// Contexts to bytes and back. Order: the loop record, ii pop records, then for each
// PE its record, its addresses and its ii slots.
#include "backend/isa/Context.h"

#include "backend/isa/ContextBits.h"
#include "backend/isa/ContextCheck.h"
#include "backend/overlay/Overlay.h"

namespace acis::isa {

unsigned bitsOf(Type type) {
  switch (type) {
  case Type::I8:
    return 8;
  case Type::I16:
    return 16;
  case Type::I32:
  case Type::F32:
    return 32;
  case Type::I64:
  case Type::F64:
    return 64;
  }
  return 0;
}

std::string_view mnemonic(Op op) {
  switch (op) {
#define ACIS_OP(Name, Mnemonic, Class, Operands)                                                   \
  case Op::Name:                                                                                   \
    return Mnemonic;
#include "backend/isa/Ops.def"
  }
  return "?";
}

unsigned numOperands(Op op) {
  switch (op) {
#define ACIS_OP(Name, Mnemonic, Class, Operands)                                                   \
  case Op::Name:                                                                                   \
    return Operands;
#include "backend/isa/Ops.def"
  }
  return 0;
}

std::vector<uint8_t> encode(const LoopContext &context) {
  BitWriter bits;
  putLoop(bits, context);
  assert(context.streamInSlots.size() == context.ii && "one pop record per slot");
  for (const PortRead &pop : context.streamInSlots)
    putPop(bits, pop);
  for (const PeContext &pe : context.pes) {
    assert(pe.slots.size() == context.ii && "ii slots in every PE");
    putPe(bits, {static_cast<uint16_t>(pe.addresses.size()), pe.memIn, pe.memOut});
    for (const VrfAddress &address : pe.addresses)
      putAddress(bits, address);
    for (const Slot &slot : pe.slots)
      putSlot(bits, slot);
  }
  return std::move(bits.bytes);
}

namespace {

Error tooShort(size_t needed, const BitReader &bits) {
  return {"context byte " + std::to_string(bits.position()),
          "found " + std::to_string(bits.bytesLeft()) + " bytes, needed are " +
              std::to_string(needed)};
}

/// Nothing is allocated before the bytes that fill it are known to be there.
Result<PeContext> decodePe(BitReader &bits, const LoopContext &context) {
  if (bits.bytesLeft() < PeBytes)
    return tooShort(PeBytes, bits);
  PeRecord record;
  getPe(bits, record);
  size_t needed = record.numAddresses * AddressBytes + context.ii * SlotBytes;
  if (bits.bytesLeft() < needed)
    return tooShort(needed, bits);
  PeContext pe;
  pe.memIn = record.memIn;
  pe.memOut = record.memOut;
  pe.addresses.resize(record.numAddresses);
  for (VrfAddress &address : pe.addresses)
    getAddress(bits, address);
  pe.slots.resize(context.ii);
  for (Slot &slot : pe.slots)
    getSlot(bits, slot);
  return pe;
}

} // namespace

Result<LoopContext> decode(std::span<const uint8_t> bytes, const Overlay &overlay) {
  BitReader bits(bytes);
  LoopContext context;
  if (bytes.size() < LoopBytes)
    return tooShort(LoopBytes, bits);
  getLoop(bits, context);
  if (Status status = checkLoop(context, overlay); !status)
    return status.error();
  if (bits.bytesLeft() < context.ii * PopBytes)
    return tooShort(context.ii * PopBytes, bits);
  context.streamInSlots.resize(context.ii);
  for (PortRead &pop : context.streamInSlots)
    getPop(bits, pop);
  context.pes.reserve(overlay.numPes());
  for (unsigned i = 0; i < overlay.numPes(); ++i) {
    Result<PeContext> pe = decodePe(bits, context);
    if (!pe)
      return pe.error();
    context.pes.push_back(std::move(*pe));
  }
  if (bits.bytesLeft())
    return Error{"context byte " + std::to_string(bits.position()),
                 "found " + std::to_string(bits.bytesLeft()) + " bytes after the last PE"};
  if (bits.padding)
    return Error{"context", "found a bit set between two records, where all are 0"};
  if (Status status = checkSlots(context, overlay); !status)
    return status.error();
  return context;
}

} // namespace acis::isa
