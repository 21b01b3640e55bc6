-- SPDX-License-Identifier: GPL-2.0-only
--
-- Wireshark's dissector of the suite's own headers, for captures made with --pcap=PORT:
--   tshark -X lua_script:src/telemetry/data/suite.lua -r leaf0-0.pcap
-- Packet-pair behind UDP, reports of receivers (IP protocol 143), uFAB's probes with their source
-- route and the INT records of their hops (IP protocol 254). The layouts are those of
-- packet-pair-header.h, report-header.h and probe-header.h.

-- ---- Packet-pair (AFQ, NSDI 2018, Section 5) ----

local pair = Proto("packetpair", "Packet-pair flow control")
local OF_DATA = 12 -- bytes of the header without a block
local WITH_BLOCK = 20

local p = {
  answer = ProtoField.bool("packetpair.answer", "Acknowledgment", 32, nil, 0x80000000),
  sequence = ProtoField.uint32("packetpair.sequence", "First byte of payload"),
  sent = ProtoField.uint32("packetpair.sent", "Time of sending (ns)"),
  first = ProtoField.bool("packetpair.first", "First of a pair", 32, nil, 0x40000000),
  again = ProtoField.bool("packetpair.again", "Sent before", 32, nil, 0x20000000),
  last = ProtoField.bool("packetpair.last", "Last of the flow", 32, nil, 0x10000000),
  number = ProtoField.uint32("packetpair.pair", "Pair", base.DEC, nil, 0x0fffffff),
  next = ProtoField.uint32("packetpair.next", "Next byte expected"),
  echo = ProtoField.uint32("packetpair.echo", "Time of sending, echoed (ns)"),
  marked = ProtoField.bool("packetpair.marked", "Congestion experienced", 32, nil, 0x40000000),
  gap = ProtoField.uint32("packetpair.gap", "Gap of the pair (ns)", base.DEC, nil, 0x3fffffff),
  begin = ProtoField.uint32("packetpair.block.begin", "First byte of the block above a gap"),
  ending = ProtoField.uint32("packetpair.block.end", "First byte behind it"),
}
pair.fields = p
pair.prefs.port = Pref.uint("UDP port", 5001, "port of receivers")

function pair.dissector(buffer, info, tree)
  if buffer:len() < OF_DATA then
    return 0
  end
  info.cols.protocol = "packet-pair"
  local part = tree:add(pair, buffer())
  local measure = buffer(8, 4)
  part:add(p.answer, measure)
  if measure:bitfield(0, 1) == 0 then
    part:add(p.sequence, buffer(0, 4))
    part:add(p.sent, buffer(4, 4))
    part:add(p.first, measure)
    part:add(p.again, measure)
    part:add(p.last, measure)
    part:add(p.number, measure)
    return OF_DATA
  end
  part:add(p.next, buffer(0, 4))
  part:add(p.echo, buffer(4, 4))
  part:add(p.marked, measure)
  part:add(p.gap, measure)
  if buffer:len() < WITH_BLOCK then
    return OF_DATA
  end
  part:add(p.begin, buffer(12, 4))
  part:add(p.ending, buffer(16, 4))
  return WITH_BLOCK
end

function pair.init()
  DissectorTable.get("udp.port"):add(pair.prefs.port, pair)
end

-- ---- Reports of receivers (Trinity, IEEE TCC 2018, Section 4.1) ----

local report = Proto("pairreport", "Report on a VM pair")
local REPORT = 26 -- bytes
local NO_RED = 0xffff

local r = {
  version = ProtoField.uint8("pairreport.version", "Version"),
  flags = ProtoField.uint8("pairreport.flags", "Flags", base.HEX),
  congestion = ProtoField.uint16("pairreport.congestion", "Marked bytes (1/10000)"),
  nothing = ProtoField.bool("pairreport.no_red", "Nothing that could be marked came"),
  sequence = ProtoField.uint32("pairreport.sequence", "Number of the interval"),
  rate = ProtoField.uint32("pairreport.rate", "Rate received (kbit/s)"),
  red = ProtoField.uint32("pairreport.red_rate", "Rate beyond the guarantee (kbit/s)"),
  share = ProtoField.uint32("pairreport.share", "Share of the receiving side (kbit/s)"),
  packets = ProtoField.uint32("pairreport.red_packets", "Packets beyond the guarantee"),
}
report.fields = r

function report.dissector(buffer, info, tree)
  if buffer:len() < REPORT then
    return 0
  end
  info.cols.protocol = "report"
  local part = tree:add(report, buffer(0, REPORT))
  part:add(r.version, buffer(0, 1))
  part:add(r.flags, buffer(1, 1))
  part:add(r.congestion, buffer(2, 2))
  part:add(r.nothing, buffer(2, 2), buffer(2, 2):uint() == NO_RED):set_generated()
  part:add(r.sequence, buffer(4, 4))
  part:add(r.rate, buffer(8, 4))
  part:add(r.red, buffer(12, 4))
  part:add(r.share, buffer(16, 4))
  part:add(r.packets, buffer(20, 4))
  return REPORT
end

-- ---- uFAB's probes (SIGCOMM 2022, Appendix G, Fig. 22) ----

local probe = Proto("ufab", "uFAB probe")
local RECORD = 8 -- bytes of a hop
local TYPES = { "probe", "response", "query", "failure", [8] = "finish" }
local SPEEDS = { 1, 10, 25, 40, 50, 100, 200, 400 }

local u = {
  switches = ProtoField.uint8("ufab.route.switches", "Switches of the path"),
  port = ProtoField.uint8("ufab.route.port", "Port"),
  type = ProtoField.uint8("ufab.type", "Type", base.DEC, TYPES, 0xf0),
  hops = ProtoField.uint8("ufab.hops", "Records written (nHop)", base.DEC, nil, 0x0f),
  tokens = ProtoField.uint24("ufab.tokens", "Tokens of the pair (phi)"),
  token_bits = ProtoField.uint8("ufab.token_bits", "Bits of the tokens"),
  hop = ProtoField.none("ufab.hop", "Hop"),
  window = ProtoField.uint16("ufab.hop.window", "Window W (units of 64 bytes)"),
  sum = ProtoField.uint16("ufab.hop.tokens", "Tokens of the link (phi)"),
  rate = ProtoField.uint16("ufab.hop.rate", "Rate tx (units of 10 Mbit/s)"),
  queue = ProtoField.uint16("ufab.hop.queue", "Queue q (units)", base.DEC, nil, 0xfff0),
  speed = ProtoField.uint16("ufab.hop.speed", "Capacity C (code)", base.DEC, nil, 0x000f),
  gbps = ProtoField.uint32("ufab.hop.gbps", "Capacity (Gbit/s)"),
}
probe.fields = u

function probe.dissector(buffer, info, tree)
  local switches = buffer(0, 1):uint()
  local start = 1 + switches
  local records = switches * RECORD
  if buffer:len() < start + 3 + records then
    return 0
  end
  -- The paper's drawing has 16 bits of tokens, its legend 24: the length tells.
  local wide = buffer:len() >= start + 4 + records and 3 or 2
  info.cols.protocol = "uFAB"
  local part = tree:add(probe, buffer())
  part:add(u.switches, buffer(0, 1))
  for i = 1, switches do
    part:add(u.port, buffer(i, 1))
  end
  part:add(u.type, buffer(start, 1))
  part:add(u.hops, buffer(start, 1))
  part:add(u.tokens, buffer(start + 1, wide))
  part:add(u.token_bits, buffer(start + 1, wide), 8 * wide):set_generated()
  for i = 0, switches - 1 do
    local at = buffer(start + 1 + wide + i * RECORD, RECORD)
    local hop = part:add(u.hop, at)
    hop:set_text("Hop " .. (i + 1))
    hop:add(u.window, at(0, 2))
    hop:add(u.sum, at(2, 2))
    hop:add(u.rate, at(4, 2))
    hop:add(u.queue, at(6, 2))
    hop:add(u.speed, at(6, 2))
    hop:add(u.gbps, at(6, 2), SPEEDS[at(7, 1):bitfield(4, 4)] or 0):set_generated()
  end
  info.cols.info = (TYPES[buffer(start, 1):bitfield(0, 4)] or "?") .. " of " .. switches .. " hops"
  return start + 1 + wide + records
end

local protocols = DissectorTable.get("ip.proto")
protocols:add(143, report)
protocols:add(254, probe)
