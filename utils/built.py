"""What a benchmark runs, built first: an old or a missing program would be measured, or end in a
traceback."""
import pathlib
import subprocess
import sys


def built(folder, *targets):
    """Builds the targets in the folder, which CMake has configured; the folder of its programs. Ends
    the program with what is wrong, and a way out, where that fails."""
    folder = pathlib.Path(folder).resolve()
    if not (folder / "build.ninja").exists():
        sys.exit(f"error: {folder} is no configured build folder (it has no build.ninja); configure one "
                 f"with cmake --preset {folder.name if folder.name in ('dev', 'release') else 'release'}")
    done = subprocess.run(["ninja", "-C", str(folder), *targets], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: cannot build {' '.join(targets)} in {folder}:\n" +
                 "\n".join(done.stdout.splitlines()[-20:]))
    return folder / "bin"
