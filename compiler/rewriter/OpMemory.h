// The memory that an op reaches: arrays and numbers of the program under the names that the
// handler has for them. A place is a variable or a field that is reached from one by names alone.
#pragma once

#include "compiler/rewriter/Candidate.h"
#include "compiler/rewriter/DoneCall.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace acis::rewriter {

struct Place {
  const clang::VarDecl *var = nullptr;
  std::vector<const clang::FieldDecl *> fields;
  std::string text;              ///< as the program writes it
  std::string guarded;           ///< the same, 0 where a pointer on the way is null
  std::string name;              ///< of the handler's variable
  clang::QualType type;          ///< of the place: an array, a pointer or a number
  clang::QualType element;       ///< the numbers in it, or itself
  std::optional<uint64_t> count; ///< of numbers, where the type says it
  uint64_t rowCount = 1;         ///< numbers of one element of the outermost dimension
  /// Rows have a length of run time: to the handler it is one array of numbers.
  bool hasOpenRows = false;
  const clang::Expr *use = nullptr;
  bool isRead = false, isWritten = false;
  bool isNumber() const { return !type->isPointerType() && !type->isArrayType(); }
  /// Whether its size is known at run time only.
  bool isSized() const { return !isNumber() && !count; }
};

class OpMemory {
public:
  OpMemory(const clang::ASTContext &context, const DoneCall &done) : done(done), context(context) {}
  const DoneCall &done;

  /// The place that an expression names; null: it names none.
  Place *of(const clang::Expr *expr);
  std::deque<Place> places;

  /// The variable as the program writes it where the collective is called, and in the handler.
  std::string hostName(const clang::VarDecl *var);
  std::string handlerName(const clang::VarDecl *var) const;
  /// Declarations before the call for variables whose names mean something else there.
  std::map<std::string, std::string> aliases;

  /// A number that the program computes for the handler, and its name there.
  const std::string &valueOf(const std::string &text);
  std::map<std::string, std::string> values;

  /// Numbers in an object of the type: 1, or those of all elements of an array and of all members
  /// of a structure that has nothing but numbers of one type. 0: it has others.
  uint64_t numbersIn(clang::QualType type) const;
  /// Their type; null: it has others.
  clang::QualType numberIn(clang::QualType type) const;
  /// An array of structures as an array of numbers; any other type as it is.
  clang::QualType flat(clang::QualType type) const;
  /// Numbers in an element of the place that has the type, as the program computes them: those of
  /// a row whose length is known at run time too. Empty: the type has others.
  std::string strideOf(const Place &place, clang::QualType element) const;
  /// The place with open rows that an expression leads into; null: it leads to none.
  Place *openRowsOf(const clang::Expr *expr);
  /// Numbers of a structure before a member.
  uint64_t numbersBefore(const clang::FieldDecl *field) const;
  /// Whether a member is one of an element of an array, rather than a place of its own.
  bool isOfElement(const clang::MemberExpr *member) const;
  /// Pointers that the op sets: what they lead to is part of another place.
  std::set<const clang::VarDecl *> pointers;

private:
  const clang::ASTContext &context;
  std::map<std::pair<const clang::VarDecl *, std::vector<const clang::FieldDecl *>>, Place *> known;
};

/// The size of a vector, whose text ends with ".data()".
inline std::string sizeOf(const Place &vector) {
  return vector.text.substr(0, vector.text.size() - 6) + "size()";
}

/// The vector or array of the C++ library that a call is about, if it is x[i], x.data() or
/// x.size(); `index` is null for the others.
struct VectorCall {
  const clang::Expr *vector = nullptr, *index = nullptr;
  llvm::StringRef method;
  explicit operator bool() const { return vector; }
};
VectorCall vectorCall(const clang::Expr *expr);

/// Where it is, for people: " (line 12)".
std::string lineOf(const clang::Stmt *stmt, const clang::ASTContext &context);

} // namespace acis::rewriter
