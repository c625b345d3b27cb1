#!/usr/bin/env python3
"""Says for each fused chain what was predicted and what a run measured.

usage: acis-mpireport <report.json> <run.json> [--json=<file>]

  <report.json>   of acisc --mpi --mpi-report=<file>, or acis-mpicc --acis-report=<file>
  <run.json>      of acis-mpirun --why=<file>.json, of the program that came of it
  --json=<file>   write the table as JSON as well; - for standard output, without the table
  --help          this text
  --version       the version

Times and bytes are those of one call on one host; predicted and measured are joined by file and
line. Exit code: 0, or 1 if a file cannot be read or is not what it should be.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib/acis-tools"))
sys.dont_write_bytecode = True
from acis_commandline import unknown_option  # noqa: E402

VERSION = "@PROJECT_VERSION@"
OPTIONS = ("--json", "--help", "--version")


class Problem(Exception):
    """A file is not what it should be."""


def load(name, key):
    """The list `key` of a JSON file, and the whole."""
    try:
        with open(name, errors="replace") as file:
            found = json.load(file)
    except OSError as error:
        raise Problem(f"{name}: {error.strerror.lower()}") from error
    except (ValueError, RecursionError) as error:
        raise Problem(f"{name}: not JSON: {error}") from error
    rows = found.get(key) if isinstance(found, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise Problem(f"{name}: has no list '{key}'; --help says what makes the file")
    return rows, found


def number(row, *path):
    """A number in a row; None: there is none."""
    for key in path:
        row = row.get(key) if isinstance(row, dict) else None
    return row if isinstance(row, (int, float)) and not isinstance(row, bool) else None


def ratio(predicted, measured):
    return predicted / measured if predicted is not None and measured else None


def measured_of(rows):
    """One call on one host, of the calls that the switch has served."""
    served = [row for row in rows if row.get("served_by") == "switch"]
    calls = sum(number(row, "measured", "calls") or 0 for row in served)
    if not calls:
        return {}

    def mean(key):
        return sum(number(row, "measured", key) or 0 for row in served) / calls

    return {"us": mean("us"), "packets": mean("packets"), "bytes": mean("packet_bytes"),
            "plain_messages": mean("plain_messages"), "plain_bytes": mean("plain_bytes"),
            # Only where an engine counts them.
            "op_cycles": mean("op_cycles") or None}


def join(candidates, places):
    by_place = {}
    for row in places:
        if row.get("place"):
            by_place.setdefault(str(row["place"]), []).append(row)
    chains = []
    for one in candidates:
        if one.get("decision") != "rewritten":
            continue
        place = f"{one.get('file')}:{one.get('line_first')}"
        rows = by_place.pop(place, [])
        measured = measured_of(rows)
        predicted = {"plain_us": number(one, "predicted_us", "plain"),
                     "fused_us": number(one, "predicted_us", "fused"),
                     "plain_bytes": number(one, "predicted_bytes", "plain"),
                     "fused_bytes": number(one, "predicted_bytes", "fused"),
                     "op_cycles": number(one, "op_on_grid", "cycles"),
                     "op_us": number(one, "op_on_grid", "us")}
        chains.append({
            "place": place, "chain": one.get("pattern", one.get("kind", "")),
            "ranks_predicted": number(one, "predicted_us", "ranks"),
            "outcomes": [{"served_by": row.get("served_by"), "why": row.get("why"),
                          "calls": number(row, "calls") or 0} for row in rows],
            "no_binary": one.get("not_mapped"), "predicted": predicted, "measured": measured,
            "predicted_to_measured": {
                "us": ratio(predicted["fused_us"], measured.get("us")),
                "bytes": ratio(predicted["fused_bytes"], measured.get("bytes")),
                "op_cycles": ratio(predicted["op_cycles"], measured.get("op_cycles"))}})
    return chains, sorted(by_place)


def shown(value, digits=0):
    return "-" if value is None else f"{value:,.{digits}f}"


def pair(row, first, second, digits=0):
    return f"{shown(row.get(first), digits)} / {shown(row.get(second), digits)}"


def table(chains, unknown, ranks):
    heads = ["place", "chain", "calls", "predicted us", "measured us", "predicted bytes",
             "measured bytes", "op cycles", "what became of it"]
    subs = ["", "", "", "plain / fused", "fused", "plain / fused", "plain / fused", "predicted / run", ""]
    lines = [heads, subs]
    for one in chains:
        outcomes = "; ".join(f"{o['calls']} {o['why']}" for o in one["outcomes"]) or "not called"
        measured = {"plain": one["measured"].get("plain_bytes"),
                    "fused": one["measured"].get("bytes")}
        lines.append([one["place"], one["chain"], shown(sum(o["calls"] for o in one["outcomes"])),
                      pair(one["predicted"], "plain_us", "fused_us", 1),
                      shown(one["measured"].get("us"), 1),
                      pair(one["predicted"], "plain_bytes", "fused_bytes"),
                      pair(measured, "plain", "fused"),
                      f'{shown(one["predicted"]["op_cycles"])} / {shown(one["measured"].get("op_cycles"))}',
                      outcomes])
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    text = ["  ".join(f"{cell:{width}}" for cell, width in zip(line, widths)).rstrip()
            for line in lines]
    other = {one["ranks_predicted"] for one in chains if one["ranks_predicted"] != ranks}
    for number_ in sorted(other, key=str):
        text.append(f"predicted for {number_} ranks, run on {ranks}; give acisc --ranks={ranks}")
    for place in unknown:
        text.append(f"{place}: in the run, not in the report; was the program built with it?")
    return "\n".join(text)


def wrong_arguments(files, options):
    """What is wrong with a command line, or ""."""
    for option in options:
        if not option.startswith("--json="):
            return unknown_option(option, OPTIONS)
    return "" if len(files) == 2 else f"{len(files)} files; it takes a report and the file of a run"


def main():
    arguments = sys.argv[1:]
    if "--help" in arguments or "-h" in arguments:
        print(__doc__.strip())
        return 0
    if "--version" in arguments:
        print("acis-mpireport", VERSION)
        return 0
    files = [a for a in arguments if not a.startswith("-")]
    options = [a for a in arguments if a.startswith("-")]
    if wrong := wrong_arguments(files, options):
        print(f"acis-mpireport: error: {wrong}; see acis-mpireport --help", file=sys.stderr)
        return 1
    output = options[-1].split("=", 1)[1] if options else ""
    try:
        candidates, _ = load(files[0], "candidates")
        places, run = load(files[1], "places")
        chains, unknown = join(candidates, places)
        if output != "-":
            print(table(chains, unknown, number(run, "ranks")))
        if output:
            text = json.dumps({"ranks": number(run, "ranks"), "chains": chains,
                               "not_in_report": unknown}, indent=2) + "\n"
            if output == "-":
                sys.stdout.write(text)
            else:
                with open(output, "w") as file:
                    file.write(text)
    except Problem as problem:
        print(f"acis-mpireport: error: {problem}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"acis-mpireport: error: {output}: {error.strerror.lower()}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
