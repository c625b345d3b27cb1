"""A manual page, in the macros of man(7), of what a tool says of itself."""
import re


def escape(text):
    """Text that roff prints as it is, options with minus signs that can be copied."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    text = text.replace("'", r"\(aq").replace("`", r"\(ga").replace("^", r"\(ha")
    text = text.replace("~", r"\(ti")
    # Lists without blanks may be broken behind commas.
    text = re.sub(r"\S{40,}", lambda word: word[0].replace(",", r",\:"), text)
    return r"\&" + text if text.startswith((".", r"\(aq")) else text


def bold_option(head):
    """The head of an entry, its names bold."""
    name = re.match(r"(?:-[^\s=<{]*)?", head)[0] or head
    return rf"\fB{escape(name)}\fR{escape(head[len(name):])}"


def paragraph(lines):
    if any(line.startswith(" ") for line in lines):
        return [".PP", ".nf", *map(escape, lines), ".fi"]
    return [".PP", *map(escape, lines)]


def synopsis(page):
    out = []
    for usage in page.usage:
        words = len(page.name.split())
        parts = usage.split()
        called = parts[:words] if " ".join(parts[:words]) == page.name else parts[:1]
        out += [".PP", rf"\fB{escape(' '.join(called))}\fR {escape(' '.join(parts[len(called):]))}"]
    return out


def body(page, heading):
    out = []
    for title, entries in page.sections:
        out.append(f'{heading} "{escape(title if heading == ".SS" else title.upper())}"')
        for entry in entries:
            out += [".TP", bold_option(entry.head), escape(entry.text or r"")]
    return [line for line in out if line]


def summary(page):
    """The first sentence of the description, as the line of apropos."""
    words = " ".join(line.strip() for line in page.prose[0]) if page.prose else page.name
    first = re.split(r"(?<=\w)\. |\.$|[:;] ", words)[0]
    return first if len(first) <= 100 else first.split(", ")[0]


def write(page, version):
    """The text of the page; `version` is that of the project."""
    out = [f'.TH "{escape(page.name.upper())}" 1 "" "ACiS {escape(version)}" "User Commands"',
           ".nh", ".ad l", ".SH NAME", rf"{escape(page.name)} \- {escape(summary(page))}",
           ".SH SYNOPSIS", *synopsis(page)[1:]]
    if page.prose:
        out.append(".SH DESCRIPTION")
        paragraphs = [line for lines in page.prose for line in paragraph(lines)]
        out += paragraphs[1:] if paragraphs[1] != ".nf" else paragraphs
    out += body(page, ".SH")
    for command in page.commands:
        out.append(f'.SH "{escape(command.name)}"')
        for lines in command.prose:
            out += paragraph(lines)
        out += [*synopsis(command), *body(command, ".SS")]
    # A paragraph directly behind a heading has its distance already.
    lines = [line for at, line in enumerate(out)
             if not (line == ".PP" and out[at - 1].startswith((".SH", ".SS")))]
    return "\n".join(lines) + "\n"
