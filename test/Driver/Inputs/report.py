# Checks the report of report.c: its numbers agree with each other.
import json
import sys

report = json.load(open(sys.argv[1]))
loops = report["loops"]
assert [(l["launches"], l["why"].startswith("loop not mapped")) for l in report["scalarLoops"]] == [(True, True)]
assert [l["nest"] for l in loops] == ["k0", "k1"]
assert report["binaryBytes"] > 1000 and report["totalMilliseconds"] > 0
assert [p["name"] for p in report["phases"]][-1] == "assemble"
mapping = [p["milliseconds"] for p in report["phases"] if p["name"] == "map"][0]
assert 0 < sum(l["mapMilliseconds"] for l in loops) <= mapping
assert loops[1]["ii"] == 1 and sum(loops[0]["nodesByPe"]) == 2 and loops[0]["trip"] == 256
for loop in loops:
    assert loop["optimised"]["nodes"] < loop["initial"]["nodes"]
    nodes, ii = loop["nodes"], loop["ii"]
    assert sum(loop["nodesByPe"]) == len(nodes) and loop["stages"] == 1 + max(n["stage"] for n in nodes)
    assert sum(len(n["wires"]) for n in nodes) >= 1
    for node in nodes:
        assert node["line"] > 15 and node["slot"] < ii
        for wire in node["wires"]:
            # Begins on a bus, ends at the PE that takes the value.
            first, last = wire["route"][0], wire["route"][-1]
            assert first["place"] == "bus" and last["pe"] == node["pe"]
            assert last["time"] + wire["delay"] == node["stage"] * ii + node["slot"] + wire["distance"] * ii
            producer = nodes[wire["from"]]
            assert producer["name"] == "stream.read" or producer["pe"] == first["pe"]
