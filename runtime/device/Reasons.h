// Why a handler trapped, in the same words on every engine, with the way out.
#pragma once

#include <cstdint>
#include <string>

namespace acis {

inline std::string positionPassed(uint64_t position, uint64_t next) {
  return "stream position " + std::to_string(position) + " was passed, the next byte is " +
         std::to_string(next) + "; a stream is read forward: keep what is needed again";
}

inline std::string outputGap(uint64_t position, uint64_t sent) {
  return "output position " + std::to_string(position) + ", " + std::to_string(sent) +
         " bytes were sent; the output is written in order, from 0 and without gaps";
}

inline std::string lengthDiffers(uint64_t length, uint64_t sent) {
  return "the packet length was set to " + std::to_string(length) + " bytes and " +
         std::to_string(sent) + " were sent; set it to what is sent, or not at all";
}

/// `wanted`: how many bytes of the stream the handler needs.
inline std::string streamEnds(uint64_t received, uint64_t wanted) {
  return "deadline: the stream ends after " + std::to_string(received) +
         " bytes and no packet will come; byte " + std::to_string(wanted) +
         " is waited for: send more, or read no more than the packet's length";
}

} // namespace acis
