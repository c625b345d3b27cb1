"""What a tool says of itself, read into a structure: manual pages and completions are made of it.

Read is what CLI11, LLVM's option tables, argparse and our scripts print for --help: a description,
lines of usage, sections of entries (an option or a command, then what it does, from a column that
is the same in the section), and paragraphs. Commands (`acisctl load`) and modes (`acisc --mpi`)
have a help of their own and are read, too.
"""
import os
import re
import subprocess
from dataclasses import dataclass, field


@dataclass
class Entry:
    head: str  # "-n,--np N:UINT in [1 - 65536]"
    text: str


@dataclass
class Help:
    name: str  # "acisctl load"
    usage: list = field(default_factory=list)
    prose: list = field(default_factory=list)  # paragraphs: lists of lines
    sections: list = field(default_factory=list)  # (title, entries)
    commands: list = field(default_factory=list)  # Help of each command or mode

    def entries(self):
        return [entry for _, entries in self.sections for entry in entries]


class Unreadable(Exception):
    """The tool cannot be run, or prints no help that is understood."""


def ask(path, tool, words):
    """What the tool prints when it is asked under its plain name."""
    try:
        done = subprocess.run([tool, *words, "--help"], executable=path, capture_output=True,
                              text=True, timeout=60, stdin=subprocess.DEVNULL,
                              env={**os.environ, "COLUMNS": "200", "LC_ALL": "C.UTF-8"})
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError) as error:
        raise Unreadable(f"{' '.join([tool, *words])} --help: {error}") from error
    if done.returncode != 0 or not done.stdout.strip():
        raise Unreadable(f"{' '.join([tool, *words])} --help: exit code {done.returncode}, "
                         f"{done.stderr.strip() or 'no text'}; it has to print its help on "
                         "standard output")
    return done.stdout.replace(path, tool)


def indent(line):
    return len(line) - len(line.lstrip())


def blocks(lines):
    """Runs of lines without an empty one."""
    found = [[]]
    for line in lines:
        if line.strip():
            found[-1].append(line.rstrip())
        elif found[-1]:
            found.append([])
    return [block for block in found if block]


def text_column(lines):
    """Where descriptions begin: most often after two spaces, else where lines go on."""
    least = min(map(indent, lines))
    columns = [match.end() for line in lines if indent(line) == least
               if (match := re.match(r" *\S+(?: \S+)*  +(?=\S)", line))]
    columns = columns or [indent(line) for line in lines if indent(line) > least]
    # Two may be as frequent: heads of one width, cut at two spaces of their own.
    return max(columns, key=lambda column: (columns.count(column), column), default=None)


def entries_of(lines):
    least, column = min(map(indent, lines)), text_column(lines)
    entries = []
    for line in lines:
        if indent(line) > least and entries:
            entries[-1].text = f"{entries[-1].text} {line.strip()}".strip()
        elif column and len(line) > column and line[column - 1] == " " != line[column]:
            entries.append(Entry(line[:column].strip(), line[column:].strip()))
        else:
            head, _, text = line.strip().partition("  " if column else " ")
            entries.append(Entry(head, text.strip()))
    return entries


def parse(name, printed):
    """The Help of what `name --help` printed, without its commands."""
    made = Help(name)
    lines, rest = printed.expandtabs().splitlines(), []
    while lines:
        line = lines.pop(0)
        if not re.match(r"usage:", line, re.I):
            rest.append(re.sub(r"^OVERVIEW: (?:[\w-]+: )?", "", line))
            continue
        made.usage.append(line.split(":", 1)[1].strip())
        while lines and lines[0].startswith(" ") and lines[0].strip():
            more = lines.pop(0).strip()
            if more.split()[0] == name.split()[0]:
                made.usage.append(more)
            else:
                made.usage[-1] += " " + more
        rest.append("")
    if not made.usage:
        raise Unreadable(f"{name} --help: no line begins with 'usage:'")
    title = None
    for block in blocks(rest):
        if block[0].startswith(" "):
            if title or block[0].lstrip()[0] in "-<":
                made.sections.append((title or "Options", entries_of(block)))
            else:
                made.prose.append(block)
        elif block[0].endswith(":") and (len(block) == 1 or all(map(indent, block[1:]))):
            title = block[0][:-1]
            if len(block) > 1:
                made.sections.append((title, entries_of(block[1:])))
        else:
            title = None
            made.prose.append(block)
    if not made.entries():
        raise Unreadable(f"{name} --help: no options are listed")
    return made


def read(path, tool, words=()):
    """The Help of a tool, or of a command or mode of it, with those below."""
    name = " ".join([tool, *words])
    printed = ask(path, tool, words)
    made = parse(name, printed)
    below = [entry.head for title, entries in made.sections if title.lower() == "subcommands"
             for entry in entries]
    below += re.findall(rf"see {re.escape(name)} (--\S+) --help", " ".join(printed.split()))
    for word in dict.fromkeys(below):
        if word not in words:
            made.commands.append(read(path, tool, (*words, word)))
    return made
