-- Wireshark dissector of the ACiS protocol, version 14 (docs/wire-protocol.md).
--
--   wireshark -X lua_script:acis.lua          or copy it to the plugins folder
--
-- Datagrams are recognised by their first byte and length, on any port.

local acis = Proto("acis", "ACiS in-switch computing")

local function names(list, first)
  local out = {}
  for i, name in ipairs(list) do
    out[i - 1 + first] = name
  end
  return out
end

local types = names({ "Hello", "Challenge", "Open", "Welcome", "Alive", "Bye", "ByeAck", "Failure",
  "Reset", "Join", "Joined", "Leave", "Left", "Contribute", "Result", "Wait", "Poll", "Credit",
  "Blob", "BlobAck", "Shared", "Report", "Order", "Move", "Moved", "Share", "Sum", "Transit", "Meet",
  "Message", "Heard", "Call" }, 1)
types[40], types[41], types[42] = "Access", "Outcome", "Denied"
local accesses = names({ "alloc", "free", "put", "get", "load", "launch", "list", "fold" }, 0)
local failures = names({ "", "malformed", "no such block", "out of bounds", "full", "no such function",
  "bad function", "trapped", "not folded" }, 0)
local kinds = names({ "allreduce", "reduce", "bcast", "gather", "allgather", "scatter",
  "reduce_scatter", "reduce_scatter_block", "barrier", "scan", "exscan", "alltoall" }, 0)
local ops = names({ "none", "sum", "prod", "min", "max", "minloc", "maxloc", "land", "lor", "lxor",
  "band", "bor", "bxor", "merge", "user" }, 0)
local elements = names({ "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
  "float32", "float64", "complex64", "complex128", "int16_int", "int32_int", "int64_int",
  "float32_int", "float64_int" }, 0)
local ways = names({ "automatic", "tree", "doubling", "halving", "ring", "torus" }, 0)
local shapes = names({ "fold-all", "fold-root", "fold-split", "source", "scatter", "gather-all",
  "gather-root", "scan", "exscan", "transpose" }, 0)

-- name, offset, size, field
local layout = {
  { 0, 1, ProtoField.uint8("acis.magic", "Magic", base.HEX) },
  { 1, 1, ProtoField.uint8("acis.version", "Version") },
  { 2, 1, ProtoField.uint8("acis.type", "Type", base.DEC, types) },
  { 3, 1, ProtoField.uint8("acis.flags", "Flags", base.HEX) },
  { 4, 4, ProtoField.uint32("acis.job", "Job") },
  { 8, 4, ProtoField.uint32("acis.session", "Session", base.HEX) },
  { 12, 2, ProtoField.uint16("acis.part", "Part") },
  { 14, 2, ProtoField.uint16("acis.parts", "Parts") },
  { 16, 8, ProtoField.uint64("acis.number", "Packet number") },
  { 24, 4, ProtoField.uint32("acis.context", "Context") },
  { 28, 4, ProtoField.uint32("acis.length", "Payload length") },
  { 32, 8, ProtoField.uint64("acis.slot", "Slot") },
  { 40, 8, ProtoField.uint64("acis.window", "Window") },
  { 48, 4, ProtoField.uint32("acis.sequence", "Sequence; from a parent: messages here") },
  { 52, 4, ProtoField.uint32("acis.fragment", "Fragment; with a task: its bytes") },
  { 56, 4, ProtoField.uint32("acis.count", "Elements") },
  { 60, 4, ProtoField.uint32("acis.root", "Root position") },
  { 64, 1, ProtoField.uint8("acis.kind", "Collective", base.DEC, kinds, 0x0f) },
  { 64, 1, ProtoField.uint8("acis.way", "Way", base.DEC, ways, 0xf0) },
  { 65, 1, ProtoField.uint8("acis.op", "Operation", base.DEC, ops) },
  { 66, 1, ProtoField.uint8("acis.element", "Element type", base.DEC, elements) },
  { 67, 1, ProtoField.uint8("acis.shape", "Shape", base.DEC, shapes) },
  { 68, 4, ProtoField.uint32("acis.handle", "Operator", base.HEX) },
  { 72, 8, ProtoField.uint64("acis.tag", "Tag", base.HEX) },
}
-- Of Order, at the begin of its payload.
local order_fields = {
  { 0, 8, ProtoField.uint64("acis.allowed", "Iterations below may begin") },
  { 8, 8, ProtoField.uint64("acis.floor", "Iterations below are done") },
  { 16, 8, ProtoField.uint64("acis.signalled", "No extra work below") },
  { 24, 8, ProtoField.uint64("acis.deadline", "Deadline (ns)") },
  { 32, 4, ProtoField.uint32("acis.staleness", "Staleness") },
  { 36, 4, ProtoField.uint32("acis.slowest", "Position of the slowest") },
  { 40, 8, ProtoField.uint64("acis.slowest_done", "Iterations that it has done") },
  { 48, 4, ProtoField.uint32("acis.rounds", "Times that all queues have ended") },
  { 52, 4, ProtoField.uint32("acis.busiest", "Position of one whose queue has not") },
}
local order_bytes = 58 -- with the length of the reason
-- Before a datagram between engines; behind the header of a message between two of them.
local transit_bytes = 24
local transit_fields = {
  { 4, 4, ProtoField.uint32("acis.transit_job", "Job") },
  { 8, 4, ProtoField.uint32("acis.fabric", "Network", base.HEX) },
  { 12, 2, ProtoField.uint16("acis.from_engine", "From engine") },
  { 14, 2, ProtoField.uint16("acis.to_engine", "To engine") },
  { 16, 8, ProtoField.uint64("acis.transit_tag", "Tag of transit", base.HEX) },
}
local stamp_fields = {
  { 0, 4, ProtoField.uint32("acis.to_use", "Use that it is for") },
  { 4, 4, ProtoField.uint32("acis.from_use", "Use that it is of") },
  { 8, 4, ProtoField.uint32("acis.message", "Message to this engine") },
  { 12, 4, ProtoField.uint32("acis.here", "Messages of this engine that are here") },
  { 16, 4, ProtoField.uint32("acis.ordinal", "Message of the slot to this engine") },
}
local members_of_sum = ProtoField.uint16("acis.sum_members", "Members, a bit for each that is in the sum")
local payload = ProtoField.bytes("acis.payload", "Payload")
local reason = ProtoField.string("acis.reason", "Reason")
local damaged = ProtoExpert.new("acis.damaged", "Lengths do not fit", expert.group.MALFORMED,
  expert.severity.ERROR)

local header_bytes, version = 80, 14
local fields = { payload, reason, members_of_sum }
for _, rows in ipairs({ layout, order_fields, transit_fields, stamp_fields }) do
  for _, row in ipairs(rows) do
    fields[#fields + 1] = row[3]
  end
end
acis.fields = fields
acis.experts = { damaged }

-- Fields of collectives say nothing in other packets.
local function is_collective(kind)
  return (kind >= 14 and kind <= 17) or types[kind] == "Shared" or types[kind] == "Message"
end

-- Of those that say a state, `slot` and `window` are versions.
local function is_state(kind)
  return types[kind] == "Report" or types[kind] == "Order"
end

local function is_of_memory(kind)
  return types[kind] == "Access" or types[kind] == "Outcome"
end

-- Of one member: `root` is its position, `slot` a count, `window` its use of the context.
local function is_of_member(kind)
  return kind >= 24 and kind <= 27
end

function acis.dissector(buffer, pinfo, tree)
  if buffer:len() >= transit_bytes and buffer(0, 1):uint() == 0xac and buffer(1, 1):uint() == version
      and types[buffer(2, 1):uint()] == "Transit" then
    local way = string.format("engine %d to engine %d", buffer(12, 2):le_uint(), buffer(14, 2):le_uint())
    local top = tree:add(acis, buffer(0, transit_bytes), "ACiS Transit, " .. way)
    for _, row in ipairs(transit_fields) do
      top:add_le(row[3], buffer(row[1], row[2]))
    end
    if buffer:len() > transit_bytes then
      acis.dissector(buffer(transit_bytes):tvb(), pinfo, tree)
    end
    pinfo.cols.info = way .. ": " .. tostring(pinfo.cols.info)
    return buffer:len()
  end
  if buffer:len() < header_bytes or buffer(0, 1):uint() ~= 0xac then
    return 0
  end
  if buffer(1, 1):uint() ~= version then
    pinfo.cols.protocol = "ACiS"
    pinfo.cols.info = string.format("of protocol version %d, not %d", buffer(1, 1):uint(), version)
    tree:add(acis, buffer(), "ACiS"):add(layout[2][3], buffer(1, 1))
    return buffer:len()
  end
  local kind = buffer(2, 1):uint()
  local name = types[kind] or "?"
  pinfo.cols.protocol = "ACiS"
  local info = string.format("%s job %d", name, buffer(4, 4):le_uint())
  if is_collective(kind) then
    info = info .. string.format(" context %d slot %s: %s %s %s x %d", buffer(24, 4):le_uint(),
      tostring(buffer(32, 8):le_uint64()), kinds[bit.band(buffer(64, 1):uint(), 15)] or "?",
      ops[buffer(65, 1):uint()] or "?", elements[buffer(66, 1):uint()] or "?",
      buffer(56, 4):le_uint())
    if bit.band(buffer(3, 1):uint(), 32) ~= 0 then
      info = info .. ", task"
    end
    if types[kind] == "Message" then
      info = info .. ", " .. (ways[bit.rshift(buffer(64, 1):uint(), 4)] or "?")
    end
  end
  if is_state(kind) then
    info = info .. string.format(" context %d version %s, heard %s", buffer(24, 4):le_uint(),
      tostring(buffer(32, 8):le_uint64()), tostring(buffer(40, 8):le_uint64()))
  end
  -- What is longer than the path takes travels in parts, whose bytes say nothing by themselves.
  local of_whole = is_collective(kind) or buffer(14, 2):le_uint() < 2
  if types[kind] == "Order" and of_whole and buffer:len() >= header_bytes + order_bytes then
    info = info .. string.format(": %s may begin, %s signalled",
      tostring(buffer(header_bytes, 8):le_uint64()),
      tostring(buffer(header_bytes + 16, 8):le_uint64()))
  end
  if is_of_member(kind) then
    info = info .. string.format(" context %d position %d number %s, %d bytes", buffer(24, 4):le_uint(),
      buffer(60, 4):le_uint(), tostring(buffer(32, 8):le_uint64()), buffer:len() - header_bytes)
  end
  if types[kind] == "Access" and of_whole and buffer:len() > header_bytes + 24 then
    info = info .. string.format(" %s: %s block %s", tostring(buffer(32, 8):le_uint64()),
      accesses[buffer(header_bytes, 1):uint()] or "?",
      tostring(buffer(header_bytes + 1, 8):le_uint64()))
    if accesses[buffer(header_bytes, 1):uint()] == "fold" and buffer:len() >= header_bytes + 39 then
      info = info .. string.format(", node %d of %d context %d: %s %s",
        buffer(header_bytes + 29, 4):le_uint(), buffer(header_bytes + 33, 4):le_uint(),
        buffer(header_bytes + 25, 4):le_uint(), ops[buffer(header_bytes + 37, 1):uint()] or "?",
        elements[buffer(header_bytes + 38, 1):uint()] or "?")
    end
  end
  if types[kind] == "Outcome" and of_whole and buffer:len() >= header_bytes + 20 then
    local failure = buffer(header_bytes + 1, 1):uint()
    info = info .. string.format(" %s: %s", tostring(buffer(32, 8):le_uint64()),
      buffer(header_bytes, 1):uint() == 1 and "not done yet" or
      failure > 0 and (failures[failure] or "?") or
      "value " .. tostring(buffer(header_bytes + 2, 8):le_uint64()))
  end
  if buffer(14, 2):le_uint() > 1 then
    info = info .. string.format(", part %d of %d", buffer(12, 2):le_uint() + 1, buffer(14, 2):le_uint())
  end
  if bit.band(buffer(3, 1):uint(), 4) ~= 0 then
    info = info .. " (again)"
  end
  pinfo.cols.info = info
  local top = tree:add(acis, buffer(), "ACiS " .. info)
  for _, row in ipairs(layout) do
    if row[1] < 32 or row[1] >= 72 or is_collective(kind)
        or (row[1] < 48 and (is_state(kind) or is_of_memory(kind)))
        or ((row[1] < 48 or row[1] == 60) and is_of_member(kind)) then
      top:add_le(row[3], buffer(row[1], row[2]))
    end
  end
  local rest = buffer:len() - header_bytes
  if buffer(28, 4):le_uint() ~= rest then
    top:add_proto_expert_info(damaged)
  elseif rest > 0 then
    top:add(payload, buffer(header_bytes))
    if not of_whole then
      return buffer:len()
    end
    if types[kind] == "Order" and rest >= order_bytes then
      for _, row in ipairs(order_fields) do
        top:add_le(row[3], buffer(header_bytes + row[1], row[2]))
      end
      local length = buffer(header_bytes + order_bytes - 2, 2):le_uint()
      if length > 0 and length <= rest - order_bytes then
        top:add(reason, buffer(header_bytes + order_bytes, length))
      end
    end
    if types[kind] == "Message" and rest >= 20 then
      for _, row in ipairs(stamp_fields) do
        top:add_le(row[3], buffer(header_bytes + row[1], row[2]))
      end
    end
    if types[kind] == "Sum" and rest >= 2 then
      top:add_le(members_of_sum, buffer(header_bytes, 2))
    end
    if types[kind] == "Outcome" and rest >= 20 then
      local length = buffer(header_bytes + 18, 2):le_uint()
      if length > 0 and length <= rest - 20 then
        top:add(reason, buffer(header_bytes + 20, length))
      end
    end
    if (types[kind] == "Failure" or types[kind] == "Joined") and rest > 2 then
      local length = buffer(header_bytes, 2):le_uint()
      if length > 0 and length <= rest - 2 then
        top:add(reason, buffer(header_bytes + 2, length))
      end
    end
  end
  return buffer:len()
end

acis:register_heuristic("udp", function(buffer, pinfo, tree)
  return acis.dissector(buffer, pinfo, tree) > 0
end)
