// The dfg dialect: loop nests of packet handlers, and the graphs they become.
#ifndef ACIS_DFG_DIALECT_TD
#define ACIS_DFG_DIALECT_TD

include "mlir/IR/OpBase.td"

def Dfg_Dialect : Dialect {
  let name = "dfg";
  let summary = "loop nests of packet handlers, and the graphs they become";
  let description = [{
    A handler's control code stays LLVM IR; each loop nest that touches a stream,
    the memory or an array becomes a `dfg.nest` of this dialect. The importer makes
    nests of `dfg.loop`; the passes of `passes/dfg` turn each into one `dfg.graph`,
    whose nodes carry a place and whose edges carry a route after `dfg-map`.
    docs/rationale/dfg.md says what the importer has to produce.
  }];
  let cppNamespace = "::acis::dfg";
  let useDefaultAttributePrinterParser = 1;
}

class Dfg_Op<string mnemonic, list<Trait> traits = []> : Op<Dfg_Dialect, mnemonic, traits>;

#endif // ACIS_DFG_DIALECT_TD
