#!/usr/bin/env python3
"""Makes a C function for a memory node of a sum-product network (docs/near-data.md)."""
import json
import math
import pathlib
import re
import subprocess
import sys
import typing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib/acis-tools"))
sys.dont_write_bytecode = True
from acis_commandline import Parser  # noqa: E402

VERSION = "@PROJECT_VERSION@"

MOST_NODES, MOST_DEPTH, MOST_BUCKETS = 10_000, 500, 256


class Problem(Exception):
    """What is wrong with the input, with its place."""


class Node(typing.NamedTuple):
    kind: str  #: sum, product, histogram, input
    children: tuple = ()  #: names
    weights: tuple = ()  #: sum: of the children
    variable: int = 0  #: histogram, input
    breaks: tuple = ()  #: histogram: bounds of buckets, one more than densities
    densities: tuple = ()


class Network(typing.NamedTuple):
    root: str
    nodes: dict  #: name: Node


def number(value, place, least=-math.inf):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or \
            value < least:
        bound = "" if least == -math.inf else " of at least %g" % least
        raise Problem("%s: %s; a number%s is needed" % (place, json.dumps(value), bound))
    return float(value)


def numbers(value, place, least=-math.inf):
    if not isinstance(value, list) or not value:
        raise Problem("%s: a list of numbers is needed" % place)
    return tuple(number(item, "%s[%d]" % (place, i), least) for i, item in enumerate(value))


def node_of(name, what):
    place = "node '%s'" % name
    fields = {"sum": {"children", "weights"}, "product": {"children"},
              "histogram": {"variable", "breaks", "densities"}, "input": {"variable"}}
    if not isinstance(what, dict) or not isinstance(what.get("type"), str) or what["type"] not in fields:
        raise Problem("%s: its type is one of %s" % (place, ", ".join(fields)))
    kind = what["type"]
    if set(what) - {"type"} != fields[kind]:
        raise Problem("%s: a %s has type, %s" % (place, kind, ", ".join(sorted(fields[kind]))))
    children = what.get("children", [])
    if not isinstance(children, list) or not all(isinstance(child, str) for child in children):
        raise Problem("%s: children is a list of names" % place)
    variable = what.get("variable", 0)
    if isinstance(variable, bool) or not isinstance(variable, int) or not 0 <= variable < 4096:
        raise Problem("%s: variable is %s; 0 to 4095 are allowed" % (place, json.dumps(variable)))
    return Node(kind, tuple(children),
                numbers(what["weights"], place + ", weights", 0) if kind == "sum" else (), variable,
                numbers(what["breaks"], place + ", breaks") if kind == "histogram" else (),
                numbers(what["densities"], place + ", densities", 0) if kind == "histogram" else ())


def unique(pairs):
    """json would take the last of two nodes with one name."""
    out = dict(pairs)
    if len(out) < len(pairs):
        names = [name for name, _ in pairs]
        raise Problem("'%s' stands there twice" % next(n for n in names if names.count(n) > 1))
    return out


def read_json(text):
    try:
        whole = json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise Problem("line %d, column %d: %s" % (error.lineno, error.colno, error.msg)) from None
    except RecursionError:
        raise Problem("it is nested too deep") from None
    if not isinstance(whole, dict) or set(whole) != {"root", "nodes"} or \
            not isinstance(whole["nodes"], dict) or not isinstance(whole["root"], str):
        raise Problem("a network has root, the name of a node, and nodes, by name")
    return Network(whole["root"], {name: node_of(name, what) for name, what in whole["nodes"].items()})


class Spflow:
    """SPFlow's equations: (0.3*(A * B) + 0.7*(C * D)), Histogram(V0|[0,1,2];[0.4,0.6])."""
    TOKEN = re.compile(r"\s*(?:(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
                       r"|(?P<name>[A-Za-z_]\w*)|(?P<sign>[()*+|;,\[\]]))")

    def __init__(self, text):
        self.text, self.at, self.nodes = text, 0, {}

    def wrong(self, what):
        before = self.text[:self.at]
        raise Problem("line %d, column %d: %s" % (before.count("\n") + 1, self.at - before.rfind("\n"), what))

    def peek(self):
        match = self.TOKEN.match(self.text, self.at)
        return match if match else None

    def take(self, kind, value=None):
        match = self.peek()
        if not match or match.lastgroup != kind or (value is not None and match[kind] != value):
            self.wrong("%s is needed" % (repr(value) if value else "a " + kind))
        self.at = match.end()
        return match[kind]

    def sees(self, kind, value=None):
        match = self.peek()
        return bool(match) and match.lastgroup == kind and (value is None or match[kind] == value)

    def add(self, node):
        if len(self.nodes) >= MOST_NODES:
            self.wrong("more than %d nodes" % MOST_NODES)
        name = "n%d" % len(self.nodes)
        self.nodes[name] = node
        return name

    def number(self):
        text = self.take("number")
        if not math.isfinite(float(text)):
            self.at -= len(text)
            self.wrong("%s is too large" % text)
        return float(text)

    def list(self):
        out = []
        self.take("sign", "[")
        while not out or self.sees("sign", ","):
            if out:
                self.take("sign", ",")
            out.append(self.number())
        self.take("sign", "]")
        return tuple(out)

    def histogram(self):
        name = self.take("name")
        if name != "Histogram":
            self.at -= len(name)
            self.wrong("leaves are Histogram; '%s' is not supported" % name)
        self.take("sign", "(")
        variable = self.take("name")
        digits = re.fullmatch(r"\D*(\d{1,4})", variable)
        if not digits or int(digits[1]) > 4095:
            self.at -= len(variable)
            self.wrong("variables are V0 to V4095")
        self.take("sign", "|")
        breaks = self.list()
        self.take("sign", ";")
        densities = self.list()
        self.take("sign", ")")
        return self.add(Node("histogram", variable=int(digits[1]), breaks=breaks, densities=densities))

    def term(self, depth):
        if depth > MOST_DEPTH:
            self.wrong("nested deeper than %d" % MOST_DEPTH)
        if self.sees("name"):
            return self.histogram()
        self.take("sign", "(")
        if self.sees("number"):
            weights, children = [], []
            while not weights or self.sees("sign", "+"):
                if weights:
                    self.take("sign", "+")
                weights.append(self.number())
                self.take("sign", "*")
                children.append(self.term(depth + 1))
            node = Node("sum", tuple(children), tuple(weights))
        else:
            children = [self.term(depth + 1)]
            while self.sees("sign", "*"):
                self.take("sign", "*")
                children.append(self.term(depth + 1))
            node = Node("product", tuple(children)) if len(children) > 1 else None
        self.take("sign", ")")
        return self.add(node) if node else children[0]

    def read(self):
        root = self.term(0)
        if self.text[self.at:].strip():
            self.wrong("nothing may follow")
        return Network(root, self.nodes)


def in_order(network):
    """Names below the root, children first. Without recursion: networks may be deep."""
    state, order = {}, []  # 1: its children are being looked at; 2: done
    stack = [(network.root, None)]
    while stack:
        name, parent = stack.pop()
        if name not in network.nodes:
            raise Problem("%s is not there" % ("root '%s'" % name if parent is None else
                                               "node '%s': its child '%s'" % (parent, name)))
        if parent == "end":
            state[name] = 2
            order.append(name)
        elif state.get(name) != 2:
            state[name] = 1
            stack.append((name, "end"))
            for child in reversed(network.nodes[name].children):
                if state.get(child) == 1:
                    raise Problem("node '%s': its child '%s' is above it: a cycle" % (name, child))
                if state.get(child) != 2:
                    stack.append((child, name))
    return list(dict.fromkeys(order))


def check(network, normalise):
    """The nodes below the root in order, as a valid network: each computes a probability."""
    if len(network.nodes) > MOST_NODES:
        raise Problem("%d nodes; at most %d are allowed" % (len(network.nodes), MOST_NODES))
    order = in_order(network)
    unused = set(network.nodes) - set(order)
    if unused:
        raise Problem("node '%s': is not below the root" % min(unused))
    scope, out = {}, {}
    for name in order:
        node, place = network.nodes[name], "node '%s'" % name
        if node.kind in ("sum", "product"):
            if not node.children:
                raise Problem("%s: a %s has one child or more" % (place, node.kind))
            scopes = [scope[child] for child in node.children]
            scope[name] = frozenset().union(*scopes)
        else:
            scope[name] = frozenset([node.variable])
        if node.kind == "product" and sum(map(len, scopes)) != len(scope[name]):
            twice = min(v for v in scope[name] if sum(v in s for s in scopes) > 1)
            raise Problem("%s: not decomposable: two of its children have variable %d" % (place, twice))
        if node.kind == "sum":
            for child, own in zip(node.children, scopes):
                if own != scope[name]:
                    raise Problem("%s: not complete: its child '%s' is without variable %d" %
                                  (place, child, min(scope[name] - own)))
            if len(node.weights) != len(node.children):
                raise Problem("%s: %d weights for %d children" %
                              (place, len(node.weights), len(node.children)))
            node = node._replace(weights=normal(node.weights, [1] * len(node.weights), place, "weights",
                                                normalise))
        if node.kind == "histogram":
            if len(node.breaks) != len(node.densities) + 1:
                raise Problem("%s: %d densities have %d breaks, not %d" % (
                    place, len(node.densities), len(node.densities) + 1, len(node.breaks)))
            if len(node.densities) > MOST_BUCKETS:
                raise Problem("%s: more than %d buckets" % (place, MOST_BUCKETS))
            widths = [b - a for a, b in zip(node.breaks, node.breaks[1:])]
            if min(widths) <= 0:
                raise Problem("%s: its breaks do not ascend" % place)
            node = node._replace(densities=normal(node.densities, widths, place, "densities", normalise))
        out[name] = node
    return out, scope[network.root]


def normal(values, widths, place, what, normalise):
    total = sum(v * w for v, w in zip(values, widths))
    if total <= 0 or any(v < 0 for v in values):
        raise Problem("%s: its %s are not positive" % (place, what))
    if normalise:
        values, total = tuple(v / total for v in values), 1
    if not all(map(math.isfinite, (total, *values))):
        raise Problem("%s: its %s are too large or too small" % (place, what))
    if abs(total - 1) > 1e-4:
        raise Problem("%s: its %s make %g, not 1; --normalise divides by that" % (place, what, total))
    return values


#: Of a type of C: what its bits are, the place of the exponent, its bias, what makes a number an
#: integer in its low bits, the bits of that and of the root of 1/2, the least exponent of exp, and
#: how many terms exp and log take.
Format = typing.NamedTuple("Format", [("bits", str), ("shift", int), ("bias", int), ("round", float),
                                      ("round_bits", int), ("half_bits", int), ("least", float),
                                      ("exp_terms", int), ("log_terms", int)])
FORMATS = {"double": Format("int64_t", 52, 1023, 1.5 * 2.0**52, 0x4338000000000000, 0x3fe6a09e667f3bcd,
                            -700.0, 13, 10),
           "float": Format("int32_t", 23, 127, 1.5 * 2.0**23, 0x4b400000, 0x3f3504f3, -80.0, 8, 5)}
#: ln 2 in two parts, the first so short that its products with exponents are exact.
LN2 = {"double": (float.fromhex("0x1.62e42fefa3800p-1"), float.fromhex("0x1.ef35793c76730p-45")),
       "float": (float.fromhex("0x1.62e400p-1"), float.fromhex("0x1.7f7d1cp-20"))}


def literal(value, element):
    suffix = "" if element == "double" else "f"
    if math.isinf(value):
        return "%s__builtin_inf%s()" % ("-" if value < 0 else "", suffix)
    return float(value).hex() + suffix


def polynomial(x, coefficients, element):
    """Lines of C that compute `<x>_sum`, by pairs: short ways, and a multiply-add for each coefficient."""
    terms, lines, power = [literal(c, element) for c in coefficients], [], x
    while len(terms) > 1:
        terms = ["(%s + %s * %s)" % (terms[i], power, terms[i + 1]) if i + 1 < len(terms) else terms[i]
                 for i in range(0, len(terms), 2)]
        if len(terms) > 1:
            lines.append("const %s %s2 = %s * %s;" % (element, power, power, power))
            power += "2"
    lines.append("const %s %s_sum = %s;" % (element, x, terms[0]))
    return "\n  ".join(lines)


def functions_of_logs(element):
    """spn_exp, of what is not positive, and spn_log, of sums of these."""
    f, text = FORMATS[element], lambda value: literal(value, element)
    high, low = LN2[element]
    return """typedef union {
  %(e)s value;
  %(i)s bits;
} spn_bits;

/* Of x <= 0; of what is not a number, too, that of the least. */
static inline %(e)s spn_exp(%(e)s x) {
  x = x > %(least)s ? x : %(least)s;
  spn_bits whole = {x * %(log2e)s + %(round)s}, power;
  const %(e)s k = whole.value - %(round)s;
  const %(e)s r = x - k * %(high)s - k * %(low)s;
  power.bits = (%(i)s)(((u%(i)s)whole.bits + %(bias)d) << %(shift)d);
  %(exp)s
  return power.value * r_sum;
}

/* Of x > 0: an exponent, and a number around 1. */
static inline %(e)s spn_log(%(e)s x) {
  spn_bits number = {x}, whole;
  const %(i)s exponent = (number.bits - %(half)d) >> %(shift)d;
  number.bits -= (%(i)s)((u%(i)s)exponent << %(shift)d);
  whole.bits = exponent + %(round_bits)d;
  const %(e)s k = whole.value - %(round)s;
  const %(e)s z = (number.value - %(one)s) / (number.value + %(one)s), square = z * z;
  %(log)s
  return k * %(high)s + (k * %(low)s + z * square_sum);
}
""" % {"e": element, "i": f.bits, "least": text(f.least), "log2e": text(1 / math.log(2)), "round": text(f.round),
       "high": text(high), "low": text(low), "bias": f.bias, "shift": f.shift, "half": f.half_bits,
       "round_bits": f.round_bits, "one": text(1.0),
       "exp": polynomial("r", [1 / math.factorial(n) for n in range(f.exp_terms)], element),
       "log": polynomial("square", [2 / (2 * n + 1) for n in range(f.log_terms)], element)}


def pairwise(items, operator):
    """The operator between all of them, as flat as can be."""
    while len(items) > 1:
        items = ["(%s %s %s)" % (items[i], operator, items[i + 1]) if i + 1 < len(items) else items[i]
                 for i in range(0, len(items), 2)]
    return items[0]


class Plain:
    """Nodes as C, with probabilities."""
    name, zero, prologue = "probabilities", 0.0, ""

    def __init__(self, element):
        self.element = element

    def density(self, value):
        return value

    def product(self, _, children):
        return pairwise(children, "*"), []

    def sum(self, _, weights, children):
        return pairwise(["%s * %s" % (literal(w, self.element), c) for w, c in zip(weights, children)], "+"), []


class Logarithms(Plain):
    """The same with their natural logarithms: of what cannot be, minus infinity."""
    name, zero = "logarithms of probabilities", -math.inf

    def __init__(self, element):
        super().__init__(element)
        self.prologue = functions_of_logs(element)

    def density(self, value):
        return math.log(value) if value > 0 else -math.inf

    def product(self, _, children):
        return pairwise(children, "+"), []

    def sum(self, variable, weights, children):
        """Around the largest term, so that nothing is too small for exp."""
        terms = ["%s_%d" % (variable, i) for i, w in enumerate(weights) if w > 0]
        lines = ["const %s %s_%d = %s + %s;" % (self.element, variable, i, literal(math.log(w), self.element), c)
                 for i, (w, c) in enumerate(zip(weights, children)) if w > 0]
        most = terms[0]
        for i, term in enumerate(terms[1:]):
            lines.append("const %s %s_most%d = %s > %s ? %s : %s;" % (self.element, variable, i, most, term, most, term))
            most = "%s_most%d" % (variable, i)
        if len(terms) == 1:
            return terms[0], lines
        if len(terms) == 2:  # the larger one's power is 1
            lines.append("const %s %s_least = %s > %s ? %s : %s;" % (self.element, variable, *terms, *terms[::-1]))
            powers = [literal(1.0, self.element), "spn_exp(%s_least - %s)" % (variable, most)]
        else:
            powers = ["spn_exp(%s - %s)" % (term, most) for term in terms]
        return "%s + spn_log(%s)" % (most, pairwise(powers, "+")), lines


def histogram(variable, node, of, domain):
    """Lines of C that look up the density: not nested, however many buckets there are."""
    x, element = of[node.variable], domain.element
    lines = ["%s %s = %s;" % (element, variable, literal(domain.zero, element))]
    densities = [domain.density(d) for d in node.densities]
    for bound, density in reversed([(node.breaks[0], domain.zero), *zip(node.breaks[1:], densities)]):
        lines.append("%s = %s < %s ? %s : %s;" % (variable, x, literal(bound, element),
                                                  literal(density, element), variable))
    return lines


def lines_of(variable, node, of, domain):
    """A node as C; `of`: the variables of its children by name, and of inputs by number."""
    if node.kind == "histogram":
        return histogram(variable, node, of, domain)
    children, lines = [of[child] for child in node.children], []
    if node.kind == "input":
        value = of[node.variable]
    elif node.kind == "product":
        value, lines = domain.product(variable, children)
    else:
        value, lines = domain.sum(variable, node.weights, children)
    return [*lines, "const %s %s = %s;" % (domain.element, variable, value)]


def program(nodes, variables, name, domain, source):
    element, variables = domain.element, sorted(variables)
    place = {v: i for i, v in enumerate(variables)}
    of = {v: "x%d" % v for v in variables}
    lines = ["/* Made by acis-spn of %s: %d nodes, %d variables." % (source, len(nodes), len(variables)),
             " * Rows lie by columns: the packet is that of variable %d, behind the memory pointer are" %
             variables[0],
             " * those of the other variables, one after the other. Inputs and the result are",
             " * %s. */" % domain.name, "#include <acis.h>", "", domain.prologue,
             "ACIS_HANDLER void %s(const %s *restrict in, %s *restrict out," % (name, element, element),
             "                  const %s *restrict mem, uint32_t *len) {" % element,
             "  const uint32_t rows = *len / sizeof(%s);" % element,
             "  for (uint32_t i = 0; i < rows; ++i) {"]
    for v in variables:
        k = place[v]
        at = "in[i]" if k == 0 else "mem[%si]" % ("" if k == 1 else "%d * rows + " % (k - 1))
        lines.append("    const %s x%d = %s;" % (element, v, at))
    for i, (key, node) in enumerate(nodes.items()):
        of[key] = "p%d" % i
        lines += ["    " + line for line in lines_of(of[key], node, of, domain)]
    lines += ["    out[i] = p%d;" % (len(nodes) - 1), "  }", "  *len = rows * sizeof(%s);" % element, "}", ""]
    return "\n".join(lines)


def main():
    parser = Parser(prog="acis-spn", description=__doc__, allow_abbrev=False)
    parser.add_argument("--version", action="version", version="acis-spn " + VERSION)
    parser.add_argument("network", help="JSON, or SPFlow's text if it does not end in .json")
    parser.add_argument("-o", dest="output", required=True,
                        help="a C file; with --config, a binary, by the acisc in PATH")
    parser.add_argument("--name", default="spn", help="of the handler (default: spn)")
    parser.add_argument("--type", choices=("f32", "f64"), default="f64", help="default: f64")
    parser.add_argument("--log", action="store_true",
                        help="with natural logarithms, so that no probability is too small: of inputs and result, too")
    parser.add_argument("--normalise", action="store_true", help="divide weights and densities by their sum")
    parser.add_argument("--config", help="overlay: compile, too, with --report")
    options = parser.parse_args(sys.argv[1:])
    if not re.fullmatch(r"[A-Za-z_]\w{0,99}", options.name):
        parser.error("--name: '%s' is no name in C" % options.name)
    path = pathlib.Path(options.network)
    try:
        text = path.read_text(encoding="utf-8")
        network = read_json(text) if path.suffix == ".json" else Spflow(text).read()
        nodes, variables = check(network, options.normalise)
    except Problem as problem:
        sys.exit("acis-spn: error: %s: %s" % (path, problem))
    except (OSError, UnicodeDecodeError) as error:
        sys.exit("acis-spn: error: %s: cannot be read: %s" % (path, getattr(error, "strerror", None) or error))
    domain = (Logarithms if options.log else Plain)("double" if options.type == "f64" else "float")
    made = program(nodes, variables, options.name, domain, path.name)
    target = pathlib.Path(options.output)
    code = target.with_suffix(".spn.c") if options.config else target
    try:
        code.write_text(made, encoding="utf-8")
        if options.config:
            try:
                result = subprocess.run(["acisc", code, "--config", options.config, "-o", target, "--report",
                                         "--mapper=persistent"])
            finally:
                code.unlink()
            sys.exit(result.returncode)
    except OSError as error:
        sys.exit("acis-spn: error: %s: %s" % (error.filename or code, error.strerror))


if __name__ == "__main__":
    main()
