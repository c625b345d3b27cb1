// One collective as the messages (fragments) that a host contributes and gets: where in
// the user's buffers their bytes are. Pure; no network.
#pragma once

#include "runtime/host/client/Session.h"
#include "runtime/switch/collective/Tree.h"
#include "runtime/switch/wire/Header.h"

#include <optional>

namespace acis::client {

class Plan {
public:
  /// `me` is the caller's rank. Fails when the switches cannot do it, with the reason.
  /// What a member gives is cut to one datagram, or to 16 KB where datagrams are smaller;
  /// what comes back, or goes between switches, may have `messageBytes`.
  static Result<Plan> make(const Collective &call, const collective::Tree &tree, uint32_t me,
                           uint32_t messageBytes, uint32_t cutBytes);

  uint64_t fragments() const { return total; }
  /// Shape, counts, root: all but slot and sequence.
  wire::Header header(uint64_t fragment) const;
  uint32_t resultBytes(uint64_t fragment) const;
  /// The message of a fragment: in the user's buffer, or laid together in `scratch`.
  std::span<const uint8_t> message(uint64_t fragment, std::vector<uint8_t> &scratch) const;
  /// Whether a message lies in the caller's buffer, which stays until the call is complete.
  bool isGiven(std::span<const uint8_t> message) const {
    return copy.empty() && given && message.data() >= given &&
           message.data() + message.size() <= given + bytesGiven();
  }
  /// Puts an answer where the user wants it.
  void result(uint64_t fragment, std::span<const uint8_t> bytes) const;
  /// The same with some of it, from byte `from` on. False: it is wanted as a whole only.
  bool put(uint64_t fragment, size_t from, std::span<const uint8_t> bytes) const;
  /// Where put() copies these bytes to, if that is one place which holds nothing that is still
  /// needed before they are there; else nothing.
  std::span<uint8_t> placeOf(uint64_t fragment, size_t from, size_t bytes) const;

  /// What needs no network: a Scatter root's own block.
  void copyLocal() const;
  /// This rank only gives: its messages need no answer but that they arrived.
  bool isOneWay() const { return oneWay && total > 0; }
  uint64_t bytesGiven() const;
  /// What the switch takes in for a fragment of each member, where it folds that; else 0.
  uint64_t bytesFolded() const;

private:
  /// Elements [from, from + count) of each block, and the root, of a fragment.
  struct Piece {
    uint64_t from = 0, count = 0;
    uint32_t root = 0; ///< position
    bool mine = false; ///< ReduceScatter: the block is this rank's
  };
  Piece piece(uint64_t fragment) const;
  uint8_t *wholeAt(const Piece &piece) const;
  void local(uint64_t fragment, std::span<const uint8_t> bytes) const;

  const collective::Tree *tree = nullptr;
  Shape shape = Shape::FoldAll;
  Kind kind = Kind::Barrier;
  ReduceOp op = ReduceOp::None;
  ElementType type = ElementType::Uint8;
  uint32_t handle = 0;
  uint32_t me = 0, size = 1, root = 0;
  uint64_t count = 0; ///< elements of a block
  uint64_t most = 1;  ///< of them in a fragment
  uint64_t total = 0; ///< fragments
  const uint8_t *given = nullptr;
  uint8_t *wanted = nullptr;
  bool oneWay = false;
  /// Gather shapes whose operation the host does itself, in rank order.
  bool foldsHere = false;
  /// ReduceScatter with different counts: first fragment and element of each rank's block.
  std::vector<uint64_t> firstFragment, firstElement;
  std::vector<uint8_t> copy; ///< of `given` where results may overwrite it
};

} // namespace acis::client
