// The functional engine with its options.
#pragma once

#include "runtime/engine/device/Device.h"
#include "runtime/engine/device/Interrupt.h"

#include <memory>

namespace acis {

struct FastOptions {
  Interrupt interrupt = {};
};

std::unique_ptr<Device> makeFastDevice(const Overlay &overlay, FastOptions options);

} // namespace acis
