"""Dissertation chapter 6: idle time of programs and what extra work in it is worth. Random steps of as many
processes, which are idle as much as the publication's; docs/control.md has programs that were measured."""
import csv
import json
import pathlib

from item import Claim, Outcome

PAPER = pathlib.Path(__file__).resolve().parents[1] / "paper/chapter-6.csv"
WORTHS = {"none": "worth", "0.5": "worth_05", "0.9": "worth_09"}
MODEL = "random steps whose mean idle ratio is the paper's: members alike, lognormal, steps independent"


def programs():
    """Rows of the dissertation's tables 6.2 and 6.3; worths are percent."""
    with open(PAPER, encoding="utf-8", newline="") as file:
        return [{name: value if name in ("program", "shape") else float(value) for name, value in row.items()}
                for row in csv.DictReader(file)]


def model(context, row, *more):
    """What acis-steps says of the program's random steps."""
    return context.run("acis-steps", "--model", row["idle_ratio"], row["idle_seconds"], "--ranks",
                       int(row["processes"]) // (8 if context.quick else 1), "--steps", 100, *more)


def reports(context):
    return [(row, json.loads(model(context, row, "--json"))) for row in programs()]


def table62(context):
    rows = [{"program": row["program"], "processes": int(row["processes"]), "paperIdle": row["idle_ratio"],
             "idle": round(found["idleRatio"], 4), "paperSeconds": row["idle_seconds"],
             "seconds": round(found["idleTime"], 6)} for row, found in reports(context)]
    worst = max(abs(r["idle"] - r["paperIdle"]) for r in rows)
    return Outcome([Claim("mean idle ratio of five programs", "2.6 to 89 %", f"the same within {100 * worst:.1f} points",
                          "these are what the model is given")], {"idle": rows})


def table63(context):
    rows = []
    for row, found in reports(context):
        best = {f'{d["utility"]:.1f}': 100 * d["rate"] for d in found["deadlines"]}
        ours = {"none": 100 * found["baseline"], "0.5": best["0.5"], "0.9": best["0.9"]}
        for utility, column in WORTHS.items():
            rows.append({"program": row["program"], "utility": utility, "paper": row[column],
                         "ours": round(ours[utility], 2)})
    gain = lambda field, utility: sum(r[field] - base[field] for base in rows if base["utility"] == "none" for r in rows
                                      if (r["program"], r["utility"]) == (base["program"], utility)) / 5
    below = [r for base in rows if base["utility"] == "none" for r in rows
             if r["program"] == base["program"] and r["ours"] < base["ours"]]
    claims = [Claim("points of worth gained by extra work, mean of five programs, U = 0.5; 0.9",
                    f'{gain("paper", "0.5"):.1f}; {gain("paper", "0.9"):.1f}',
                    f'{gain("ours", "0.5"):.1f}; {gain("ours", "0.9"):.1f}',
                    MODEL + "; without extra work the worth is 1 less the idle ratio, which for HPCCG and miniFE the "
                    "paper's two tables are not, so there the model gains more"),
              Claim("programs that are worth less with extra work", "0", str(len(below)), "")]
    return Outcome(claims, {"worth": rows})


def figures(context):
    """Figures 6-5 to 6-8: one step after the other, who is last, deadlines, and the last arrival."""
    row = next(row for row in programs() if row["program"] == "HPCCG")
    path = context.simulator.folder / "steps.svg"
    found = json.loads(model(context, row, "--json", "--svg", path))
    deadlines = [{"utility": round(d["utility"], 1), "seconds": d["deadline"], "worth": round(100 * d["rate"], 2)}
                 for d in found["deadlines"]]
    rises = all(a["seconds"] <= b["seconds"] for a, b in zip(deadlines, deadlines[1:]))
    return Outcome([Claim("the best deadline of HPCCG grows with the utility", "it does",
                          f'{"it does" if rises else "not everywhere"}: {deadlines[0]["seconds"]:.2f} s at '
                          f'{deadlines[0]["utility"]}, {deadlines[-1]["seconds"]:.2f} s at {deadlines[-1]["utility"]}',
                          MODEL)],
                   {"deadlines": deadlines}, {"steps": path.read_text(encoding="utf-8")})
