"""Moves what cmake --install has staged into the packages, each file into the first whose pattern it fits.

usage: share-out.py STAGE DEBIAN     packages are folders of DEBIAN
Ends with an error at a file that fits none, or at a pattern that no file fits."""
import fnmatch
import os
import pathlib
import sys

#: Patterns of paths, in their order; * stands for / as well.
PACKAGES = [
    ("acis-sim", ["usr/*/acis-sim", "usr/*/acis-simrun", "usr/*/acis-sim.1", "usr/*/acis-simrun.1", "usr/*/libacis-sim*",
                  "usr/*/libacis-end.so"]),
    ("acisd", ["usr/*/acisd", "usr/*/acis-memd", "usr/*/acisctl", "usr/*/acisd.1", "usr/*/acis-memd.1", "usr/*/acisctl.1"]),
    ("libacis-mpi-mpich", ["usr/lib/acis/lib/*-mpich.*"]),
    ("libacis-mpi-openmpi", ["usr/lib/acis/lib/*-openmpi.*"]),
    ("acis", ["usr/include/acis.h", "usr/lib/acis/include/acis.h"]),
    ("libacis-dev", ["usr/include/*", "usr/lib/acis/include/*", "usr/share/pkgconfig/*", "usr/*/acis-config*"]),
    ("acis-doc", ["usr/share/doc/acis-doc/*"]),
    ("acis", ["usr/bin/*", "usr/lib/acis/*", "usr/lib/python3/*", "usr/share/man/*", "usr/share/bash-completion/*", "usr/share/acis/*"]),
]


def main():
    stage, debian = map(pathlib.Path, sys.argv[1:])
    used = set()
    for folder, folders, names in os.walk(stage):
        for name in names + [one for one in folders if (pathlib.Path(folder) / one).is_symlink()]:
            path = (pathlib.Path(folder) / name).relative_to(stage)
            fits = [(package, pattern) for package, patterns in PACKAGES for pattern in patterns
                    if fnmatch.fnmatch(str(path), pattern)]
            if not fits:
                sys.exit(f"share-out: error: {path}: is of no package; name one in PACKAGES")
            used.add(fits[0])
            target = debian / fits[0][0] / path
            target.parent.mkdir(parents=True, exist_ok=True)
            (stage / path).rename(target)
    for package, patterns in PACKAGES:
        for pattern in patterns:
            if (package, pattern) not in used:
                sys.exit(f"share-out: error: {package}: {pattern}: no file fits; is a part of the build missing?")


if __name__ == "__main__":
    main()
