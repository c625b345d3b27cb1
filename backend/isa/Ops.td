// What a PE's functional unit can do. The slot gives the types (Config.td).
// The order is that of the codes in the context words: new operations go to the end.

def OpNop : Op<"nop", "Integer", 0, "nothing">;
def OpMov : Op<"mov", "Integer", 1, "a">;
def OpAdd : Op<"add", "Integer", 2, "a + b">;
def OpSub : Op<"sub", "Integer", 2, "a - b">;
def OpMul : Op<"mul", "Integer", 2, "a * b">;
def OpAnd : Op<"and", "Integer", 2, "a & b">;
def OpOr : Op<"or", "Integer", 2, "a | b">;
def OpXor : Op<"xor", "Integer", 2, "a ^ b">;
def OpShl : Op<"shl", "Integer", 2, "a << (b % n)">;
def OpLshr : Op<"lshr", "Integer", 2, "a >> (b % n)">;
def OpAshr : Op<"ashr", "Integer", 2, "s(a) >> (b % n)">;
def OpSmin : Op<"smin", "Integer", 2, "s(a) < s(b) ? a : b">;
def OpSmax : Op<"smax", "Integer", 2, "s(a) < s(b) ? b : a">;
def OpUmin : Op<"umin", "Integer", 2, "a < b ? a : b">;
def OpUmax : Op<"umax", "Integer", 2, "a < b ? b : a">;
def OpEq : Op<"eq", "Integer", 2, "a == b ? 1 : 0">;
def OpNe : Op<"ne", "Integer", 2, "a != b ? 1 : 0">;
def OpSlt : Op<"slt", "Integer", 2, "s(a) < s(b) ? 1 : 0">;
def OpSle : Op<"sle", "Integer", 2, "s(a) <= s(b) ? 1 : 0">;
def OpUlt : Op<"ult", "Integer", 2, "a < b ? 1 : 0">;
def OpUle : Op<"ule", "Integer", 2, "a <= b ? 1 : 0">;
def OpSelect : Op<"select", "Integer", 3, "a != 0 ? b : c">;
def OpSext : Op<"sext", "Integer", 1, "s(a), read as type `from`, as the type">;
def OpIota : Op<"iota", "Integer", 0, "iteration * vf + lane">;
def OpLane : Op<"lane", "Integer", 1, "lane imm0 of a, in every lane">;
def OpSlide : Op<"slide", "Integer", 2,
    "lane l: l >= k ? a[l - k] : b[vf - k + l], k = imm0, 1 <= k <= vf">;
def OpSitofp : Op<"sitofp", "Convert", 1, "s(a), read as type `from`, to the nearest even float">;
def OpUitofp : Op<"uitofp", "Convert", 1, "a, read as type `from`, to the nearest even float">;
def OpFptosi : Op<"fptosi", "Convert", 1,
    "a, read as type `from`, towards zero, saturating; NaN gives the largest">;
def OpFptoui : Op<"fptoui", "Convert", 1,
    "a, read as type `from`, towards zero, saturating; NaN gives the largest">;
def OpFpconv : Op<"fpconv", "Convert", 1,
    "a, read as type `from`, to the nearest even value of the type (f32 and f64)">;
def OpFadd : Op<"fadd", "Float", 2, "round(a + b)">;
def OpFsub : Op<"fsub", "Float", 2, "round(a - b)">;
def OpFmul : Op<"fmul", "Float", 2, "round(a * b)">;
def OpFmac : Op<"fmac", "Float", 3, "round(round(a * b) + c)">;
def OpFma : Op<"fma", "Float", 3, "round(a * b + c)">;
def OpFmin : Op<"fmin", "Float", 2, "the smaller; the number if one is NaN; -0 < +0">;
def OpFmax : Op<"fmax", "Float", 2, "the larger; the number if one is NaN; -0 < +0">;
def OpFneg : Op<"fneg", "Float", 1, "a with its sign bit turned">;
def OpFabs : Op<"fabs", "Float", 1, "a with its sign bit 0">;
def OpFeq : Op<"feq", "Float", 2, "a == b ? 1 : 0; 0 if one is NaN">;
def OpFlt : Op<"flt", "Float", 2, "a < b ? 1 : 0; 0 if one is NaN">;
def OpFle : Op<"fle", "Float", 2, "a <= b ? 1 : 0; 0 if one is NaN">;
def OpSdiv : Op<"sdiv", "Divide", 2, "b == 0 ? -1 : overflow ? a : s(a) / s(b)">;
def OpUdiv : Op<"udiv", "Divide", 2, "b == 0 ? 2^n - 1 : a / b">;
def OpSrem : Op<"srem", "Divide", 2, "b == 0 ? a : overflow ? 0 : s(a) % s(b)">;
def OpUrem : Op<"urem", "Divide", 2, "b == 0 ? a : a % b">;
def OpFdiv : Op<"fdiv", "Divide", 2, "round(a / b)">;
def OpFsqrt : Op<"fsqrt", "Divide", 1, "round(sqrt(a))">;
def OpRotl : Op<"rotl", "Integer", 2, "a << k | a >> (n - k), k = b % n">;
