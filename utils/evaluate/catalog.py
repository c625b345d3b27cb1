"""Every table and figure with numbers of the five publications: 000 is the dissertation, 001 FLASH,
002 device-aware MPI, 003 collectives beside hosts, 004 near-data processing."""
from item import DONE, ELSEWHERE, IMPOSSIBLE, MISSING, PARTIAL, Item
from items import applications, beyond, collectives, control, fused, models, near, programs, reality, tables, udp

KERNELS = "`000/fig-5-10` has what overlaps on simulated nodes; COSMA and its processors are not here"
GCN = "`scripts/gcn-figures` (docs/gcn-figures.md)"
STEPS = "random steps; docs/control.md has programs that were measured"
FPGA = "needs the FPGA card and its tools"
DEVICE = "needs OpenCL devices behind PCIe: what PoCL measures is memory of the host"
NEAR = "`scripts/bench-near` (docs/near-data.md)"

ITEMS = [
    Item("000/table-3.1", "algorithms of MPI's collectives", DONE, make=tables.table31),
    Item("000/table-3.2", "latency and bandwidth of a link", DONE, make=tables.table32),
    Item("000/table-3.3", "resources of switches", PARTIAL, "units and DSPs; LUTs, FFs and BRAM need synthesis "
         "(docs/rtl-cost.md has what Yosys estimates)", tables.table33),
    Item("000/fig-3-7", "latency of Allgather, Allreduce, Bcast, Gather", DONE, make=collectives.figure37),
    Item("000/fig-3-8", "latency of Reduce, Reduce_scatter, Scatter", DONE, make=collectives.figure38),
    Item("000/fig-3-9", "mean speed-ups of collectives", DONE, make=collectives.figure39),
    Item("000/table-3.4", "ranges of MPI's latency on Stampede2", DONE, make=collectives.table34),
    Item("000/fig-3-10", "direct and indirect networks, short messages", DONE, make=collectives.figure310),
    Item("000/fig-3-11", "speed-ups of indirect networks", DONE, make=collectives.figure311),
    Item("000/fig-3-12", "instances of Allreduce in applications", PARTIAL, "sizes and counts of calls from the "
         "programs' sources; their skew is not known", applications.figure312),
    Item("000/table-3.5", "applications", PARTIAL, "the same", applications.table35),
    Item("000/fig-4.1", "GCN's time with and without FLASH", ELSEWHERE, GCN),
    Item("000/fig-4.2", "GCN: elements, hops, overlap", ELSEWHERE, GCN),
    Item("000/table-4.1", "grids of PGEMM", DONE, make=tables.table41),
    Item("000/fig-4-9", "tuner of tiles", DONE, make=tables.figure49),
    Item("000/fig-4-10", "PGEMM against COSMA", ELSEWHERE, KERNELS),
    Item("000/table-4.2", "sizes of graphs", PARTIAL, "of the graphs that are at hand (ACIS_DATA); generated ones: "
         "docs/gcn-figures.md", tables.table42),
    Item("000/table-4.3", "vector instructions", DONE, make=tables.table43),
    Item("000/fig-4.11", "GCN: communication", ELSEWHERE, GCN),
    Item("000/fig-4.12", "GCN: application", ELSEWHERE, GCN),
    Item("000/fig-4.13", "GCN: throughput", ELSEWHERE, GCN),
    Item("000/table-4.4", "compile time and graph of the GCN handler", DONE, make=tables.table44),
    Item("000/fig-4.14", "resources of 16 vector PEs", IMPOSSIBLE, FPGA + " (docs/rtl-cost.md has an estimate)"),
    Item("000/models", "models of sections 3.5 and 5.6 beside the simulation", DONE, make=models.validate),
    Item("000/fig-5-3", "benefits of two fused collectives", PARTIAL, "counted, not simulated", fused.figure53),
    Item("000/table-5.1", "fused collectives and LoGcN (with figure 5-4)", PARTIAL, "a fused call is simulated as "
         "the collective whose traffic it has, and its op's cycles are added", fused.table51),
    Item("000/fig-5-9", "times of OpenCL calls", IMPOSSIBLE, FPGA),
    Item("000/table-5.2", "parameters", DONE, "inputs of the simulation: docs/simulation.md"),
    Item("000/fig-5-10", "SpMV and PGEMM", PARTIAL, "overlap on simulated nodes; the logic of kernels is in hosts, not in "
         "switches", programs.figure510),
    Item("000/fig-5-11", "NPB and miniFE, fused", PARTIAL, "the communication of IS, MG and miniFE, and of k-means and "
         "PageRank, without computing; LU and SP are Fortran", programs.figure511),
    Item("000/fig-5-12", "AMG", MISSING, "AMG is not rewritten: its solver is a library's (Hypre)"),
    Item("000/table-6.1", "programs of chapter 6", DONE, "inputs"),
    Item("000/table-6.2", "idle time of programs", PARTIAL, STEPS, control.table62),
    Item("000/table-6.3", "rate of application work", PARTIAL, "the same", control.table63),
    Item("000/fig-6-5", "trace of HPCCG (with figures 6-6 to 6-8)", PARTIAL, "the same", control.figures),
    Item("000/fig-6-6", "who is last", ELSEWHERE, "`000/fig-6-5`"),
    Item("000/fig-6-7", "deadline over utility", ELSEWHERE, "`000/fig-6-5`"),
    Item("000/fig-6-8", "density of the last arrival", ELSEWHERE, "`000/fig-6-5`"),
    Item("001/table-1", "sizes of graphs (000 table 4.2)", PARTIAL, "as 000 table 4.2", tables.table42),
    Item("001/table-2", "vector instructions (000 table 4.3)", DONE, make=tables.table43),
    Item("001/table-3", "tiles", DONE, make=tables.table3),
    Item("001/table-4", "compile time (000 table 4.4)", DONE, make=tables.table44),
    Item("001/section-5.8", "load time of the right-hand matrix", ELSEWHERE, GCN),
    Item("001/section-5.9", "AlexNet's last layer", ELSEWHERE, "`examples/training/train.py` trains and counts bytes "
         "(docs/training.md); a cluster's times are not simulated"),
    Item("002/fig-6", "mapped and unmapped buffers", IMPOSSIBLE, DEVICE),
    Item("002/fig-7", "parts of a transfer", IMPOSSIBLE, DEVICE),
    Item("002/fig-8", "sizes of chunks", IMPOSSIBLE, DEVICE),
    Item("002/fig-9", "cache misses", IMPOSSIBLE, DEVICE),
    Item("002/fig-10", "transfers within a node", IMPOSSIBLE, DEVICE),
    Item("002/fig-11", "transfers between nodes", IMPOSSIBLE, DEVICE),
    Item("003/fig-2", "Allreduce on ZedBoards", PARTIAL, "simulated; what a message costs these hosts is assumed",
         udp.figure2),
    Item("003/fig-3", "Allreduce on NetFPGAs", PARTIAL, "the same", udp.figure3),
    Item("003/fig-4", "MILC", PARTIAL, "its part of time in Allreduce is a parameter", udp.figure4),
    Item("004/launch", "latency of a launch", PARTIAL, "simulated; what a host needs to its NIC is fitted", near.launch),
    Item("004/fig-7", "sum of an array in memory nodes", PARTIAL, "simulated; how fast a host adds is assumed", near.figure7),
    Item("004/table-1", "sum-product network", ELSEWHERE, NEAR),
    Item("beyond/scale", "256 to 4,096 hosts", DONE, "not in a publication", beyond.scale),
    Item("beyond/limits", "slow switches, loss, over-subscription", DONE, "the same", beyond.limits),
    Item("beyond/map", "where in-switch computing pays", DONE, "the same", beyond.map),
    Item("beyond/reality", "the simulator beside real hosts, links and a switch", DONE, "needs root; the same",
         reality.make),
    Item("readme/compile-time", "README: source to binary", ELSEWHERE, "`scripts/bench`"),
    Item("readme/gcn", "README: GCN aggregation", ELSEWHERE, "`test/Examples/Inputs/gcn-cycles.py` with ACIS_DATA"),
    Item("readme/line-rate", "README: add-constant", ELSEWHERE, "`scripts/bench`"),
    Item("readme/kernels", "README: kernels on grids", ELSEWHERE, "`scripts/bench-kernels`"),
    Item("readme/lock-step", "README: RTL beside the model", ELSEWHERE, "`utils/rtl/mutate-rtl.py`, `acis-lockstep`"),
    Item("readme/acisd", "README: acisd against a C server", ELSEWHERE, "`scripts/bench-switch`"),
    Item("readme/mpi", "README: collectives beside plain MPI", ELSEWHERE, "`utils/bench/bench-cluster.py`"),
    Item("readme/switch", "README: collectives by a switch against MPICH", ELSEWHERE, "`utils/bench/bench-mpi.py`"),
    Item("beyond/skew", "ranks that come late", DONE, "sections 2.3.5 and 3.5 ask for it", beyond.skew),
]

# What the publications contradict themselves in, and items depend on.
INCONSISTENCIES = [
    ("001/table-3", "Columns 24 and 48 are sized for 32 and 64 nodes: on 24 and 48 nodes the tiles cover 75 to 96 % "
     "of a rank's rows (only Pubmed, output stationary, is covered). The speed-ups on \"24 nodes\" use times of 32."),
    ("001/table-3", "PPI, weight stationary, has 53 tiles of 32 for 1,767 rows, which need 56; table 1 says 2,372 nodes."),
    ("001/section-5.8", "ogbn-mag's two right-hand matrices, 1,075 MB in 48.3 ms, are 22 GB/s; PCIe 3.0 with 16 lanes carries 15.8."),
    ("000/fig-4.12", "3.4 is the arithmetic mean of 2.2, 2.0, 1.1, 1.4 and 10.1; the geometric mean is 2.3."),
    ("000/fig-4.12", "2.0 for Citeseer and 10.1 for ogbn-products are more than any aggregation can give: by the authors' public "
     "times, with one that takes no time, a whole inference is 1.74 and 1.50 times as fast."),
    ("000/table-6.3", "\"12 % on average\" is points at U = 0.9; at U = 0.5 it is 4.7. Idle ratios of table 6.2 are "
     "not 1 minus the rates of table 6.3."),
    ("000/fig-5-12", "The text has 11 % for AMG, the conclusion 13 %. 002's abstract has 50 % and 33 %, its section "
     "4.2.4 up to 33 %."),
    ("000/fig-3-7", "A phit of 256 bits at 250 MHz is 64 Gb/s for a port, less than a link's 95.9 Gb/s."),
    ("003/fig-2", "\"4-byte MPI_DOUBLE\": doubles have 8 bytes, which the message sizes 8 and 128 agree with."),
    ("000/table-3.3", "Indirect-16 has 8 simultaneous aggregations in the table; the text says as many as ports for all "
     "designs but Indirect-28. Its 512 units are of 8."),
    ("000/fig-4-9", "Equations 4.2 to 4.5 need Sm and Sn, which are printed nowhere."),
    ("000/table-4.1", "Algorithm 1 divides M and N by Pn x Pm both."),
    ("000/table-3.4", "The latency is said to be the mean over processes (section 3.6.2). With that, a Gather of 1 MB "
     "on 128 nodes by a binomial tree takes 0.7 ms, as most ranks only send; the 11 ms of the table are what the root "
     "takes in at 97 Gb/s. The table is read as the slowest rank's time."),
    ("000/fig-3-9", "A long Gather or Scatter 2.0 times faster asks for more than the link of its root: of table "
     "3.4's 11 ms for 1 MB on 128 nodes, 127 MB at 95.9 Gb/s are 11.1 ms."),
    ("000/fig-3-9", "Chapter 3 counts no MPI overhead for switches, chapter 5 counts 14.8 us at both ends."),
]
