"""The two clusters of the dissertation, as platform files of the simulators (docs/simulation.md).

A platform has a name; what was calibrated for one is not used for another."""
import json
import pathlib

STAMPEDE2 = "stampede2-skx"
CALIBRATED = pathlib.Path(__file__).resolve().parent / "stampede2.json"

# Collectives of the dissertation's chapter 3.
COLLECTIVES = ["allgather", "allreduce", "bcast", "gather", "reduce", "reduce_scatter", "scatter"]
# Up to here MPI's choice of algorithms is the one for short messages (figures 3-7 and 3-8 cut here).
SHORT = 4096
TORUS = {32: [4, 4, 2], 64: [4, 4, 4], 128: [8, 4, 4], 256: [8, 8, 4], 512: [8, 8, 8],
         1024: [16, 8, 8], 2048: [16, 16, 8], 4096: [16, 16, 16]}


class Wrong(Exception):
    """A file is not what is needed; the text says which, why, and what to do."""


def load(path=CALIBRATED, platform=STAMPEDE2):
    """What a calibration has found, if it is of this platform."""
    try:
        found = json.loads(pathlib.Path(path).read_text())
    except (OSError, ValueError) as error:
        raise Wrong(f"{path}: {error}; make it with utils/evaluate/calibrate.py --write {path}") from None
    if not isinstance(found, dict) or found.get("platform") != platform:
        of = found.get("platform") if isinstance(found, dict) else None
        raise Wrong(f"{path}: is of platform {of!r}, not of {platform!r}; calibrate that one with "
                    "utils/evaluate/calibrate.py")
    for field in ("parameters", "algorithms", "statistic"):
        if field not in found:
            raise Wrong(f"{path}: has no field {field!r}; make it anew with utils/evaluate/calibrate.py")
    return found


def stampede2(nodes, parameters):
    """Skylake nodes on 100 Gb/s Omni-Path: leaves of 48 ports, 28 of them to hosts (TACC's user
    guide); a switch takes 110 ns (Intel's data sheet)."""
    return {
        "name": STAMPEDE2,
        "topology": {"kind": "spine-leaf", "hosts": nodes, "radix": 48, "overSubscription": 1.4},
        "links": {"latencyNs": 100, "bandwidthGbps": parameters["bandwidthGbps"], "framingBytes": 0},
        "host": {"pcieLatencyUs": parameters["hostLatencyUs"], "busGbps": parameters["busGbps"],
                 "copyGBps": parameters["copyGBps"], "reduceGBps": parameters["reduceGBps"]},
        "switch": {"portToPortNs": 110},
        "message": {"sendUs": parameters["messageUs"], "receiveUs": parameters["messageUs"],
                    "bufferGBps": parameters["bufferGBps"], "eagerBytes": 65536},
    }


def fpga(topology, **changes):
    """The dissertation's FPGA cluster; its numbers are the simulator's defaults. Chapter 3 counts
    PCIe, not MPI's overhead on a host (section 3.6.2)."""
    out = {"name": "fpga", "topology": topology, "host": {"overheadUs": 0}}
    for section, fields in changes.items():
        out[section] = {**out.get(section, {}), **fields}
    return out


def torus(nodes):
    return {"kind": "torus", "sizes": TORUS[nodes]}


def leaves(nodes, radix, over=3):
    return {"kind": "spine-leaf", "hosts": nodes, "radix": radix, "overSubscription": over}
