// Instantiates the field table once per record and direction.
#include "backend/isa/ContextBits.h"

namespace acis::isa {

#define PUT(Member, Width, Kind) putField<FieldKind::Kind, Width>(bits, record.Member);
#define GET(Member, Width, Kind) getField<FieldKind::Kind, Width>(bits, record.Member);

void putLoop(BitWriter &bits, const LoopContext &record) {
#define ACIS_LOOP_FIELD PUT
#include "backend/isa/ContextFields.def"
  bits.endRecord();
}
void getLoop(BitReader &bits, LoopContext &record) {
#define ACIS_LOOP_FIELD GET
#include "backend/isa/ContextFields.def"
  bits.endRecord();
}

void putPop(BitWriter &bits, const PortRead &record) {
#define ACIS_POP_FIELD PUT
#include "backend/isa/ContextFields.def"
  bits.endRecord();
}
void getPop(BitReader &bits, PortRead &record) {
#define ACIS_POP_FIELD GET
#include "backend/isa/ContextFields.def"
  bits.endRecord();
}

void putPe(BitWriter &bits, const PeRecord &record) {
#define ACIS_PE_FIELD PUT
#include "backend/isa/ContextFields.def"
  bits.endRecord();
}
void getPe(BitReader &bits, PeRecord &record) {
#define ACIS_PE_FIELD GET
#include "backend/isa/ContextFields.def"
  bits.endRecord();
}

void putAddress(BitWriter &bits, const VrfAddress &record) {
#define ACIS_ADDRESS_FIELD PUT
#include "backend/isa/ContextFields.def"
  bits.endRecord();
}
void getAddress(BitReader &bits, VrfAddress &record) {
#define ACIS_ADDRESS_FIELD GET
#include "backend/isa/ContextFields.def"
  bits.endRecord();
}

void putSlot(BitWriter &bits, const Slot &record) {
#define ACIS_SLOT_FIELD PUT
#include "backend/isa/ContextFields.def"
  bits.endRecord();
}
void getSlot(BitReader &bits, Slot &record) {
#define ACIS_SLOT_FIELD GET
#include "backend/isa/ContextFields.def"
  bits.endRecord();
}

} // namespace acis::isa
