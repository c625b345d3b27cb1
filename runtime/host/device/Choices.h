// How a message from device memory goes, by its size and by whether the other rank is on the same
// host: what the publication found best, or a table of this machine (acis-device-tune), or what the
// user says.
#pragma once

#include "backend/support/Result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace acis::device {

enum class Way {
  Whole,  ///< one message of MPI, copied from the device before
  Chunks, ///< announced, then in chunks whose copies overlap with their way to the other rank
  Peer,   ///< announced; the other rank copies from this one's exported memory, within a host
};

/// Messages of `from` bytes or more go like this.
struct Step {
  size_t from = 0;
  Way way = Way::Whole;
  size_t chunk = 1 << 20; ///< bytes; of Chunks
  bool operator==(const Step &) const = default;
};

/// An announcement's length. A smaller message is never announced, so a receive that is smaller
/// than this has nothing to do with any of it.
constexpr size_t AnnouncementBytes = 16'384;

class Choices {
public:
  /// Ascending, the first from 0.
  std::vector<Step> host = defaults(), network = defaults();
  /// Rows of a datatype with gaps are copied one by one where each saves at least as many bytes of
  /// gaps.
  size_t rowBytes = 2048;

  Step of(size_t bytes, bool isSameHost) const;

  /// {"host": [{"from": 0, "way": "whole"}, {"from": 2097152, "way": "chunks", "chunk": 1048576}],
  ///  "network": [...], "row_bytes": 2048}
  std::string json() const;
  static Result<Choices> parse(std::string_view text);

private:
  static std::vector<Step> defaults();
};

/// What the ACIS_DEVICE_ variables say (docs/device.md).
struct Settings {
  Choices choices;
  bool exports = false;                ///< ACIS_DEVICE_P2P
  bool shares = true;                  ///< ACIS_DEVICE_SHARED
  size_t buffered = size_t(256) << 20; ///< ACIS_DEVICE_BUFFERED
  std::string why;                     ///< ACIS_DEVICE_WHY, a file

  /// `environment` is as getenv. Errors name the variable.
  static Result<Settings> read(const char *(*environment)(const char *));
};

/// Of this process, read once; an error is kept for settingsError.
const Settings &settings();
const Status &settingsError();

const char *nameOf(Way way);

} // namespace acis::device
