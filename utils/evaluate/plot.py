"""Plots as plain SVG: lines over numbers (both axes logarithmic or not) and groups of bars."""
import html
import math

COLORS = ["#1b6ca8", "#c8553d", "#3f7d20", "#7a4ea3", "#b8860b", "#2a9d8f", "#8b5a2b", "#6b6b6b"]
LEFT, TOP, PANEL, HIGH, GAP = 64, 44, 300, 220, 74


def number(value):
    for unit, name in ((2**20, "M"), (2**10, "K")):
        if value >= unit and value % unit == 0:
            return f"{value // unit:g}{name}"
    return f"{value:g}"


def text(x, y, what, anchor="middle", size=11, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" {more}>{html.escape(str(what))}</text>'


class Axis:
    """Places of values between two ends of a picture."""

    def __init__(self, values, begin, end, log, zero=False):
        low, high = min(values), max(values)
        self.log = log and low > 0
        if self.log:
            low, high = math.log10(low), math.log10(high)
        elif zero:
            low = min(0, low)
        if high - low < 1e-9:
            low, high = low - 0.5, high + 0.5
        if not zero or self.log:
            margin = 0.04 * (high - low)
            low, high = low - margin, high + margin
        else:
            high += 0.06 * (high - low)
        self.low, self.high, self.begin, self.end = low, high, begin, end

    def at(self, value):
        value = math.log10(max(value, 1e-12)) if self.log else value
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self):
        if self.log:
            powers = range(math.ceil(self.low), math.floor(self.high) + 1)
            found = [10.0**p for p in powers]
            if len(found) < 3:
                found = [m * 10.0**p for p in range(math.floor(self.low), math.ceil(self.high) + 1)
                         for m in (1, 2, 5) if self.low <= math.log10(m * 10.0**p) <= self.high]
            return found
        step = 10 ** math.floor(math.log10((self.high - self.low) / 3))
        step = next(step * m for m in (1, 2, 5, 10) if (self.high - self.low) / (step * m) <= 6)
        first = math.ceil(self.low / step)
        return [k * step for k in range(first, math.floor(self.high / step) + 1)]


def frame(out, left, top, x, y, xticks, title, across, up):
    for value in xticks:
        at = x.at(value)
        out.append(f'<line x1="{at:.1f}" y1="{top}" x2="{at:.1f}" y2="{top + HIGH}" stroke="#e4e4e4"/>')
        out.append(text(at, top + HIGH + 15, number(value), size=10))
    scale(out, left, top, y)
    out.append(f'<rect x="{left}" y="{top}" width="{PANEL}" height="{HIGH}" fill="none" stroke="#888"/>')
    out.append(text(left + PANEL / 2, top - 8, title, size=12, more='font-weight="bold"'))
    out.append(text(left + PANEL / 2, top + HIGH + 31, across))
    out.append(text(left - 46, top + HIGH / 2, up, more=f'transform="rotate(-90 {left - 46} {top + HIGH / 2})"'))


def scale(out, left, top, y):
    for value in y.ticks():
        at = y.at(value)
        if top - 1 <= at <= top + HIGH + 1:
            out.append(f'<line x1="{left}" y1="{at:.1f}" x2="{left + PANEL}" y2="{at:.1f}" stroke="#e4e4e4"/>')
            out.append(text(left - 5, at + 4, f"{value:g}", "end", 10))


def page(panels, columns, draw, names, dashed=()):
    """An SVG of panels, each drawn by draw(out, panel, left, top), with a legend below."""
    rows = math.ceil(len(panels) / columns)
    columns = min(columns, len(panels))
    width = columns * (PANEL + GAP) + 20
    step = max([190, *(math.ceil(46 + 6.2 * len(str(name))) for name in names)])
    perRow = max(1, (width - LEFT) // step)
    height = rows * (HIGH + GAP + 16) + 20 + 18 * math.ceil(len(names) / perRow)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for place, panel in enumerate(panels):
        draw(out, panel, LEFT + place % columns * (PANEL + GAP), TOP + place // columns * (HIGH + GAP + 16))
    below = TOP + rows * (HIGH + GAP + 16) - 22
    for place, name in enumerate(names):
        x, y = LEFT + place % perRow * step, below + 18 * (place // perRow)
        out.append(f'<line x1="{x}" y1="{y}" x2="{x + 22}" y2="{y}" stroke="{COLORS[place % len(COLORS)]}" '
                   f'stroke-width="4"{DASH if name in dashed else ""}/>')
        out.append(text(x + 28, y + 4, name, "start"))
    return "\n".join(out + ["</svg>"]) + "\n"


DASH = ' stroke-dasharray="5 3"'


def lines(panels, across, up, columns=3, logx=True, logy=True, dashed=()):
    """panels: [(title, {name: [(x, y)]})]; the same name has the same colour in each."""
    names = list(dict.fromkeys(name for _, curves in panels for name in curves))

    def draw(out, panel, left, top):
        title, curves = panel
        points = [p for curve in curves.values() for p in curve]
        if not points:
            return
        xs = sorted({p[0] for p in points})
        x = Axis(xs, left, left + PANEL, logx)
        y = Axis([p[1] for p in points], top + HIGH, top, logy, zero=not logy)
        every = math.ceil(len(xs) / 9)
        frame(out, left, top, x, y, xs[::every], title, across, up)
        for name, curve in curves.items():
            color, dash = COLORS[names.index(name) % len(COLORS)], DASH if name in dashed else ""
            way = " ".join(f"{x.at(a):.1f},{y.at(b):.1f}" for a, b in sorted(curve))
            out.append(f'<polyline points="{way}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
            out += [f'<circle cx="{x.at(a):.1f}" cy="{y.at(b):.1f}" r="2.5" fill="{color}"/>' for a, b in curve]

    return page(panels, columns, draw, names, dashed)


def bars(panels, up, columns=2, log=False, line=None):
    """panels: [(title, [(group, {name: value})])]; `line`: a value to draw across."""
    names = list(dict.fromkeys(name for _, groups in panels for _, values in groups for name in values))

    def draw(out, panel, left, top):
        title, groups = panel
        values = [v for _, row in groups for v in row.values()] + ([line] if line else [])
        y = Axis(values, top + HIGH, top, log, zero=not log)
        scale(out, left, top, y)
        out.append(f'<rect x="{left}" y="{top}" width="{PANEL}" height="{HIGH}" fill="none" stroke="#888"/>')
        out.append(text(left + PANEL / 2, top - 8, title, size=12, more='font-weight="bold"'))
        out.append(text(left - 46, top + HIGH / 2, up, more=f'transform="rotate(-90 {left - 46} {top + HIGH / 2})"'))
        wide = PANEL / len(groups)
        base = y.at(0) if not y.log else top + HIGH
        for place, (group, row) in enumerate(groups):
            bar = wide * 0.8 / len(names)
            for name, value in row.items():
                x = left + place * wide + wide * 0.1 + names.index(name) * bar
                to = y.at(value)
                out.append(f'<rect x="{x:.1f}" y="{min(to, base):.1f}" width="{bar * 0.92:.1f}" '
                           f'height="{abs(base - to):.1f}" fill="{COLORS[names.index(name) % len(COLORS)]}"/>')
            at = left + (place + 0.5) * wide
            small = len(groups) > 4 or sum(len(str(name)) for name, _ in groups) > 45
            out.append(text(at, top + HIGH + (12 if small else 15), group, "end" if small else "middle", 10,
                            f'transform="rotate(-28 {at:.1f} {top + HIGH + 12})"' if small else ""))
        if line:
            out.append(f'<line x1="{left}" y1="{y.at(line):.1f}" x2="{left + PANEL}" y2="{y.at(line):.1f}" stroke="#333"{DASH}/>')

    return page(panels, columns, draw, names)


def heat(panels, across, up, columns=2):
    """panels: [(title, [x names], [y names], {(x, y): value})]; values around 1: red below, green above."""

    def draw(out, panel, left, top):
        title, xs, ys, values = panel
        wide, high = PANEL / len(xs), HIGH / len(ys)
        for (a, b), value in values.items():
            x, y = left + xs.index(a) * wide, top + HIGH - (ys.index(b) + 1) * high
            strength = min(1.0, abs(math.log2(max(value, 1e-6))) / 4)
            color = (f"rgb({int(245 - 175 * strength)},{int(245 - 60 * strength)},{int(245 - 150 * strength)})" if value >= 1
                     else f"rgb({int(245 - 40 * strength)},{int(245 - 160 * strength)},{int(245 - 165 * strength)})")
            out.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{color}" stroke="white"/>')
            out.append(text(x + wide / 2, y + high / 2 + 4, f"{value:.2g}" if value < 10 else f"{value:.0f}", size=10))
        for a in xs:
            out.append(text(left + (xs.index(a) + 0.5) * wide, top + HIGH + 15, a, size=10))
        for b in ys:
            out.append(text(left - 5, top + HIGH - (ys.index(b) + 0.5) * high + 4, b, "end", 10))
        out.append(text(left + PANEL / 2, top - 8, title, size=12, more='font-weight="bold"'))
        out.append(text(left + PANEL / 2, top + HIGH + 31, across))
        out.append(text(left - 46, top + HIGH / 2, up, more=f'transform="rotate(-90 {left - 46} {top + HIGH / 2})"'))

    return page(panels, columns, draw, [])
