#include "runtime/switch/core/Topology.h"

#include "runtime/switch/collective/Tree.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace acis::sw {

namespace {

using Json = nlohmann::json;

Error wrong(const std::string &path, const Json &found, const std::string &expected) {
  return {path, "found " + found.dump() + "; expected " + expected};
}

/// Only the keys that exist, so that a misspelt one is not ignored.
Status checkKeys(const Json &object, const std::string &path,
                 std::initializer_list<std::string_view> keys) {
  if (!object.is_object())
    return wrong(path, object, "an object");
  for (const auto &[key, value] : object.items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      std::string allowed;
      for (std::string_view name : keys)
        allowed += (allowed.empty() ? "" : ", ") + std::string(name);
      return Error{path, "found key '" + key + "'; allowed are " + allowed};
    }
  return Status::ok();
}

Result<std::string> text(const Json &object, const std::string &path, const char *key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_string() || at->get_ref<const std::string &>().empty())
    return Error{path + "/" + key, "expected a text that is not empty"};
  return at->get<std::string>();
}

/// What the file says of a switch beside what it is.
struct Around {
  std::vector<std::string> parents;
  std::optional<std::vector<uint32_t>> place; ///< in a direct network
};

Result<std::vector<uint32_t>> readNumbers(const Json &item, const std::string &path,
                                          const std::string &expected) {
  std::vector<uint32_t> out;
  for (const Json &number : item.is_array() ? item : Json::array({nullptr})) {
    if (!number.is_number_unsigned() || number > direct::Fabric::MostEngines)
      return wrong(path, item, expected);
    out.push_back(number.get<uint32_t>());
  }
  return out;
}

Status readSwitch(const Json &item, const std::string &path, Topology &topology,
                  std::vector<Around> &around) {
  if (Status status = topology.fabric
                          ? checkKeys(item, path, {"name", "address", "place", "ports"})
                          : checkKeys(item, path, {"name", "address", "parents", "ports"});
      !status)
    return status;
  Result<std::string> name = text(item, path, "name"), address = text(item, path, "address");
  if (!name || !address)
    return name ? address.error() : name.error();
  if (topology.switchNamed(*name))
    return Error{path + "/name", "there is a switch '" + *name + "' already"};
  for (const Topology::Switch &other : topology.switches)
    if (topology.fabric && other.address == *address)
      return Error{path + "/address",
                   *address + " is that of '" + other.name + "'; each engine has its own"};
  Topology::Switch out{*name, *address, {}, 0};
  Around own;
  std::vector<std::string> &above = own.parents;
  if (item.contains("place")) {
    Result<std::vector<uint32_t>> place = readNumbers(
        item["place"], path + "/place", "a list of coordinates from 0, one for each direction");
    if (!place)
      return place.error();
    own.place = std::move(*place);
  }
  if (item.contains("parents")) {
    if (!item["parents"].is_array())
      return wrong(path + "/parents", item["parents"], "a list of names of switches");
    for (const Json &parent : item["parents"]) {
      if (!parent.is_string())
        return wrong(path + "/parents", parent, "the name of a switch");
      above.push_back(parent.get<std::string>());
    }
  }
  if (item.contains("ports")) {
    if (!item["ports"].is_number_unsigned() || item["ports"] < 1 || item["ports"] > 65535)
      return wrong(path + "/ports", item["ports"], "a number from 1 to 65535");
    out.ports = item["ports"].get<uint32_t>();
  }
  topology.switches.push_back(std::move(out));
  around.push_back(std::move(own));
  return Status::ok();
}

/// Height above the leaves of each switch; fails on cycles and unequal ones.
Status checkHeights(const Topology &topology) {
  const size_t n = topology.switches.size();
  std::vector<int> depth(n, -1); // switches above
  for (size_t round = 0; round <= n; ++round)
    for (size_t s = 0; s < n; ++s) {
      int deepest = -1;
      for (uint16_t parent : topology.switches[s].parents) {
        if (deepest >= 0 && depth[parent] >= 0 && depth[parent] != deepest)
          return Error{"switches/" + std::to_string(s) + "/parents",
                       "the switches above '" + topology.switches[s].name +
                           "' are at different heights"};
        deepest = std::max(deepest, depth[parent]);
      }
      const int now = topology.switches[s].parents.empty() ? 0 : deepest < 0 ? -1 : deepest + 1;
      if (now > int(n))
        break;
      depth[s] = now;
    }
  for (size_t s = 0; s < n; ++s)
    if (depth[s] < 0 || depth[s] > 3)
      return Error{"switches/" + std::to_string(s) + "/parents",
                   "'" + topology.switches[s].name +
                       "' is above itself, or has more than 3 switches above it"};
  return Status::ok();
}

Status readFabric(const Json &item, Topology &topology) {
  const std::string path = "network";
  if (Status status = checkKeys(item, path, {"form", "sizes"}); !status)
    return status;
  Result<std::string> name = text(item, path, "form");
  if (!name)
    return name.error();
  unsigned form = 0;
  while (form < direct::NumForms && direct::nameOf(direct::Form(form)) != *name)
    ++form;
  if (form == direct::NumForms)
    return wrong(path + "/form", item["form"], "ring, torus, hypercube or tree");
  if (!item.contains("sizes"))
    return Error{path + "/sizes", "expected a list of numbers, such as [4] or [4, 2]"};
  Result<std::vector<uint32_t>> sizes =
      readNumbers(item["sizes"], path + "/sizes", "a list of numbers, such as [4] or [4, 2]");
  if (!sizes)
    return sizes.error();
  Result<direct::Fabric> fabric = direct::Fabric::make(direct::Form(form), std::move(*sizes));
  if (!fabric)
    return Error{path + "/sizes", fabric.error().what};
  topology.fabric = std::move(*fabric);
  return Status::ok();
}

std::string placeText(const std::vector<uint32_t> &place) { return Json(place).dump(); }

/// Puts the engines in the order of their places: those that the file gives, or its own order.
Status placeEngines(Topology &topology, const std::vector<Around> &around) {
  const direct::Fabric &fabric = *topology.fabric;
  const size_t engines = topology.switches.size();
  if (engines != fabric.engines())
    return Error{"switches", std::to_string(engines) + " engines; a " + fabric.str() + " has " +
                                 std::to_string(fabric.engines())};
  std::vector<std::optional<Topology::Switch>> at(engines);
  for (size_t i = 0; i < engines; ++i) {
    const std::string path = "switches/" + std::to_string(i) + "/place";
    if (around[i].place.has_value() != around[0].place.has_value())
      return Error{path, "all engines have a place in the file, or none, and they are in order"};
    size_t number = i;
    if (around[i].place) {
      const std::vector<uint32_t> &place = *around[i].place;
      number = 0;
      while (number < engines && fabric.placeOf(uint32_t(number)) != place)
        ++number;
      if (number == engines)
        return Error{path, placeText(place) + " is no place of a " + fabric.str() +
                               ", whose last one is " +
                               placeText(fabric.placeOf(uint32_t(engines - 1)))};
    }
    if (at[number])
      return Error{path, placeText(*around[i].place) + " is the place of '" + at[number]->name +
                             "'; each engine has its own"};
    at[number] = topology.switches[i];
  }
  for (size_t i = 0; i < engines; ++i)
    topology.switches[i] = std::move(*at[i]);
  return Status::ok();
}

} // namespace

Result<Topology> Topology::read(std::string_view source) {
  const Json json = Json::parse(source, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded())
    return Error{"", "is not JSON"};
  if (Status status = checkKeys(json, "", {"switches", "hosts", "network"}); !status)
    return status.error();
  Topology topology;
  std::vector<Around> around;
  if (json.contains("network"))
    if (Status status = readFabric(json["network"], topology); !status)
      return status.error();
  if (!json.contains("switches") || !json["switches"].is_array() || json["switches"].empty())
    return Error{"switches", "expected a list with at least one switch"};
  for (size_t i = 0; i < json["switches"].size(); ++i)
    if (Status status =
            readSwitch(json["switches"][i], "switches/" + std::to_string(i), topology, around);
        !status)
      return status.error();
  std::vector<bool> isAbove(topology.switches.size());
  for (size_t i = 0; i < around.size(); ++i)
    for (const std::string &name : around[i].parents) {
      Result<uint16_t> parent = topology.switchNamed(name);
      if (!parent)
        return Error{"switches/" + std::to_string(i) + "/parents", parent.error().what};
      topology.switches[i].parents.push_back(*parent);
      isAbove[*parent] = true;
    }
  if (Status status = topology.fabric ? placeEngines(topology, around) : checkHeights(topology);
      !status)
    return status.error();
  if (!json.contains("hosts"))
    return topology;
  if (!json["hosts"].is_array())
    return wrong("hosts", json["hosts"], "a list");
  for (size_t i = 0; i < json["hosts"].size(); ++i) {
    const std::string path = "hosts/" + std::to_string(i);
    const Json &item = json["hosts"][i];
    if (Status status = checkKeys(item, path, {"name", "switch"}); !status)
      return status.error();
    Result<std::string> name = text(item, path, "name"), on = text(item, path, "switch");
    if (!name || !on)
      return name ? on.error() : name.error();
    Result<uint16_t> leaf = topology.switchNamed(*on);
    if (!leaf)
      return Error{path + "/switch", leaf.error().what};
    if (isAbove[*leaf])
      return Error{path + "/switch", "'" + *on + "' is above other switches; hosts are on leaves"};
    if (topology.leafOf(*name))
      return Error{path + "/name", "there is a host '" + *name + "' already"};
    topology.hosts.push_back({*name, *leaf});
  }
  return topology;
}

Result<uint16_t> Topology::switchNamed(std::string_view name) const {
  for (size_t i = 0; i < switches.size(); ++i)
    if (switches[i].name == name)
      return uint16_t(i);
  return Error{"", "there is no switch '" + std::string(name) + "'"};
}

Result<uint16_t> Topology::leafOf(std::string_view host) const {
  for (const Host &item : hosts)
    if (item.name == host)
      return item.leaf;
  return Error{"", "there is no host '" + std::string(host) + "'"};
}

Result<direct::Network> Topology::networkOf(uint16_t number) const {
  direct::Network network;
  network.fabric = *fabric;
  network.number = number;
  for (const Switch &item : switches) {
    Result<wire::Address> address = wire::parseAddress(item.address);
    if (!address)
      return Error{"'" + item.name + "'", address.error().str()};
    network.engines.push_back({item.name, *address, item.address});
  }
  return network;
}

uint32_t Topology::turns() const {
  size_t most = 1;
  for (const Switch &item : switches)
    most = std::max(most, item.parents.size());
  return uint32_t(most);
}

std::vector<uint16_t> Topology::parentsFor(uint32_t job, uint32_t turn) const {
  if (fabric)
    return std::vector<uint16_t>(switches.size(), collective::DirectNetwork);
  std::vector<uint16_t> out;
  for (const Switch &item : switches)
    out.push_back(
        item.parents.empty() ? 0xffff : item.parents[(uint64_t(job) + turn) % item.parents.size()]);
  return out;
}

} // namespace acis::sw
