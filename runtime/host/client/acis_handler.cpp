#include "runtime/host/client/acis_handler.h"

#include "runtime/host/client/ControlClient.h"
#include "runtime/host/client/HandlerStream.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

using namespace acis;
using nlohmann::json;

struct acis_switch {
  ControlPoint control;
};

struct acis_handler {
  ControlPoint control; ///< none without a switch
  std::string address;
  HandlerStream stream;
};

namespace {

int fail(acis_failure *failure, acis_result code, const std::string &what,
         uint64_t packet = ACIS_NO_PACKET) {
  if (failure) {
    failure->code = code;
    failure->packet = packet;
    const size_t size = std::min(what.size(), sizeof failure->text - 1);
    std::memcpy(failure->text, what.data(), size);
    failure->text[size] = '\0';
  }
  return code;
}

int succeed(acis_failure *failure) { return fail(failure, ACIS_OK, ""); }

std::string textOf(const char *text) { return text ? text : ""; }

/// The switch's word on one port, or nothing if it has none there.
Result<std::optional<json>> statusOf(const acis_handler &handler) {
  Result<json> status = handler.control.ask({{"command", "status"}});
  if (!status)
    return status.error();
  if (const auto list = status->find("handlers"); list != status->end() && list->is_array())
    for (const json &port : *list)
      if (const auto at = port.find("listen"); at != port.end() && *at == handler.address)
        return std::optional<json>(port);
  return std::optional<json>();
}

/// Why a packet may have been lost, as far as the switch knows; "" or "; ...".
std::string hintOf(const acis_handler &handler) {
  if (handler.control.none())
    return "";
  Result<std::optional<json>> status = statusOf(handler);
  if (!status)
    return "; " + status.error().str();
  if (!*status)
    return "; no handler is loaded there any more";
  const auto trap = (*status)->find("lastTrap");
  if (trap == (*status)->end() || !trap->is_string() || trap->get<std::string>().empty())
    return "";
  return "; last trap of the handler: " + trap->get<std::string>();
}

int openSwitch(ControlPoint control, acis_switch **out, acis_failure *failure) {
  Result<json> status = control.ask({{"command", "status"}});
  if (!status)
    return fail(failure, ACIS_UNREACHABLE, status.error().str());
  *out = new acis_switch{std::move(control)};
  return succeed(failure);
}

int makeHandler(const ControlPoint &control, const std::string &address, acis_handler **out,
                acis_failure *failure) {
  Result<wire::Address> parsed = wire::parseAddress(address);
  if (!parsed)
    return fail(failure, ACIS_BAD_CALL, parsed.error().str());
  if (parsed->port == 0)
    return fail(failure, ACIS_BAD_CALL, address + ": port 0; name the handler's port");
  *out = new acis_handler{control, parsed->str(), HandlerStream(*parsed)};
  return succeed(failure);
}

Result<std::vector<uint8_t>> contentOf(const acis_load &what) {
  std::vector<uint8_t> content;
  if (what.path) {
    std::ifstream in(what.path, std::ios::binary);
    content.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    if (!in || content.empty())
      return Error{what.path, "cannot be read"};
  } else if (what.bytes) {
    const auto *bytes = static_cast<const uint8_t *>(what.bytes);
    content.assign(bytes, bytes + what.bytes_size);
  }
  if (content.empty())
    return Error{"", "no binary; give its path or its bytes"};
  if (what.memory) {
    const auto *memory = static_cast<const uint8_t *>(what.memory);
    content.insert(content.end(), memory, memory + what.memory_size);
  }
  return content;
}

const char *checkStream(const acis_stream &what) {
  if ((!what.in && what.in_bytes > 0) || (!what.out && what.capacity > 0))
    return "a buffer is NULL and its size is not 0";
  if (what.packet_bytes < 1 || what.packet_bytes > ACIS_MAX_PACKET)
    return "packets have 1 to 65507 bytes";
  if (what.window < 1 || what.window > ACIS_MAX_WINDOW)
    return "a window has 1 to 256 packets";
  if (!(what.deadline > 0 && what.deadline <= 1e6)) // also when it is not a number
    return "a deadline is more than 0 and at most 1000000 seconds";
  return nullptr;
}

acis_result codeOf(HandlerStream::Cause cause) {
  switch (cause) {
  case HandlerStream::Cause::None:
    return ACIS_OK;
  case HandlerStream::Cause::Unreachable:
    return ACIS_UNREACHABLE;
  case HandlerStream::Cause::Lost:
    return ACIS_LOST;
  case HandlerStream::Cause::NoRoom:
    return ACIS_NO_ROOM;
  }
  return ACIS_BAD_CALL;
}

} // namespace

int acis_switch_open(const char *control, acis_switch **out, acis_failure *failure) {
  return openSwitch(ControlPoint(textOf(control)), out, failure);
}

int acis_switch_open_remote(const acis_remote *remote, acis_switch **out, acis_failure *failure) {
  for (const char *text : {remote->address, remote->certificate, remote->key, remote->authority})
    if (textOf(text).empty())
      return fail(failure, ACIS_BAD_CALL,
                  "a switch elsewhere needs address, certificate, key and authority");
  return openSwitch(
      ControlPoint(remote->address, {remote->certificate, remote->key, remote->authority}), out,
      failure);
}

void acis_switch_close(acis_switch *device) { delete device; }

int acis_handler_load(acis_switch *device, const acis_load *what, acis_handler **out,
                      acis_failure *failure) {
  Result<std::vector<uint8_t>> content = contentOf(*what);
  if (!content)
    return fail(failure, ACIS_BAD_CALL, content.error().str());
  Result<std::string> listen = textOf(what->listen);
  if (listen->empty())
    listen = device->control.anyPort();
  if (!listen)
    return fail(failure, ACIS_UNREACHABLE, listen.error().str());
  json command = {{"command", "load"},
                  {"listen", *listen},
                  {"handler", textOf(what->handler)},
                  {"engine", textOf(what->engine)},
                  {"state", textOf(what->state)}};
  if (what->memory)
    command["memory"] = what->memory_size;
  else if (what->memory_size > 0)
    command["memoryBytes"] = what->memory_size;
  Result<json> reply = device->control.ask(std::move(command), *content);
  if (!reply)
    return fail(failure, ACIS_REFUSED, reply.error().str());
  const auto opened = reply->find("listen");
  if (opened == reply->end() || !opened->is_string())
    return fail(failure, ACIS_REFUSED, device->control.name() + ": an answer without an address");
  return makeHandler(device->control, opened->get<std::string>(), out, failure);
}

int acis_handler_attach(acis_switch *device, const char *address, acis_handler **out,
                        acis_failure *failure) {
  return makeHandler(device ? device->control : ControlPoint(), textOf(address), out, failure);
}

const char *acis_handler_address(const acis_handler *handler) { return handler->address.c_str(); }

int acis_handler_stream(acis_handler *handler, const acis_stream *what, size_t *written,
                        acis_failure *failure) {
  *written = 0;
  if (const char *problem = checkStream(*what))
    return fail(failure, ACIS_BAD_CALL, problem);
  HandlerStream::Work work;
  work.in = {static_cast<const uint8_t *>(what->in), what->in_bytes};
  work.packetBytes = what->packet_bytes;
  work.out = {static_cast<uint8_t *>(what->out), what->capacity};
  work.lengths = what->lengths;
  work.window = what->window;
  work.deadline = std::max<wire::Time>(1, wire::Time(what->deadline * 1e9));
  HandlerStream::Outcome outcome = handler->stream.run(work);
  *written = outcome.written;
  if (outcome.cause == HandlerStream::Cause::None)
    return succeed(failure);
  if (outcome.cause == HandlerStream::Cause::Lost)
    outcome.what += hintOf(*handler);
  return fail(failure, codeOf(outcome.cause), outcome.what, outcome.packet);
}

int acis_handler_read_counters(acis_handler *handler, acis_handler_counters *out,
                               acis_failure *failure) {
  if (handler->control.none())
    return fail(failure, ACIS_BAD_CALL, "attached without a switch; open one to read counters");
  Result<std::optional<json>> status = statusOf(*handler);
  if (!status)
    return fail(failure, ACIS_UNREACHABLE, status.error().str());
  if (!*status)
    return fail(failure, ACIS_REFUSED, "no handler is loaded at " + handler->address);
  auto count = [&](const char *name) -> uint64_t {
    const auto found = (*status)->find(name);
    return found != (*status)->end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
  };
  *out = {count("received"),       count("bytesReceived"), count("processed"),
          count("sent"),           count("bytesSent"),     count("droppedTrap"),
          count("droppedTooLong"), count("replaced"),      count("cycles")};
  return succeed(failure);
}

int acis_handler_unload(acis_handler *handler, acis_failure *failure) {
  if (handler->control.none())
    return fail(failure, ACIS_BAD_CALL, "attached without a switch; open one to unload");
  Result<json> reply = handler->control.ask({{"command", "unload"}, {"listen", handler->address}});
  if (!reply)
    return fail(failure, ACIS_REFUSED, reply.error().str());
  return succeed(failure);
}

void acis_handler_close(acis_handler *handler) { delete handler; }
