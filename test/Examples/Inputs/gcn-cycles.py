"""The published graphs' aggregations, of the folder that ACIS_DATA names, in one packet and by both kernels:
cycles of engine `model`, loads of dense rows included, in parts of the bound, which is the larger of non-zeros
and row numbers at 4 bytes, and results, in beats."""
import os

import numpy

from acis import gcn

#: What the better kernel takes at most. The project's goal is 1.2 of each.
MOST = {"PPI": 2.0, "Citeseer": 1.2, "Cora": 1.2}
folder = os.environ["ACIS_DATA"]
for name, most in MOST.items():
    graph = gcn.read_graph(f"{folder}/graphs/{name}_A.txt")
    dense = gcn.read_matrix(f"{folder}/graphs/{name}_feat_L2.txt")
    bound = max(-(-(graph.nonzeros + graph.rows) // 16), graph.rows)
    ratios = {}
    for kernel in ("split", "rows"):
        with gcn.InProcess("model", packet_bytes=2**20, kernel=kernel) as place:
            sums, took = gcn.aggregate(graph, dense, place)
        expected = gcn.reference(graph, dense, [numpy.eye(16)])
        assert gcn.error(sums, expected) < 1e-6
        ratios[kernel] = took.cycles / bound
        print(f"{name} {kernel}: {took.cycles} cycles, {ratios[kernel]:.2f} of {bound}")
    assert min(ratios.values()) <= most, ratios
