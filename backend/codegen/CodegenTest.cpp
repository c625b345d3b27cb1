// Parts of code generation without the dialect: scalar operations, the order of nests,
// waiting for memory, the assembler's messages.
#include "backend/asm/Assemble.h"
#include "backend/codegen/Control.h"
#include "backend/codegen/MProgram.h"
#include "passes/dfg/NestPlaces.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::codegen;

namespace {

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context, llvm::StringRef body) {
  llvm::SMDiagnostic message;
  std::string text = "declare void @acis.nest.h.r()\n"
                     "declare void @acis.nest.h.w()\n"
                     "declare void @acis.nest.h.n()\n"
                     "define void @h(ptr %in, ptr %out, ptr %mem, ptr %len, i1 %c) {\n" +
                     body.str() + "}\n";
  auto module = llvm::parseAssemblyString(text, message, context);
  EXPECT_TRUE(module) << message.getMessage().str();
  return module;
}

/// What runs, in order: "sync", "launch", "load", "store".
std::string trace(llvm::StringRef body) {
  llvm::LLVMContext context;
  auto module = parse(context, body);
  MHandler handler;
  for (const char *name : {"r", "w", "n"}) {
    MNest nest;
    nest.callee = std::string("acis.nest.h.") + name;
    nest.readsMemory = *name == 'r';
    nest.writesMemory = *name == 'w';
    nest.launch.iterations = nest.scalar.constant(1);
    nest.launch.tail = nest.scalar.constant(0);
    handler.nests.push_back(nest);
  }
  llvm::Function &function = *module->getFunction("h");
  EXPECT_FALSE(bool(lowerControl(function, handler)));
  std::string text;
  for (llvm::Instruction &instr : llvm::instructions(function)) {
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instr))
      if (auto *code = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
        for (const char *word : {"acis.sync", "acis.launch"})
          if (code->getAsmString().find(word) != llvm::StringRef::npos)
            text += std::string(word + 5) + " ";
    if (llvm::isa<llvm::LoadInst>(instr))
      text += "load ";
    if (llvm::isa<llvm::StoreInst>(instr))
      text += "store ";
  }
  return text;
}

TEST(ScalarCode, FoldsAndShares) {
  ScalarCode code;
  unsigned a = code.arg(0, 32);
  EXPECT_EQ(code.sum(a, code.constant(0)), a);
  EXPECT_EQ(code.product(code.constant(1), a), a);
  uint64_t value = 0;
  EXPECT_TRUE(code.isConstant(code.product(a, code.constant(0)), value));
  EXPECT_EQ(value, 0u);
  EXPECT_TRUE(code.isConstant(code.sum(code.constant(-1), code.constant(3)), value));
  EXPECT_EQ(value, 2u); // modulo 2^32
  EXPECT_EQ(code.sum(a, code.constant(4)), code.sum(a, code.constant(4)));
  EXPECT_NE(code.sum(a, code.constant(4)), code.sum(a, code.constant(5)));
}

TEST(Control, WaitsForMemoryOnlyWhereItMust) {
  EXPECT_EQ(trace("call void @acis.nest.h.r()\n %v = load i32, ptr %mem\n ret void"),
            "launch load ");
  EXPECT_EQ(trace("call void @acis.nest.h.w()\n %v = load i32, ptr %mem\n ret void"),
            "launch sync load ");
  EXPECT_EQ(trace("call void @acis.nest.h.r()\n store i32 1, ptr %mem\n ret void"),
            "launch sync store ");
  EXPECT_EQ(trace("store i32 1, ptr %mem\n call void @acis.nest.h.r()\n ret void"),
            "store launch ");
  EXPECT_EQ(trace("call void @acis.nest.h.w()\n call void @acis.nest.h.n()\n"
                  "call void @acis.nest.h.r()\n ret void"),
            "launch launch sync launch ");
  EXPECT_EQ(trace("call void @acis.nest.h.r()\n call void @acis.nest.h.r()\n ret void"),
            "launch launch ");
}

TEST(Control, WaitsRoundALoop) {
  EXPECT_EQ(trace("br label %l\n"
                  "l:\n %v = load i32, ptr %mem\n call void @acis.nest.h.w()\n"
                  "br i1 %c, label %l, label %e\n"
                  "e:\n ret void"),
            "sync load launch ");
}

TEST(Control, StackNeedsNoWaiting) {
  EXPECT_EQ(trace("%s = alloca i32\n call void @acis.nest.h.w()\n %v = load i32, ptr %s\n"
                  "ret void"),
            "launch load ");
}

TEST(Control, RefusesUnknownNests) {
  llvm::LLVMContext context;
  auto module = parse(context, "call void @acis.nest.h.r()\n ret void");
  llvm::Error error = lowerControl(*module->getFunction("h"), MHandler{"h", {}, 0, 0});
  ASSERT_TRUE(bool(error));
  EXPECT_NE(llvm::toString(std::move(error)).find("there is no such loop nest"), std::string::npos);
}

TEST(Lifetimes, FollowTheControlFlow) {
  llvm::LLVMContext context;
  auto module = parse(context, "call void @acis.nest.h.r()\n br i1 %c, label %l, label %e\n"
                               "l:\n call void @acis.nest.h.n()\n call void @acis.nest.h.w()\n"
                               "br i1 %c, label %l, label %e\n"
                               "e:\n call void @acis.nest.h.r()\n ret void");
  auto places = dfg::nestPlaces(*module->getFunction("h"));
  auto r = places["acis.nest.h.r"], n = places["acis.nest.h.n"], w = places["acis.nest.h.w"];
  EXPECT_LT(r.first, n.first);
  EXPECT_GT(r.last, n.last);
  // In one loop: no order among them.
  EXPECT_EQ(n.first, w.first);
  EXPECT_EQ(n.first, n.last);
}

TEST(Lifetimes, CallsOfOneBlockHaveAnOrder) {
  llvm::LLVMContext context;
  auto module =
      parse(context, "call void @acis.nest.h.n()\n call void @acis.nest.h.w()\n ret void");
  auto places = dfg::nestPlaces(*module->getFunction("h"));
  EXPECT_LT(places["acis.nest.h.n"].last, places["acis.nest.h.w"].first);
}

TEST(Assemble, NamesTheBadLine) {
  auto good = assembler::assemble("\t.text\n\twfi\n");
  ASSERT_TRUE(bool(good));
  EXPECT_EQ(llvm::StringRef(good->data(), 4), "\177ELF");
  auto bad = assembler::assemble("\t.text\n\tadd a0, a1, bogus\n", "x.s");
  ASSERT_FALSE(bool(bad));
  std::string message = llvm::toString(bad.takeError());
  EXPECT_EQ(message.find("x.s:2:14: error: "), 0u) << message;
}

} // namespace
