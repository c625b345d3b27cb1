"""The longest paths of a netlist from Yosys for UltraScale+, for rtl-cost.py: levels, and an
estimate of the time."""
import re

# Nanoseconds of a cell with the net behind it, for UltraScale+ of speed grade -2.
# LUT: the budget that Xilinx's own check of a netlist before placement gives a LUT and its net
# (report_failfast in the Xilinx Tcl Store, app designutils).
# Carry chains: the model of FloPoCo for the xcvu3p-2 (VirtexUltrascalePlus), copied there from
# timing reports: 0.231 from a bit into and out of a chain and 0.041 on to the next CARRY8, which
# is two CARRY4 of this netlist; behind the chain a net of 0.18, with what the LUT in front saves.
# RAM: clock to output of a block without its output register. DSP: a product without a register.
DELAY = {"LUT": 0.30, "CARRY": 0.02, "MUXF": 0.10, "DSP": 1.6, "RAM": 1.0, "INV": 0.0}
CHAIN = 0.27  # into a carry chain and out of it
CLOCK = 0.25  # clock to output and setup

# What cells are, by the beginning of their names.
KINDS = (("SRL", "LUTRAM"), ("RAM32", "LUTRAM"), ("RAM64", "LUTRAM"), ("RAM128", "LUTRAM"),
         ("RAM256", "LUTRAM"), ("RAM512", "LUTRAM"), ("FD", "FF"), ("LD", "FF"), ("DSP", "DSP"),
         ("RAMB18", "BRAM18"), ("RAMB36", "BRAM36"), ("URAM", "URAM"), ("CARRY", "CARRY"),
         ("MUXF", "MUXF"))


def kind(cell):
    """The column that a cell of the netlist counts in."""
    if cell.startswith("LUT"):
        return "LUT"
    if cell == "INV":
        return "INV"   # is in the LUT or at the register that it stands in front of
    for prefix, column in KINDS:
        if cell.startswith(prefix):
            return column
    return "BOX" if "acis_" in cell else "OTHER"


# LUTs that a distributed memory takes.
RAM_LUTS = {"RAM32M": 4, "RAM64M": 4, "RAM32M16": 8, "RAM64M8": 8, "RAM64X1D": 2,
            "RAM128X1D": 4, "RAM32X1D": 2, "RAM256X1S": 4, "RAM128X1S": 2, "RAM256X1D": 8,
            "RAM512X1S": 8}


def registered(cell, names=("PREG", "MREG")):
    """Whether a DSP block has one of these registers; without others, those that make it give its
    product a cycle later."""
    parameters = cell.get("parameters", {})
    return any(int(parameters.get(name, "0"), 2) for name in names)


def parts(cell):
    """The parts of a cell through which paths go on their own: of each the inputs and outputs; and
    the inputs in which paths end."""
    inputs, outputs = {}, {}
    for port, bits in cell["connections"].items():
        outward = cell["port_directions"].get(port) == "output"
        (outputs if outward else inputs)[port] = [b for b in bits if isinstance(b, int)]

    def bits(ports, chosen):
        return [b for port in chosen for b in ports.get(port, ())]
    what = kind(cell["type"])
    if what == "BOX":
        return [([], bits(outputs, [port])) for port in outputs], bits(inputs, inputs)
    if what in ("FF", "BRAM18", "BRAM36", "URAM") or cell["type"].startswith("SRL") \
            or (what == "DSP" and registered(cell)):
        return [([], bits(outputs, outputs))], bits(inputs, inputs)
    if what == "LUTRAM":
        # A read is combinational, by port; a write happens at the clock edge.
        reads = {f"DO{letter}": f"ADDR{letter}" for letter in "ABCDEFGH"} \
            | {"DPO": "DPRA", "SPO": "A", "O": "A"}

        def address(port):
            return [p for p in inputs if re.fullmatch(reads.get(port, port) + r"\d*", p)]
        ways = [(bits(inputs, address(port)), bits(outputs, [port])) for port in outputs]
        return ways, bits(inputs, inputs)
    return [(bits(inputs, inputs), bits(outputs, outputs))], []


def longest_paths(module):
    """The slowest way into each group of registers, the slowest of all first: the group's name,
    (ns, LUT levels, carry cells, DSPs)."""
    driver, nodes, ends = {}, [], []
    for name, cell in module["cells"].items():
        ways, last = parts(cell)
        ends.append((name, last))
        for inputs, outputs in ways:
            for bit in outputs:
                driver[bit] = len(nodes)
            nodes.append((kind(cell["type"]), inputs))
    best = {}

    def arrival(start):
        stack = [start]
        while stack:
            node = stack[-1]
            if node in best:
                stack.pop()
                continue
            what, inputs = nodes[node]
            sources = {driver[b] for b in inputs if b in driver}
            todo = [s for s in sources if s not in best]
            if todo:
                stack.extend(todo)
                continue
            starts = what in ("FF", "BOX") or (what == "LUTRAM" and not inputs) or not inputs
            delay = 0.0 if starts else DELAY.get(what, DELAY["LUT"])
            if what in ("BRAM18", "BRAM36", "URAM"):
                delay = DELAY["RAM"]
            chain = CHAIN if what == "CARRY" else 0.0

            def behind(source):
                ns, luts, carries, dsps = best[source]
                return ns + (0.0 if nodes[source][0] == "CARRY" else chain), luts, carries, dsps
            ns, luts, carries, dsps = max(map(behind, sources), default=(0.0, 0, 0, 0))
            count = 0 if starts else 1
            best[node] = (ns + delay, luts + count * (what in ("LUT", "LUTRAM")),
                          carries + count * (what == "CARRY"), dsps + count * (what == "DSP"))
            stack.pop()
        return best[start]

    # The registers that a path ends in are named after the net that they drive.
    names = {}
    for name, net in module["netnames"].items():
        for bit in net["bits"]:
            if bit not in names or (net["hide_name"], len(name)) < names[bit][0]:
                names[bit] = ((net["hide_name"], len(name)), name)

    def group(cell):
        for port, bits in module["cells"][cell]["connections"].items():
            if module["cells"][cell]["port_directions"].get(port) == "output" and bits[0] in names:
                return re.sub(r"(\.g_(one|many))?\.data_q.*", "", names[bits[0]][1]).lstrip("\\")
        return cell

    stages = {}

    def meet(where, bits, dsp=0):
        for bit in bits:
            if bit in driver:
                ns, luts, carries, dsps = arrival(driver[bit])
                stages[where] = max(stages.get(where, (0.0, 0, 0, 0)),
                                    (ns + dsp * DELAY["DSP"], luts, carries, dsps + dsp))

    for name, last in ends:
        cell = module["cells"][name]
        what = kind(cell["type"])
        # A product whose operands have no registers is made before the one that it has.
        meet(group(name) if what == "FF" else what, last,
             int(what == "DSP" and not registered(cell, ("AREG", "BREG"))))
    for name, port in module["ports"].items():
        if port["direction"] == "output":
            meet(f"output {name}", port["bits"])
    return sorted(stages.items(), key=lambda stage: stage[1], reverse=True)


class Design:
    """A hierarchy of netlists as one graph. `library` gives the netlist of a black box by its cell
    type, or None: what is in such a box starts and ends with registers."""

    def __init__(self, module, library):
        self.driver, self.nodes, self.ends, self.boxes, self.bits = {}, [], [], [], 0
        self.place(module, "", {}, library)

    def node(self, what, block, inputs, outputs):
        for bit in outputs:
            self.driver[bit] = len(self.nodes)
        self.nodes.append((what, block, inputs))

    def place(self, module, block, bound, library):
        ids = dict(bound)

        def glob(bits):
            for bit in bits:
                if bit not in ids:
                    ids[bit] = self.bits
                    self.bits += 1
            return [ids[bit] for bit in bits]
        for name, cell in module["cells"].items():
            if kind(cell["type"]) == "BOX":
                self.boxes.append((cell["type"], {port: glob([b for b in bits if isinstance(b, int)])
                                                  for port, bits in cell["connections"].items()}))
            child = library(f"{cell['type']}${name}") if kind(cell["type"]) == "BOX" else None
            where = f"{block}{'/' if block else ''}{cell['type'].split('$')[0].removeprefix('acis_')}"
            if child is None:
                ways, last = parts(cell)
                self.ends.append((cell["type"], block, name, glob(last)))
                # What a black box gives is named by its port.
                outputs = [port for port in cell["connections"]
                           if cell["port_directions"].get(port) == "output"]
                for number, (inputs, bits) in enumerate(ways):
                    self.node(kind(cell["type"]), f"{where}.{outputs[number]}"
                              if kind(cell["type"]) == "BOX" else block, glob(inputs), glob(bits))
                continue
            inner, outward = {}, []
            for port, bits in cell["connections"].items():
                if port not in child["ports"]:
                    continue
                own = child["ports"][port]["bits"]
                if child["ports"][port]["direction"] == "output":
                    outward += [(a, b) for a, b in zip(own, bits)
                                if isinstance(a, int) and isinstance(b, int)]
                else:
                    for a, b in zip(own, bits):
                        if isinstance(a, int) and isinstance(b, int):
                            inner[a] = glob([b])[0]
            known = self.place(child, where, inner, library)
            for a, b in outward:
                self.node("WIRE", where, known([a]), glob([b]))
        return glob

    def ports(self, name):
        """Of the boxes of a name: bits by port."""
        found = {}
        for type_, ports in self.boxes:
            if type_.split("$")[0] == name:
                for port, bits in ports.items():
                    found.setdefault(port, []).extend(bits)
        return found

    def arrivals(self, starts=None):
        """The latest time at each node, with the node before it. starts: only paths from these
        nodes count (a test of what, block)."""
        best, opened = {}, set()
        for root in range(len(self.nodes)):
            stack = [root]
            while stack:
                node = stack[-1]
                if node in best:
                    stack.pop()
                    continue
                what, block, inputs = self.nodes[node]
                sources = {self.driver[b] for b in inputs if b in self.driver}
                opened.add(node)
                # A loop through multiplexers that never closes is cut.
                todo = [s for s in sources if s not in best and s not in opened]
                if todo:
                    stack.extend(todo)
                    continue
                ram = what in ("BRAM18", "BRAM36", "URAM")
                if not inputs:
                    begins = starts is None or starts(what, block)
                    best[node] = ((DELAY["RAM"] if ram else 0.0) if begins else None, None)
                else:
                    late, before = None, None
                    for s in sources:
                        if s in best and best[s][0] is not None:
                            ns = best[s][0] + (CHAIN if what == "CARRY"
                                               and self.nodes[s][0] != "CARRY" else 0.0)
                            if late is None or ns > late:
                                late, before = ns, s
                    own = 0.0 if what == "WIRE" else DELAY.get(what, DELAY["LUT"])
                    best[node] = (None if late is None else late + own, before)
                opened.discard(node)
                stack.pop()
        return best

    def path(self, best, node):
        """The blocks that a path goes through: (block, ns in it)."""
        steps = []
        while node is not None:
            before = best[node][1]
            spent = best[node][0] - (best[before][0] if before is not None else 0.0)
            block = self.nodes[node][1]
            if steps and steps[-1][0] == block:
                steps[-1][1] += spent
            else:
                steps.append([block, spent])
            node = before
        return [(block, ns) for block, ns in reversed(steps) if ns > 0.0]
