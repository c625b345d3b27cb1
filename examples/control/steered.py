"""What the examples of this folder share: a switch of their own, and a plot."""
import contextlib
import os
import pathlib
import subprocess
import sys

# One that is installed or built, which has more, comes first.
sys.path.append(os.path.join(os.path.dirname(__file__), "../../compiler/python"))

COLOURS = ["#c0504d", "#4878a8", "#6a9e4f", "#8064a2", "#d08030"]
LEFT, RIGHT, TOP, BOTTOM = 60, 620, 20, 350  # of the plot's area, in pixels


def fail(message):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: error: {message}")


def start(command, **options):
    """A process; its failure to start says what to do."""
    try:
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)
    except OSError as problem:
        fail(f"{command[0]}: {problem.strerror}; it is in bin/ of the build folder, which has to be in PATH")


@contextlib.contextmanager
def switch():
    """The address of an acisd that ends with the block: runs do not share anything."""
    process = start(["acisd", "--listen", "127.0.0.1:0"])
    try:
        line = process.stdout.readline()
        if not line:
            fail("acisd ended before it listened")
        yield line.split()[-1]
    finally:
        process.terminate()
        process.wait()


class Plot:
    """Coordinates are those of the data: 0 to `widest` across, 0 to `highest` up."""

    def __init__(self, across, up, widest, highest):
        self.widest, self.highest = widest, highest
        self.out = ["<svg xmlns='http://www.w3.org/2000/svg' width='640' height='400' font-family='sans-serif' "
                    "font-size='12'>", "<rect width='640' height='400' fill='white'/>",
                    f"<path d='M{LEFT} {TOP}V{BOTTOM}H{RIGHT}' fill='none' stroke='black'/>",
                    f"<text x='66' y='16'>{up}</text>"]
        self.text((LEFT + RIGHT) / 2, 385, across, "middle")

    def x(self, value):
        return LEFT + (RIGHT - LEFT) * value / self.widest

    def y(self, value):
        return BOTTOM - (BOTTOM - TOP) * min(1, value / self.highest)

    def text(self, x, y, text, anchor="start", colour="black"):
        self.out.append(f"<text x='{x:.0f}' y='{y:.0f}' text-anchor='{anchor}' fill='{colour}'>{text}</text>")

    def across(self, value, text):
        self.text(self.x(value), 366, text, "middle")

    def up(self, value, text):
        self.text(LEFT - 6, self.y(value) + 4, text, "end")

    def key(self, at, name, colour, x=440):
        self.text(x, 40 + 16 * at, name, colour=colour)

    def line(self, points, colour, width=1):
        listed = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        self.out.append(f"<polyline fill='none' stroke='{colour}' stroke-width='{width}' points='{listed}'/>")

    def bar(self, x, width, low, high, colour):
        self.out.append(f"<rect x='{self.x(x):.1f}' y='{self.y(high):.1f}' width='{self.x(width) - LEFT:.1f}' "
                        f"height='{self.y(low) - self.y(high):.1f}' fill='{colour}'/>")

    def write(self, path):
        try:
            pathlib.Path(path).write_text("\n".join(self.out) + "</svg>\n")
        except OSError as problem:
            fail(f"{path}: {problem.strerror}; name another file for --svg")
