// Requests of any bytes to the control of a switch with the overlay `tiny`: each gets a reply that
// is JSON, whatever it asks for. Ports are opened on the loopback only, and names not looked up.
#include "runtime/switch/acisd/Commands.h"
#include "runtime/switch/core/Collectives.h"

#include <algorithm>
#include <cstdlib>

using namespace acis;
using namespace acis::acisd;
using nlohmann::json;

namespace {

struct Controlled {
  Overlay overlay = *Overlay::load("tiny.json");
  Ports ports;
  sw::Switch device{sw::SwitchConfig{}, ports};
  HandlerService handlers{overlay, HandlerService::Config{}};
  Commands commands{device, &handlers};

  Controlled() {
    ports.add(0, std::move(*wire::UdpSocket::bind(*wire::parseAddress("127.0.0.1:0"), 1 << 16)));
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Controlled device;
  ControlRequest request = ControlRequest::parse({data, size});
  json reply = request.reply;
  if (request.state == ControlRequest::State::Complete) {
    if (const auto listen = request.command.find("listen");
        listen != request.command.end() && listen->is_string())
      *listen = listen->get<std::string>().size() % 4 ? "127.0.0.1:0" : "127.0.0.1";
    reply = device.commands.execute(request.command, std::move(request.content));
  }
  if (request.state != ControlRequest::State::Incomplete && !reply.is_object())
    std::abort();
  const std::string text = reply.dump(-1, ' ', false, json::error_handler_t::replace);
  if (json::parse(text, nullptr, false).is_discarded())
    std::abort();
  // What was loaded goes again, or the process would run out of ports.
  if (const auto at = reply.find("listen"); reply.is_object() && at != reply.end())
    device.commands.execute({{"command", "unload"}, {"listen", *at}}, {});
  return 0;
}
