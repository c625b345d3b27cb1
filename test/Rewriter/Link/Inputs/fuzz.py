"""Reads changed objects, archives, lists of a linker and records: nothing may come of them but what
the readers promise, in little time.

usage: fuzz.py MODULES COUNT OBJECT ARCHIVE
"""
import json
import random
import sys
import tempfile
import time

sys.path.insert(0, sys.argv[1])
from acismpicc import objects, record  # noqa: E402

random.seed(1)
COUNT = int(sys.argv[2])
LARGE = [0, 1, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF]


def changed(data):
    data = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5, 40))):
        at, how = random.randrange(len(data)), random.randrange(4)
        if how == 0:
            data[at] = random.randrange(256)
        elif how == 1:
            size = random.choice((2, 4, 8))
            data[at:at + size] = (random.choice(LARGE) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        elif how == 2:
            del data[at:at + random.randrange(64)]
        else:
            data[at:at] = bytes(random.choices(b"0123456789/ \n{}[]\"\\u", k=random.randrange(16)))
        data = data or bytearray(b"\0")
    return bytes(data)


def check_object(data):
    found = objects.Object(data)
    assert all(isinstance(name, str) for name in found.defines())
    assert sum(len(section[3]) for section in found.sections) <= len(data) * len(found.sections)
    section = found.section(record.SECTION)
    return check_record(section) if section is not None else None


def check_record(text):
    made, problem = record.read(text)
    assert (made is None) != (problem is None)
    if made:
        flags = iter(made.flags)
        for flag in flags:
            assert not flag.startswith(("@", "-fplugin", "-B", "-wrapper", "-specs", "-o", "-X")), flag
            if flag in record.WITH_VALUE:
                next(flags)
        assert made.source[0] not in "-@" and made.directory[0] == "/"
        assert record.read(made.write())[0].flags == made.flags
    return made


files = [open(name, "rb").read() for name in sys.argv[3:]]
text = objects.Object(files[0]).section(record.SECTION)
assert check_object(files[0]) and objects.members(files[1])
good = 0
for i in range(COUNT):
    start = time.monotonic()
    good += bool(check_object(changed(files[0])))
    data = changed(files[1])
    for name, at, size in objects.members(data):
        assert 0 <= at <= at + size <= len(data)
        check_object(data[at:at + size])
    good += bool(check_record(changed(text)))
    assert time.monotonic() - start < 5
# Flags that builds use, and flags that a record must not bring.
for flags in ("-O2 -g -Wall -Werror=format-security -fstack-protector-strong -DX -I. -std=gnu11",
              "-Wp,-D_FORTIFY_SOURCE=2 -ffile-prefix-map=/a=/b -march=native -fopenmp --std=c99",
              "-isystem /x -include y.h -fPIC -fno-strict-aliasing -mavx2 --param=l1=2 -pthread"):
    assert record.flag_problem(flags.split()) == "", flags
for flag in ("-fplugin=x", "-fplugin-arg-x-y=z", "-B.", "-specs=x", "-wrapper", "-Xclang", "@x", "-ox",
             "-Wl,-o,x", "-Wa,-o", "-Wp,-MD,x", "-Wp,-DX,-MD,x", "-fdump-tree-all=x", "x.c", "-save-temps",
             "-fprofile-use=x", "--coverage", "-gsplit-dwarf", "-fopt-info=x", "-mllvm", "-S", "-E", "-",
             "-no-integrated-cpp", "-dumpdir", "-f/x", "-include"):
    assert record.flag_problem(["-O2", flag]) == flag, flag
# Records of other shapes.
for value in (None, 1, [], {}, "x", {"acis_mpi_record": 1}, {"acis_mpi_record": 2}, float("inf")):
    assert check_record(json.dumps(value).encode()) is None
fields = json.loads(text)
for name in fields:
    for value in (None, 1, [], [1], {}, "", "\0", "@x", "-o", ["-fplugin=x"], ["-include"], ["@x"],
                  ["-I", "-o"], ["-Xclang", "-load"], ["-fdump-tree-all"], ["-O2;x"], ["-I\0"]):
        check_record(json.dumps({**fields, name: value}).encode())
assert check_record(b"[" * 100000) is None and check_record(b"9" * 100000) is None
assert check_record(b"\xff\xfe") is None and check_record(b"") is None
with tempfile.NamedTemporaryFile() as file:
    for line in (file.name, f"({file.name})x.o", f"{file.name}(x.o)", f"(({file.name})x.o)", "(", ")",
                 "\0", "(a)b" * 1000, "(" * 5000 + ")" * 5000):
        objects.traced(line)
assert 0 < good < 2 * COUNT
print("read", COUNT, "changed files")
