"""The numbers of a joined report fit each other."""
import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
chain = next(c for c in report["chains"] if c["chain"] == "Allreduce_op_Allreduce")
measured, predicted = chain["measured"], chain["predicted"]
assert report["ranks"] == 4 and not report["not_in_report"], report
# Two rounds of two messages of 8 bytes for each of two collectives.
assert measured["plain_messages"] == 8 and measured["plain_bytes"] == 64, measured
# At least a packet each way, and the blocks, which are what the switch was told.
assert measured["packets"] >= 2 and measured["us"] > 0, measured
assert predicted["fused_bytes"] <= measured["bytes"] <= 3 * predicted["fused_bytes"], chain
assert chain["predicted_to_measured"]["bytes"] <= 1, chain
# The prediction is of the op's loops; what is loaded before and sent after them comes with the run.
if len(sys.argv) > 2:
    assert 0.3 < chain["predicted_to_measured"]["op_cycles"] <= 1.1, chain
else:
    assert measured["op_cycles"] is None, chain
