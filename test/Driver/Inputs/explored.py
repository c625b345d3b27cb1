"""What acisc --explore says fits itself: the front is what nothing beats, more lanes are not slower."""
import json
import sys

with open(sys.argv[1]) as file:
    found = json.load(file)
machines = found["machines"]
assert found["payloadBytes"] == 256 and found["device"] == "lfe5u-45f", found
assert len(machines) == 9, len(machines)
good = [m for m in machines if "gigabits" in m]
assert len(good) == 6 and all("whyNot" in m for m in machines if m not in good), machines
for m in good:
    beaten = [o for o in good if o["cells"]["lut"] <= m["cells"]["lut"] and o["gigabits"] > m["gigabits"]]
    assert not (m["best"] and beaten), (m, beaten)
    assert m["best"] or beaten or any(o["best"] and o["gigabits"] == m["gigabits"] for o in good), m
    assert abs(m["gigabits"] - 256 * 8 * 0.25 / m["periodCycles"]) < 1e-6, m
    assert m["pes"] == m["fields"]["/grid/cols"], m
rate = {(m["fields"]["/grid/cols"], m["fields"]["/pe/lanes"]): m for m in good}
for cols in (1, 2, 4):
    assert rate[cols, 8]["gigabits"] > rate[cols, 4]["gigabits"], rate
    assert rate[cols, 8]["cells"]["lut"] > rate[cols, 4]["cells"]["lut"], rate
