"""Tables and pictures of docs/gcn-figures.md: graphs, counts, and simulated inferences of the publications' graphs."""
import plot
from datapage import table

COMMAND = "scripts/gcn-figures --write docs/data/gcn-figures.json"
OURS = ("allgather", "stampede2", "integrated", "attached", "rows")


def names_of(rows):
    return list(dict.fromkeys(row["set"] for row in rows))


def marked(row, scale=1):
    """The name of a graph, and that it is generated, and how small it is."""
    more = (["generated"] if row["generated"] else []) + ([f"1/{scale} of it"] if scale > 1 else [])
    return row["set"] + (f" ({', '.join(more)})" if more else "")


def of(rows, **keys):
    return next((row for row in rows if all(row.get(key) == value for key, value in keys.items())), None)


def is_generated(data, name):
    return of(data["graphs"], set=name)["generated"]


def label(data, row):
    return marked({**row, "generated": is_generated(data, row["set"])}, row.get("scale", 1))


def skew(row):
    return [f"{row['most']:,}", f"{row['percent']:.1f} %", f"{row['tenth']:.1f} %"]


SKEW = ["most of a node", "at 1 % of nodes", "at 10 %"]


def graphs(data):
    rows = [[marked(r), *(f"{r[what]:,}" for what in ("nodesPaper", "edgesPaper", "features", "classes", "nodes", "edges")), *skew(r)]
            for r in data["graphs"]]
    return table(["", "nodes, paper", "edges, paper", "features", "classes", "nodes", "edges", *SKEW], rows, range(1, 10))


def laws(data):
    rows = [[marked(r), f"{r['nodes']:,}", f"{r['edges']:,}", *skew(r), f"{r['outside']:.1f} %", f"{r['idle']:.1f} %"] for r in data["laws"]]
    return table(["", "nodes", "edges", *SKEW, "columns of other hosts, of 24", "tiles of 16 rows without an entry"], rows, range(1, 8))


def instructions(data):
    kinds = ("loads", "accumulates", "streamouts")
    rows = [[r["set"], r["mode"], *(f"{r[kind + 'Paper']:,}" for kind in kinds), f"{min(r['covered'], r['rows']):,} of {r['rows']:,}",
             *(f"{r[kind]:,}" for kind in kinds)] for r in data["instructions"]]
    return table(["", "", "loads, paper", "accumulates", "stream-outs", "rows that these cover", "loads, all rows", "accumulates", "stream-outs"],
                 rows, range(2, 9))


def compiled(data):
    r = data["compile"]
    return table(["", "mean, ms", "deviation", "lines", "graph's nodes, initial/optimised", "edges"],
                 [["paper, back end", "91.36", "5.7", "64", "65/11", "138/18"],
                  ["`acisc examples/gcn/os.c`, whole command, processor time", r["meanMs"], r["stdMs"], r["lines"],
                   f"{r['initialNodes']}/{r['optimisedNodes']}", f"{r['initialEdges']}/{r['optimisedEdges']}"]], range(1, 6))


def elements(data):
    rows = []
    for r in data["elements"]:
        if r["hosts"] in (2, 24, 48):
            pairs = [(r["gathered"], r["switched"]), (r["gatheredLinks"], r["switchedLinks"])]
            ratios = [cell for a, b in pairs for cell in (f"{a / 1e6:,.2f}", f"{b / 1e6:,.2f}", f"{a / b:.1f}")]
            rows.append([marked(r), r["hosts"], *ratios, f"{r['loaded'] / 1e6:,.2f}"])
    return table(["millions", "hosts", "elements: Allgather", "switches", "ratio", "elements x links: Allgather", "switches", "ratio", "loaded"],
                 rows, range(1, 9))


def idle(data):
    rows = [[marked(r), f"{r['paper']} %" if r["paper"] else "", f"{r['lanes']:.1f} %", f"{r['unrolled']:.1f} % ({16 * r['unroll']})",
             f"{r['weight']:.1f} % ({16 * r['vlen']:,})"] for r in data["idle"]]
    return table(["", "paper, OS", "OS, of 16 rows x 2,048 columns", "OS, of an unrolled tile (rows)", "WS, 32 columns (rows)"], rows, range(1, 5))


def loads(data):
    rows = []
    for r in data["loads"]:
        run = of(data["runs"], set=r["set"], hosts=24, way="integrated")
        simulated = f"{run['loadMs']:.3f}" + (f" (1/{run['scale']} of it)" if run["scale"] > 1 else "") if run else ""
        rows.append([r["set"], ", ".join(f"{size:,.2f}" for size in r["megabytes"]), r["paperMs"], r["paperGBps"], f"{r['linkMs']:.3f}", simulated])
    return table(["", "MB of layers 1, 2", "paper, ms", "GB/s, of the larger layer", "ours at a link's rate, ms", "simulated, 24 hosts, ms"],
                 rows, range(1, 6))


def communication(data):
    """On 24 hosts."""
    rows = []
    for name in names_of(data["runs"]):
        ways = {way: of(data["runs"], set=name, hosts=24, way=way) for way in OURS}
        if not ways["allgather"] or not ways["integrated"]:
            continue
        said = of(data["publication"], set=name, hosts=24)
        theirs = f"{said['times']['communication'] / ways['allgather']['scale']:.3f}" if said and said["times"] else ""
        took = {way: run["ms"] - run["loadMs"] for way, run in ways.items() if run}
        best = min(took[way] for way in ("integrated", "rows") if way in took)
        rows.append([label(data, ways["integrated"]), theirs, *(f"{took[way]:.3f}" if way in took else "" for way in OURS),
                     f"{ways['integrated']['loadMs']:.3f}", *(f"{took[way] / best:.2f}" for way in ("allgather", "stampede2"))])
    return table(["ms of both layers", "Allgather: authors' cluster", "links alone", "as on Stampede2", "switches: integrated", "attached", "kernel rows",
                  "loads", "links alone / best switch", "Stampede2 / best switch"], rows, range(1, 10))


def faster(row, kind):
    return f"{row[kind]['faster']:.2f}" if row and kind in row else ""


def row24(data):
    rows = []
    for name in names_of(data["graphs"]):
        row, said = (of(data[part], set=name, hosts=24) for part in ("whole", "publication"))
        if row and said:
            model = said["model"] or {}
            corrected = f"{model['correctedAggregation']:.2f}, {model['corrected']:.2f}" if model else ""
            theirs = [f"{model[key]:.2f}" if model else "" for key in ("aggregation", "whole", "bound")]
            rows.append([marked(row, row["scale"]), said["faster"], *theirs, corrected,
                         *(faster(row, kind) for kind in ("authors-measured", "authors-stampede2", "cores-allgather"))])
    return table(["times as fast", "paper", "authors' model: aggregation", "whole", "the most that aggregation can give",
                  "model with tiles for 24: aggregation, whole", "ours: authors' times", "authors' cores, Stampede2's Allgather",
                  "fast cores, links alone"], rows, range(1, 9))


def reason(data, row, said):
    """Why the paper's number, the authors' model and ours differ, in a line."""
    gathered = {way: of(data["runs"], set=row["set"], hosts=24, way=way)["ms"] for way in ("allgather", "stampede2")}
    ours = (f"an Allgather takes {gathered['allgather']:.3f} ms on links alone and {gathered['stampede2']:.3f} as on Stampede2, "
            f"switches take {row['switchMs']:.3f} (kernel `{row['kernel']}`)")
    model, times = said["model"], said["times"]
    if not model:
        return f"no times of hosts are public, so that only fast cores can be counted; {ours}"
    more = (f"{said['faster']} is not of a whole inference, which no aggregation makes more than {model['bound']:.2f} times as fast "
            "in their public times; ") if said["faster"] > model["bound"] else ""
    tiles = f" ({model['corrected']:.2f} with tiles for 24 nodes)" if model["corrected"] != model["whole"] else ""
    theirs = f"their model has {model['aggregation']:.2f} for the aggregation, {model['whole']:.2f}{tiles} for the whole"
    measured = f"their Allgather takes {times['communication'] / row['scale']:.3f} ms, waiting for late hosts included" if times else ""
    return "; ".join(part for part in (more + theirs, measured, ours) if part)


def reasons(data):
    lines = []
    for name in names_of(data["graphs"]):
        row, said = (of(data[part], set=name, hosts=24) for part in ("whole", "publication"))
        if row and said:
            lines.append(f"- {marked(row, row['scale'])}, {said['faster']} in the paper: {reason(data, row, said)}.")
    return "\n".join(lines)


def mean(values):
    from math import exp, log
    return exp(sum(map(log, values)) / len(values))


def means(data):
    values = list({row["set"]: row["faster"] for row in data["publication"]}.values())
    without = [value for value in values if value < 10]
    return (f"The paper's mean over its five graphs, 3.4, is arithmetic ({sum(values) / len(values):.2f}); the geometric one is "
            f"{mean(values):.2f}. Without ogbn-products the two are {sum(without) / len(without):.2f} and {mean(without):.2f}.")


def tables(data):
    return {"graphs": graphs(data), "laws": laws(data), "instructions": instructions(data), "compile": compiled(data),
            "elements": elements(data), "idle": idle(data), "loads": loads(data), "communication": communication(data),
            "row24": row24(data), "reasons": reasons(data), "means": means(data)}


def curves_of(rows, value):
    return sorted((row["hosts"], value(row)) for row in rows)


NAMES = {"allgather": "Allgather, links alone", "stampede2": "Allgather, Stampede2",
         "integrated": "integrated switch", "attached": "attached accelerator", "rows": "integrated, kernel rows"}


def communication_picture(data):
    panels = []
    for name in names_of(data["runs"]):
        rows = [r for r in data["runs"] if r["set"] == name]
        curves = {NAMES[way]: curves_of([r for r in rows if r["way"] == way], lambda r: r["ms"] - r["loadMs"])
                  for way in OURS if of(rows, way=way)}
        curves["integrated, with loads"] = curves_of([r for r in rows if r["way"] == "integrated"], lambda r: r["ms"])
        curves["Allgather, the authors'"] = curves_of([r for r in data["publication"] if r["set"] == name and r["times"]],
                                                      lambda r: r["times"]["communication"] / rows[0]["scale"])
        panels.append((label(data, rows[0]), curves))
    return plot.lines(panels, "hosts", "communication, ms", dashed=("attached accelerator", "integrated, with loads"))


def application_picture(data):
    panels = []
    for name in names_of(data["whole"]):
        rows = [r for r in data["whole"] if r["set"] == name]
        curves = {}
        for title, kind, ms in (("Allgather, the authors'", "authors-measured", "plainMs"), ("Allgather, Stampede2", "authors-stampede2", "plainMs"),
                                ("switches", "authors-stampede2", "switchedMs"), ("Allgather, fast cores", "cores-allgather", "plainMs"),
                                ("switches, fast cores", "cores-allgather", "switchedMs")):
            curves[title] = curves_of([r for r in rows if kind in r], lambda r: r[kind][ms])
        panels.append((marked(rows[0], rows[0]["scale"]), curves))
    return plot.lines(panels, "hosts", "whole inference, ms", dashed=("Allgather, fast cores", "switches, fast cores"))


def by_set(rows, value, scale=True):
    """Curves of each graph."""
    groups = [[r for r in rows if r["set"] == name] for name in names_of(rows)]
    return {marked(group[0], group[0].get("scale", 1) if scale else 1): curves_of(group, value) for group in groups}


def throughput_picture(data):
    return plot.lines([("into a leaf switch", by_set(data["whole"], lambda r: r["throughput"]))], "hosts", "Gb/s", columns=1)


def elements_picture(data):
    return plot.lines([("elements", by_set(data["elements"], lambda r: r["gathered"] / r["switched"])),
                       ("elements x links", by_set(data["elements"], lambda r: r["gatheredLinks"] / r["switchedLinks"]))],
                      "hosts", "Allgather over switches", columns=2)


def overlap_picture(data):
    timed = {row["set"] for row in data["whole"] if "authors-overlap" in row}
    rows = [row for row in data["whole"] if row["set"] not in timed or "authors-overlap" in row]
    curves = by_set(rows, lambda r: 100 * max(r["authors-overlap" if r["set"] in timed else "cores-overlap"], 1e-4))
    return plot.lines([("a host's own sums", curves)], "hosts", "% of the switches' time", columns=1)


def pictures(data):
    return {"communication": communication_picture(data), "application": application_picture(data), "throughput": throughput_picture(data),
            "elements": elements_picture(data), "overlap": overlap_picture(data)}
