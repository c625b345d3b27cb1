"""Each step that acisc lists is known to opt, and some test runs it by its name or sees what it does.

usage: steps.py FOLDER PLUGIN
"""
import pathlib
import re
import subprocess
import sys

folder, plugin = pathlib.Path(sys.argv[1]), sys.argv[2]

# LLVM's own passes are LLVM's to test; of these, that they hold is what --verify-each checks.
LLVMS = {"sroa", "early-cse", "lower-constant-intrinsics", "count-iterations", "reuse",
         "lower-switch", "loop-simplify", "lcssa"}

listed = subprocess.run(["acisc", "--list-phases"], check=True, capture_output=True, text=True)
part = listed.stdout.split("normal-form", 1)[1].split("\nimport", 1)[0]
steps = re.findall(r"^  ([a-z-]+) ", part, re.M)
assert len(steps) > 30, steps

tests = "".join(path.read_text() for path in folder.glob("*.*") if path.suffix in (".ll", ".c"))
bad = []
for step in steps:
    if step not in LLVMS and not re.search(rf"acis-{step}\b(?!-)|--stop-after={step}\b(?!-)", tests):
        bad.append(f"no test in {folder} runs step {step}")
    run = subprocess.run(["opt", f"-load-pass-plugin={plugin}", f"-passes=acis-{step}", "-S", "-"],
                         input="", capture_output=True, text=True)
    if run.returncode:
        bad.append(f"opt does not know acis-{step}: {run.stderr.strip()}")
sys.exit("\n".join(bad) or 0)
