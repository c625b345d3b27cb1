#include "backend/object/Image.h"

namespace acis::object {

namespace {

std::string plural(size_t count, const std::string &noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Status checkHandler(const Image &image, const Handler &handler, const Overlay &overlay) {
  size_t end = size_t(handler.firstContext) + handler.numContexts;
  if (end > image.contexts.size())
    return Error{handler.name, "has contexts up to " + std::to_string(end) + " of " +
                                   std::to_string(image.contexts.size())};
  if (handler.numContexts > overlay.maxContexts)
    return Error{handler.name, "has " + plural(handler.numContexts, "mapped loop") +
                                   "; the overlay holds " + std::to_string(overlay.maxContexts) +
                                   "; split the handler or merge loops"};
  size_t slots = 0;
  for (size_t c = handler.firstContext; c < end; ++c)
    slots += image.contexts[c].loop.ii;
  if (slots > overlay.contextSlots)
    return Error{handler.name, "needs " + plural(slots, "context slot") + " for " +
                                   plural(handler.numContexts, "mapped loop") +
                                   "; a PE of the overlay has " +
                                   std::to_string(overlay.contextSlots) +
                                   "; split the handler or make its loops smaller"};
  return Status::ok();
}

} // namespace

Status check(const Image &image, const Overlay &overlay) {
  if (image.handlers.empty())
    return Error{"", "a binary needs at least one handler"};
  for (const Handler &handler : image.handlers)
    if (Status status = checkHandler(image, handler, overlay); !status)
      return status;
  for (const Context &context : image.contexts)
    if (context.loop.pes.size() != overlay.numPes())
      return Error{context.name, "is a context for " + plural(context.loop.pes.size(), "PE") +
                                     "; the overlay has " + std::to_string(overlay.numPes())};
  for (const Line &line : image.lines)
    if (!line.inCode() && line.context >= image.contexts.size())
      return Error{line.file, "line of context " + std::to_string(line.context) + " of " +
                                  std::to_string(image.contexts.size())};
  return Status::ok();
}

} // namespace acis::object
