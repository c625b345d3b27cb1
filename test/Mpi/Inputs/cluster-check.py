"""Of what cluster.sh wrote: nothing was wrong, and fewer packets left where ranks of a host fold first."""
import json
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
out = (folder / "out").read_text()
if "cannot be made here" in out:
    sys.exit(print(out))
assert out.count("No Errors") == 3, out
none, measured, apart = (json.loads((folder / f"{name}.json").read_text()) for name in ("none", "measured", "apart"))
said = {place["why"] for place in none["places"]}
assert "offloaded for each host, whose ranks fold first" in said, said
assert "offloaded for each host, whose ranks fold first" not in {p["why"] for p in apart["places"]}
assert none["packets_sent"] < apart["packets_sent"], (none["packets_sent"], apart["packets_sent"])
costs = json.loads((folder / "costs.json").read_text())
assert set(costs["allreduce"]) == {"library", "switch", "nodes"}, costs
assert none["calls"] == measured["calls"] == apart["calls"]  # what was measured is not counted
