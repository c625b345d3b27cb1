#!/usr/bin/env python3
"""Compares what generate.py wrote with the elaborated top level: kernel.xml against the ports
that Verilator found, connectivity.cfg against kernel.xml.

    verilator --xml-only ... --top-module acis_kernel --xml-output top.xml
    check.py --top top.xml --generated folder
"""
import argparse
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

# Signals that each kind of interface must have: name, direction.
MASTER = {"awvalid": "output", "awready": "input", "awaddr": "output", "awlen": "output",
          "wvalid": "output", "wready": "input", "wdata": "output", "wstrb": "output",
          "wlast": "output", "bvalid": "input", "bready": "output", "arvalid": "output",
          "arready": "input", "araddr": "output", "arlen": "output", "rvalid": "input",
          "rready": "output", "rdata": "input", "rlast": "input"}
SLAVE = {"awvalid": "input", "awready": "output", "awaddr": "input", "wvalid": "input",
         "wready": "output", "wdata": "input", "wstrb": "input", "bvalid": "output",
         "bready": "input", "bresp": "output", "arvalid": "input", "arready": "output",
         "araddr": "input", "rvalid": "output", "rready": "input", "rdata": "output",
         "rresp": "output"}
STREAM = {"tvalid": "input", "tready": "output", "tdata": "input", "tkeep": "input",
          "tlast": "input"}
PLAIN = {"ap_clk": "input", "ap_clk_2": "input", "ap_rst_n": "input", "interrupt": "output"}


def turned(signals):
    return {n: "output" if d == "input" else "input" for n, d in signals.items()}


def elaborated(path):
    """Ports of the top level: name to (direction, width)."""
    root = xml.parse(path).getroot()
    widths = {}
    for kind in root.iter("basicdtype"):
        left, right = kind.get("left"), kind.get("right")
        widths[kind.get("id")] = 1 if left is None else int(left) - int(right) + 1
    top = next(m for m in root.iter("module") if m.get("topModule") == "1")
    return {v.get("origName"): (v.get("dir"), widths.get(v.get("dtype_id")))
            for v in top.iter("var") if v.get("dir")}


def check(top, generated):
    """Texts of what is wrong."""
    ports = elaborated(top)
    kernel = xml.parse(generated / "kernel.xml").getroot().find("kernel")
    wrong, known = [], dict(PLAIN)
    declared = {}
    for port in kernel.find("ports"):
        name, mode, bits = port.get("name"), port.get("mode"), int(port.get("dataWidth"))
        declared[name] = port.get("portType")
        signals = {"slave": SLAVE, "master": MASTER, "read_only": STREAM,
                   "write_only": turned(STREAM)}[mode]
        known.update({f"{name}_{signal}": d for signal, d in signals.items()})
        for data in ("wdata", "rdata", "tdata"):
            found = ports.get(f"{name}_{data}")
            if found and found[1] != bits:
                wrong.append(f"{name}_{data} has {found[1]} bits, kernel.xml says {bits}")
    for name, direction in known.items():
        if name not in ports:
            wrong.append(f"the top level has no port {name}")
        elif ports[name][0] != direction:
            wrong.append(f"{name} is an {ports[name][0]}, not an {direction}")
    optional = re.compile(r"m\d\d_axi_(?:[ar]w?size|a[rw](?:size|burst|cache|prot)|[br]resp)$")
    for name in ports.keys() - known.keys():
        if not optional.match(name):
            wrong.append(f"kernel.xml does not know port {name}")

    offsets = []
    for argument in kernel.find("args"):
        if argument.get("port") not in declared:
            wrong.append(f"argument {argument.get('name')}: no port {argument.get('port')}")
        if declared.get(argument.get("port")) != "stream":
            first = int(argument.get("offset"), 16)
            offsets.append((first, first + int(argument.get("size"), 16), argument.get("name")))
    offsets.sort()
    for (_, end, name), (first, _, after) in zip(offsets, offsets[1:]):
        if first < end:
            wrong.append(f"arguments {name} and {after} overlap")
    identities = [int(a.get("id")) for a in kernel.find("args")]
    if identities != list(range(len(identities))):
        wrong.append("arguments are not numbered from 0")

    connected = set()
    instance = kernel.get("name") + "_1"
    for line in (generated / "connectivity.cfg").read_text().splitlines():
        for name in re.findall(rf"{instance}\.(\w+)", line):
            if name not in (ports if line.startswith("freqHz=") else declared):
                wrong.append(f"connectivity.cfg: no port {name}")
            connected.add(name)
    wrong += [f"connectivity.cfg: {name} has no bank" for name, kind in declared.items()
              if kind == "addressable" and name.endswith("_axi") and name not in connected]
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--top", type=pathlib.Path, required=True)
    parser.add_argument("--generated", type=pathlib.Path, required=True)
    args = parser.parse_args()
    wrong = check(args.top, args.generated)
    for text in wrong:
        print(f"error: {text}", file=sys.stderr)
    if not wrong:
        ports = xml.parse(args.generated / "kernel.xml").getroot().find("kernel/ports")
        print(f"{len(ports)} interfaces agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
