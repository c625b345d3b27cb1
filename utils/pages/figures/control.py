"""Tables of docs/control.md: what ranks wait, what extra work is worth, how fast a signal is."""
import plot
from datapage import table

COMMAND = "utils/bench/control-tables.py --write"
WORTHS = ("worth", "worth05", "worth09")


def programs(data):
    rows = []
    for one in data["programs"]:
        for name, ranks, of in ((f"{one['program']} (paper)", one["processes"], "paper"), ("model", one["processes"], "model"),
                                (f"`{one['shape']}`, measured", one["ranks"], "here")):
            rows.append([name, f"{ranks:,}", f"{100 * one[of]['idle']:.3g} %", *(f"{one[of][w]:.2f} %" for w in WORTHS)])
    return table(["", "ranks", "idle", "worth", "U = 0.5", "U = 0.9"], rows, range(1, 6))


def signals(data):
    def looks(row):
        return f"sleep {row['pauseUs']} us between two looks" if row["pauseUs"] else "look at the socket all the time"
    return table(["p50, p99, us", "signal", "Bcast"],
                 [[f"{row['ranks']} ranks that {looks(row)}", *(", ".join(f"{v:.0f}" for v in row[what]) for what in ("signal", "bcast"))]
                  for row in data["signals"]], (1, 2))


def descent(data):
    same, transient = data["descent"]["same"], data["descent"]["transient"]
    return table(["", "always the same", "now and then"],
                 [[name, f"{same[name]:.2f}", f"{transient[name]:.2f}"] for name in same if name != "bulk-synchronous"], (1, 2))


def stencil(data):
    return table(["", "seconds", "work", "extra work", "idle"],
                 [[row["mode"], f"{row['seconds']:.2f}", *(f"{row[part]:.1f} %" for part in ("work", "extra", "idle"))]
                  for row in data["stencil"]], range(1, 5))


def tables(data):
    return {"programs": programs(data), "signals": signals(data), "descent": descent(data), "stencil": stencil(data),
            "load": f"Measured on {data['cores']} cores at a load of {data['load']:.1f}."}


def picture(data):
    """What the time is worth without extra work and with it, by program."""
    names = dict(zip(WORTHS, ("no extra work", "U = 0.5", "U = 0.9")))
    panels = [(title, [(one["shape"] if of == "here" else one["program"], {name: one[of][w] for w, name in names.items()})
                       for one in data["programs"]]) for title, of in (("paper", "paper"), ("measured here", "here"))]
    return plot.bars(panels, "worth of the time, %")
