"""usage: compile.py FOLDER SOURCE"""
import json
import os
import pathlib
import pickle
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(__file__))
import acis
from raises import raises

folder, source = map(pathlib.Path, sys.argv[1:])
os.chdir(folder)

SCALE = """#include <acis.h>

ACIS_HANDLER void scale(const float *restrict in, float *restrict out,
                        const float *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] * 2.5f + 1.0f;
}
"""

# Text and file give the binary that acisc gives, byte for byte.
binary = acis.compile(SCALE, overlay="u280", name="scale.c")
pathlib.Path("scale.c").write_text(SCALE)
assert bytes(acis.compile("scale.c")) == bytes(binary)
assert bytes(acis.compile(pathlib.Path("scale.c"), overlay="u280.json")) == bytes(binary)
subprocess.run(["acisc", "scale.c", "--config=u280.json", "-o", "scale.acis", "--report=report.json"], check=True)
assert pathlib.Path("scale.acis").read_bytes() == bytes(binary)

# The report is acisc's but for times.
def timeless(report):
    return {key: [{k: v for k, v in loop.items() if k != "mapMilliseconds"} for loop in value] if key == "loops" else value
            for key, value in report.items() if key not in ("phases", "totalMilliseconds")}
assert timeless(binary.report) == timeless(json.loads(pathlib.Path("report.json").read_text()))
assert binary.report["loops"][0]["ii"] == 1
assert binary.handlers == [acis.Handler("scale", "float32", "float32", 4, 4, 0)]
assert binary.overlay == "u280" and "u280" in acis.overlays()

# C++, macros, headers, a description as a dictionary and as a file.
(folder / "more.h").write_text("#define MORE 3\n")
cxx = acis.compile("""#include <acis.h>
#include "more.h"
template <typename T> T times(T a) { return T(FACTOR) * a + MORE; }
ACIS_HANDLER void times(const short *__restrict in, short *__restrict out, const short *__restrict mem, uint32_t *len) {
  for (uint32_t i = 0; i < *len / 2; i++)
    out[i] = times(in[i]);
}""", language="c++", defines={"FACTOR": 5}, include=[folder], standard="c++17")
assert cxx.handlers[0].input == "int16", cxx.handlers
description = json.loads((source / "backend/overlay/descriptions/mesh4x4.json").read_text())
assert acis.compile(SCALE, overlay=description).overlay == description["name"]
assert acis.compile(SCALE, overlay=source / "backend/overlay/descriptions/mesh4x4.json").overlay == description["name"]

# A binary that was saved has no report, and only the sizes of its elements.
binary.save("saved.acis")
saved = acis.load("saved.acis")
assert saved.handlers == [acis.Handler("scale", "", "", 4, 4, 0)]
raises(acis.BadArgument, "the binary was loaded and has no report; compile its source", lambda: saved.report)

# Messages have their places, notes, and the way out.
BACKWARD = SCALE.replace("out[i]", "out[n - 1 - i]")
error = raises(acis.CompileError, "handler.c:7:", acis.compile, BACKWARD)
assert (error.file, error.line) == ("handler.c", 7) and error.column > 0, error.column
assert "    7 |     out[n - 1 - i] = in[i] * 2.5f + 1.0f;" in str(error), str(error)
assert error.way_out == "copy what is needed again or in another order into an array", error.way_out
assert error.diagnostics[0].kind == "stream-backward-in-loop", error.diagnostics[0].kind
error = raises(acis.CompileError, "mine.c:3:5: error: unknown type name 'floot'", acis.compile,
               "#include <acis.h>\n\n    floot x;\nint y = 1 +;\n", name="mine.c")
assert [(one.severity, one.line) for one in error.diagnostics] == [("error", 3), ("error", 4)]
error = raises(acis.CompileError, "no handler in the file; mark a function with ACIS_HANDLER", acis.compile, "int x;\n")
assert (error.diagnostics[0].kind, error.way_out) == ("no-handler", "mark a function with ACIS_HANDLER")
error = raises(acis.CompileError, "loop without an end; a handler handles one packet and returns", acis.compile,
               SCALE.replace("for (uint32_t i = 0; i < n; i++)", "for (uint32_t i = 0;; i++)"))
assert error.way_out == "", error.way_out  # what is wrong says what would be right
error = raises(acis.CompileError, "did you mean 'scale_by'?", acis.compile,
               SCALE.replace("#include <acis.h>", "#include <acis.h>\nfloat scale_by(float x) { return x; }").replace("in[i] *", "scale_bi(in[i]) *"))
assert error.way_out == "did you mean 'scale_by'?", error.way_out  # Clang's
raises(acis.CompileError, "add restrict", acis.compile, SCALE.replace("*restrict in", "*in"))
raises(acis.CompileError, "'no.h' file not found", acis.compile, "#include \"no.h\"\n")
warned = acis.compile(SCALE.replace("uint32_t n", "int unused = 1 / 0;\n  uint32_t n"))
assert [one.severity for one in warned.diagnostics] == ["warning"], warned.diagnostics
assert any(one.severity == "remark" for one in acis.compile(SCALE, remarks=True).diagnostics)

# Arguments.
raises(acis.BadArgument, "there is no overlay 'u28'; shipped are ", acis.compile, SCALE, overlay="u28")
error = raises(acis.BadArgument, "there is no overlay 'u820'; shipped are ", acis.compile, SCALE, overlay="u820")
assert error.way_out.startswith("shipped are ") and "did you mean 'u280'?" in error.way_out, error.way_out
raises(acis.BadArgument, "none.json: cannot open the overlay description", acis.compile, SCALE, overlay="none.json")
raises(acis.BadArgument, "overlay: /grid: found 5", acis.compile, SCALE, overlay={**description, "grid": 5})
raises(acis.BadArgument, "nothing.c: no such file", acis.compile, "nothing.c")
raises(acis.BadArgument, "is no source file; allowed are .c, .cpp", acis.compile, "saved.acis")
raises(acis.BadArgument, "language is 'cpp'; allowed are c, c++", acis.compile, SCALE, language="cpp")
raises(acis.BadArgument, "mapper is 'exakt'; allowed are heuristic, persistent, exact; did you mean 'exact'?",
       acis.compile, SCALE, mapper="exakt")
raises(acis.BadArgument, "min_ii is 0; a number from 1 to", acis.compile, SCALE, min_ii=0)
raises(acis.CompileError, "found 'fast'; allowed: for example 100G@256B", acis.compile, SCALE, require_rate="fast")
raises(acis.BadArgument, "the binary has no handler 'scal'; name one of scale; did you mean 'scale'?",
       acis.compile, SCALE, handler="scal")
raises(acis.BadArgument, "not an ELF file", acis.load, b"nothing")
raises(acis.BadArgument, "", acis.load, bytes(binary)[:200])
raises(acis.BadArgument, "this one is tiny", acis.load, "saved.acis", overlay="tiny")
raises(FileNotFoundError, "no.acis", acis.load, "no.acis")

# Rates.
rated = acis.compile(SCALE, require_rate="100G@1024B")
assert rated.report["certificates"][0]["handler"] == "scale", rated.report["certificates"]
raises(acis.CompileError, "", acis.compile, SCALE, require_rate="900G@64B")

# Other processes can be given a binary, and give back what is wrong.
again = pickle.loads(pickle.dumps(binary))
assert bytes(again) == bytes(binary) and again.report == binary.report and again.handlers == binary.handlers
for error in (raises(acis.CompileError, "", acis.compile, BACKWARD), raises(acis.BadArgument, "", acis.load, b"")):
    same = pickle.loads(pickle.dumps(error))
    assert type(same) is type(error) and str(same) == str(error) and vars(same) == vars(error)

# Several at the same time give the same.
made = []
threads = [threading.Thread(target=lambda: made.append(bytes(acis.compile(SCALE, name="scale.c")))) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert made == [bytes(binary)] * 4

# A deep tree does not end the process, whatever the stack of the thread is.
threading.stack_size(256 << 10)
deep = SCALE.replace("* 2.5f", "* 2.5f" + " + 0.0f" * 3000)
ended = []
def compile_deep():
    try:
        ended.append(acis.compile(deep))
    except acis.CompileError as refused:
        ended.append(refused)
thread = threading.Thread(target=compile_deep)
thread.start()
thread.join()
assert len(ended) == 1

# Nothing was printed or left behind.
assert sorted(os.listdir()) == ["more.h", "report.json", "saved.acis", "scale.acis", "scale.c"], os.listdir()
