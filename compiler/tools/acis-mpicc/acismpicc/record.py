"""The record that an object carries of how it was compiled.

One line of JSON in a section that linkers leave out of programs (SHF_EXCLUDE). It goes where the
object goes: into archives, caches and other folders. What is read from an object is checked like
any input: only flags that say what the source means or how code is made are repeated, none that
loads code into the compiler or names a file to write.
"""
import hashlib
import json
import os
import re
import subprocess

SECTION = ".acis.mpi"
VERSION = 1
LONGEST = 1 << 20

WITH_VALUE = ("-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-include", "-imacros",
              "-isysroot", "--param")
# Flags that load code into the compiler, or write files beside the object.
REFUSED = re.compile(r"-f(plugin|pass-plugin|dump|save|opt-info|callgraph|stack-usage|profile|"
                     r"test-coverage|auto-profile|time-trace|diagnostics-format|compare-debug)|"
                     r"-gsplit|-mllvm")
TAKEN = re.compile(r"-([IDU].+|isystem.+|iquote.+|O\w*|g[\w+=.-]*|W[\w+=.#-]*|w|ansi|pg?|pipe|"
                   r"pthread|-?std=[\w+:]+|Wp,-[DU][^,]*|nostdinc(\+\+)?|trigraphs|"
                   r"pedantic(-errors)?|m[\w=.,+-]+|f[\w=.,+:-]+|f(file|debug|macro)-prefix-map=.+)|"
                   r"--(sysroot=.+|param=.+)")


def flag_problem(flags):
    """The first flag that is not repeated; empty: all are."""
    flags = iter(flags)
    for flag in flags:
        if flag in WITH_VALUE:
            if next(flags, None) is None:
                return flag
        elif not TAKEN.fullmatch(flag) or REFUSED.match(flag):
            return flag
    return ""


class Record:
    """How one source became an object."""

    def __init__(self, source, directory, driver, language, flags, text):
        self.source, self.directory = source, directory  # the source as it was named there
        self.driver, self.language = driver, language    # cc or cxx; c or c++
        self.flags, self.text = flags, text              # text: hash(), empty for none

    @property
    def path(self):
        return os.path.normpath(os.path.join(self.directory, self.source))

    def write(self):
        fields = {"acis_mpi_record": VERSION, **vars(self)}
        return json.dumps(fields, sort_keys=True).encode() + b"\n"


def read(data):
    """(record, problem) of a section's bytes; exactly one of them is None."""
    if len(data) > LONGEST:
        return None, "its record is longer than any"
    lines = data.splitlines()
    if len(lines) != 1:
        return None, "it was made of several objects"
    try:
        fields = json.loads(lines[0])
    except (ValueError, RecursionError):
        return None, "its record cannot be read"
    if not isinstance(fields, dict) or fields.pop("acis_mpi_record", None) != VERSION:
        return None, "its record is of another version of acis-mpicc"
    texts = ("source", "directory", "driver", "language", "text")
    good = (set(fields) == {*texts, "flags"} and isinstance(fields["flags"], list)
            and all(isinstance(fields[name], str) for name in texts)
            and all(isinstance(flag, str) for flag in fields["flags"])
            and not any("\0" in text for text in [*map(fields.get, texts), *fields["flags"]])
            and os.path.isabs(fields["directory"]) and fields["source"][:1] not in ("", "-", "@")
            and fields["driver"] in ("cc", "cxx") and fields["language"] in ("c", "c++"))
    if not good:
        return None, "its record cannot be read"
    if flag := flag_problem(fields["flags"]):
        return None, f"it was compiled with '{flag}', which acis-mpicc does not repeat"
    return Record(**fields), None


def preprocessed(record, wrapper, include):
    """What the compiler reads, with every macro that it knows: bytes, or None where it fails.

    The hash of it covers the source, all headers, the flags that matter and the compiler itself.
    """
    fixed = ["-Wno-builtin-macro-redefined", "-D__DATE__=\"\"", "-D__TIME__=\"\"",
             "-D__TIMESTAMP__=\"\""]
    try:
        done = subprocess.run([wrapper, *include, *record.flags, *fixed, "-E", "-dD", "-x",
                               record.language, record.source, "-o", "-"], cwd=record.directory,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except OSError:  # no such folder
        return None
    return done.stdout if done.returncode == 0 else None


def hash_of(text):
    return hashlib.sha256(text).hexdigest()


def attach(record, target, work):
    """Puts the record into the object file `target`; what is no ELF object stays as it is."""
    file = os.path.join(work, "record")
    with open(file, "wb") as out:
        out.write(record.write())
    subprocess.run(["objcopy", f"--remove-section={SECTION}", f"--add-section={SECTION}={file}",
                    f"--set-section-flags={SECTION}=exclude", target],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
