// The value types of the dialect: builtin scalars, and beats of them.
#ifndef ACIS_DFG_TYPES_TD
#define ACIS_DFG_TYPES_TD

include "mlir/IR/CommonTypeConstraints.td"

def Dfg_Scalar : AnyTypeOf<[I1, I8, I16, I32, I64, F32, F64], "i1, i8, i16, i32, i64, f32 or f64">;
/// A scalar before dfg-lanes; after it a beat, or a scalar that every lane gets.
def Dfg_Value : AnyTypeOf<
    [I1, I8, I16, I32, I64, F32, F64,
     VectorOfRankAndType<[1], [I1, I8, I16, I32, I64, F32, F64]>],
    "a scalar (i1, i8, i16, i32, i64, f32, f64) or a beat of them">;
def Dfg_Index : AnyTypeOf<[I8, I16, I32, VectorOfRankAndType<[1], [I8, I16, I32]>],
                          "an integer of at most 32 bits or a beat of them">;
def Dfg_Flag : AnyTypeOf<[I1, VectorOfRankAndType<[1], [I1]>], "i1 or a beat of them">;

#endif // ACIS_DFG_TYPES_TD
