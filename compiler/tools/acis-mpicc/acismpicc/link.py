"""The whole program at link time.

The program is linked as it is, and the linker says what it took. Sources that the records of
these objects name are given to acisc together; of files that it rewrites new objects are made,
and a second link takes them in place of the plain ones. Whatever stands against that leaves the
plain object, or the plain program, and is said.
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys

from acismpicc import objects, record

SYSTEM = ("/usr/", "/lib/", "/lib64/")
# What the frontend of acisc has to know; others are of the code generator, or of other compilers.
MEANING = re.compile(r"-(D|U|I|Wp,-|isystem|iquote|-?std=|ansi|fopenmp|f(un)?signed-char|"
                     r"fshort-enums|fno-exceptions|fno-rtti|ffast-math|O|m(32|64|arch=|sse|avx|fma)|nostdinc|"
                     r"trigraphs|pthread|f(ms|plan9)-extensions|f(no-)?builtin$).*|--sysroot=.*")


def meaning(flags):
    """The flags that decide what a source means."""
    result, flags = [], iter(flags)
    for flag in flags:
        if flag in record.WITH_VALUE:
            value = next(flags, "")
            result += [flag, value] if flag != "--param" else []
        elif MEANING.fullmatch(flag):
            result.append(flag)
    return result


class Part:
    """An input of the linker with the source that its record names."""

    def __init__(self, given, found):
        self.given, self.record = given, found
        self.usesMpi, self.problem, self.new = False, "", ""


class Program:
    """`names` of objects that the command has made of its sources."""

    def __init__(self, tool, arguments, output, work, names):
        self.tool, self.arguments, self.work, self.names = tool, arguments, work, names
        self.output = output or "a.out"
        self.parts, self.unseen, self.own_mpi = [], [], set()

    def remark(self, name, text, always=True):
        name = self.names.get(name, name)
        if always or self.tool.remarks:
            print(f"acis-mpicc: remark: {name}: {text}", file=sys.stderr)

    def build(self):
        """The exit code of the linker."""
        code, inputs = self._link(self.arguments)
        if code:
            return code
        self._look_at(inputs)
        self._check()
        said = {"candidates": [], "files": []}
        if any(part.usesMpi for part in self.parts):
            said = self._rewrite(said)
        rewritten = self._compile({entry["file"]: entry for entry in said["files"]})
        if rewritten and not self._link_anew(rewritten):
            rewritten = []
        self._say(rewritten)
        return self._report(said)

    # What the program is made of ---------------------------------------------------------------

    def _link(self, arguments, errors=None):
        """The linker's exit code and what it took, in its order."""
        done = subprocess.run([*self.tool.link, *arguments, "-Wl,-t,-t", *self.tool.library],
                              stdout=subprocess.PIPE, stderr=errors)
        inputs = {}
        for line in done.stdout.decode(errors="surrogateescape").splitlines(keepends=True):
            if found := objects.traced(line):
                inputs[found] = None
            elif not errors and not line.endswith(".o\n"):  # of the compiler, and gone
                sys.stdout.buffer.write(line.encode(errors="surrogateescape"))
        sys.stdout.flush()
        return done.returncode, inputs

    def _look_at(self, inputs):
        for path, member in inputs:
            given = objects.Input(path, member)
            own = given.object.defines()
            name = os.path.basename(path)
            data = given.object.section(record.SECTION)
            if data is None and not name.startswith("libacis-"):
                # A library of MPI has PMPI_ names for its own.
                self.own_mpi |= {n for n in own if n.startswith("MPI_") and "P" + n not in own}
            if data is not None:
                found, problem = record.read(data)
                if found:
                    self.parts.append(Part(given, found))
                else:
                    self._not_seen(given, problem, always=True)
            elif not path.startswith(SYSTEM) and not name.startswith("libacis-") and not (
                    not member and name.endswith(".a")):
                self._not_seen(given, "it has no record of its source")

    def _not_seen(self, given, why, always=False):
        self.unseen.append((self.names.get(given.name, given.name), why))
        self.remark(given.name, f"not looked into: {why}; calls into it count as communication",
                    always)

    def _check(self):
        """Leaves out parts whose source is not what was compiled."""
        sources = {}
        for part in self.parts:
            sources.setdefault(os.path.realpath(part.record.path), []).append(part)
        for same in sources.values():
            if len(same) > 1:
                for part in same:
                    part.problem = f"'{part.record.source}' is in the program twice"
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(self._check_part, self.parts))
        for part in self.parts:
            if part.problem:
                self._not_seen(part.given, part.problem, always=True)
        self.parts = [part for part in self.parts if not part.problem]

    def _check_part(self, part):
        if part.problem:
            return
        if not os.path.isfile(part.record.path):
            part.problem = f"its source '{part.record.path}' is not there"
            return
        text = record.preprocessed(part.record, self.tool.wrappers[part.record.driver],
                                   self.tool.include)
        if text is None or record.hash_of(text) != part.record.text:
            part.problem = (f"its source '{part.record.path}', a header or the compiler has "
                            "changed since")
            return
        part.usesMpi = b"MPI_" in text

    # Rewriting ---------------------------------------------------------------------------------

    def _name(self, part):
        """As people see it; unique."""
        near = os.path.relpath(part.record.path)
        return part.record.path if near.startswith("..") else near

    def _rewrite(self, nothing):
        """Runs acisc: its report; `nothing` if it made none."""
        database = [{"directory": part.record.directory, "file": part.record.path,
                     "arguments": ["c++" if part.record.language == "c++" else "cc",
                                   *system(self.tool.include), *meaning(part.record.flags),
                                   *system(self.tool.mpi_include(part.record.driver)), "-x",
                                   part.record.language, "-c", part.record.path]}
                    for part in self.parts]
        with open(os.path.join(self.work, "compile_commands.json"), "w") as file:
            json.dump(database, file)
        report = os.path.join(self.work, "report.json")
        command = [*self.tool.acisc, "-p", self.work, f"--output-dir={self.work}/new",
                   f"--mpi-report={report}",
                   "--no-whole-program" if self._binds_otherwise() else "--whole-program"]
        if self.own_mpi:
            command.append("--own-mpi=" + ",".join(sorted(self.own_mpi)))
        subprocess.run([*command, *map(self._name, self.parts)])
        if not os.path.exists(report):
            return nothing
        with open(report) as file:
            return json.load(file)

    def _report(self, said):
        """Writes what was found for --acis-report; the exit code."""
        if not self.tool.report:
            return 0
        for entry in said["files"]:
            entry.pop("output", None)  # in the scratch folder
        said["unseen"] = [{"file": name, "reason": why} for name, why in self.unseen]
        try:
            with open(self.tool.report, "w") as file:
                json.dump(said, file, indent=2)
                file.write("\n")
        except OSError as error:
            print(f"acis-mpicc: error: cannot write '{self.tool.report}': {error.strerror}",
                  file=sys.stderr)
            return 1
        return 0

    def _binds_otherwise(self):
        """A name may mean another function than the one that is called so."""
        return any(word in argument for argument in self.arguments
                   for word in ("--wrap", "--defsym", "-Bsymbolic", "--allow-multiple-definition"))

    def _compile(self, said):
        """The parts that have a new object."""
        done = []
        for number, part in enumerate(self.parts):
            text = said.get(self._name(part), {}).get("output")
            if text and self._compile_part(part, text, number):
                done.append(part)
        return done

    def _compile_part(self, part, text, number):
        found = part.record
        with open(text, errors="surrogateescape", newline="") as file:
            lines = file.read()
        mark = "\ufeff" if lines.startswith("\ufeff") else ""
        lines = re.sub(r'(?m)^(#line \d+ )"[^"\n]*"$', lambda m: m[1] + quoted(found.source),
                       lines[len(mark):])
        with open(text, "w", errors="surrogateescape", newline="") as file:
            file.write(f"{mark}#line 1 {quoted(found.source)}\n{lines}")
        folder = os.path.join(self.work, "objects", str(number))
        os.makedirs(folder)
        # Of an archive the member keeps its name.
        part.new = os.path.join(folder, os.path.basename(part.given.member or part.given.path))
        # What there is to warn of was said when the plain object was made.
        done = subprocess.run(
            [self.tool.wrappers[found.driver], *self.tool.include, *found.flags, "-w", "-iquote",
             os.path.dirname(found.path), "-c", "-x", found.language, text, "-o", part.new],
            cwd=found.directory, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            self.remark(part.given.name, "linked as it is: the rewritten text of "
                        f"'{found.source}' does not compile: {first_error(done.stderr)}")
        return done.returncode == 0

    def _link_anew(self, parts):
        """Whether the program is now made of the new objects."""
        places, folders = {}, []
        for part in parts:
            path = os.path.abspath(part.given.path)
            if not part.given.member:
                places[path] = part.new
                continue
            if path not in places:
                folder = os.path.join(self.work, "archives", str(len(folders)))
                os.makedirs(folder)
                folders.append(folder)
                places[path] = shutil.copy(path, folder)
            subprocess.run(["ar", "r", places[path], part.new], stderr=subprocess.DEVNULL)
        used = set()

        def placed(word):
            new = places.get(os.path.abspath(word)) if word[:1] not in ("", "-") else None
            used.update([new] if new else [])
            return new or word

        arguments = [",".join(map(placed, a.split(","))) if a.startswith("-Wl,") else placed(a)
                     for a in without_output(self.arguments)]
        # What no argument names was found in a folder; ours come first.
        search = [f"-L{os.path.dirname(new)}" for new in places.values() if new not in used]
        fresh = os.path.join(self.work, "program")
        code, inputs = self._link([*search, *arguments, "-o", fresh], subprocess.DEVNULL)
        for part in parts:
            where = places[os.path.abspath(part.given.path)]
            if code == 0 and (where, part.given.member) not in inputs:
                self.remark(part.given.name, "no argument names where the linker found it")
                code = 1
        if code:
            self.remark(self.output, "linked as it is: the linker does not take the new objects")
        elif os.path.isfile(self.output):  # not /dev/null
            shutil.copy(fresh, self.output)
        return code == 0

    def _say(self, rewritten):
        text = f"{len(self.parts)} files seen, {len(rewritten)} rewritten"
        if rewritten:
            text += ": " + ", ".join(map(self._name, rewritten))
        self.remark(self.output, text, always=False)


def system(includes):
    """What these headers call is not the program's."""
    return ["-isystem" + flag[2:] for flag in includes]


def quoted(name):
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def first_error(text):
    return next((line for line in text.splitlines() if "error" in line or "undefined" in line),
                (text.splitlines() or ["it says nothing"])[0])


def without_output(arguments):
    result, skip = [], False
    for argument in arguments:
        if not skip and argument != "-o" and not argument.startswith("-o"):
            result.append(argument)
        skip = argument == "-o" and not skip
    return result
