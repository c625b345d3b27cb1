"""Every handler of the given C files alone, through acisc: what compiles has to load.

usage: loads.py <folder for output> <acisc options ..> -- <file> ..
Prints how many handlers compiled; fails with the loader's words for one that it refuses.
"""
import pathlib
import re
import subprocess
import sys

split = sys.argv.index("--")
folder, options, files = pathlib.Path(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1 :]
config = next(option for option in options if option.startswith("--config"))
folder.mkdir(parents=True, exist_ok=True)
compiled = refused = 0
for name in map(pathlib.Path, files):
    text = name.read_text()
    handlers = list(re.finditer(r"^ACIS_HANDLER void (\w+)", text, re.M))
    for handler in handlers:
        alone = text
        for other in reversed(handlers):
            if other.start() != handler.start():
                alone = alone[: other.start()] + "static" + alone[other.start() + 12 :]
        source = folder / f"{name.stem}-{handler[1]}{name.suffix}"
        source.write_text(alone)
        binary = source.with_suffix(".acis")
        command = ["acisc", *options, f"-I{name.parent}", str(source), "-o", str(binary)]
        if subprocess.run(command, capture_output=True).returncode != 0:
            continue
        compiled += 1
        loaded = subprocess.run(["acis-objdump", config, str(binary)], capture_output=True)
        if loaded.returncode != 0:
            refused += 1
            print(f"{name}: {handler[1]}: {loaded.stderr.decode().strip()}")
print(f"{compiled} handlers compiled")
sys.exit(refused != 0 or compiled == 0)
