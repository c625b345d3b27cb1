"""The network models of ACiS: LogGP and LoGcN times, sizes of switch buffers, tiles of GEMM.

    import acis_model
    for row in acis_model.logcn(ranks=[64, 128], bytes=512, interval=2):
        print(row["ranks"], row["fused_us"], row["hosts_us"])

Names, units, defaults and sources of all parameters: acis_model.describe(). Uses libacis-model.so,
which is looked for beside this file, in ../lib of acis-model, or where ACIS_MODEL_LIB says.
"""
import ctypes
import json
import os
import pathlib
import shutil

_LIBRARY = "libacis-model.so"


def _find_library():
    if named := os.environ.get("ACIS_MODEL_LIB"):
        return named
    places = [pathlib.Path(__file__).resolve().parent / _LIBRARY]
    if tool := shutil.which("acis-model"):
        places.append(pathlib.Path(tool).resolve().parent.parent / "lib" / _LIBRARY)
    for place in places:
        if place.exists():
            return str(place)
    raise ImportError(f"{_LIBRARY} is not in {' or '.join(str(p.parent) for p in places)}; "
                      "name it with the variable ACIS_MODEL_LIB")


_library = ctypes.CDLL(_find_library())
for _name in ("evaluate", "describe"):
    getattr(_library, f"acis_model_{_name}").restype = ctypes.c_void_p
_library.acis_model_evaluate.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
_library.acis_model_free.argtypes = [ctypes.c_void_p]


def _take(pointer):
    if not pointer:
        raise MemoryError
    try:
        return json.loads(ctypes.string_at(pointer))
    finally:
        _library.acis_model_free(pointer)


def describe():
    """Of each model: a summary, its parameters with defaults and sources, lists and columns."""
    return _take(_library.acis_model_describe())


def evaluate(model, **request):
    """The rows of a model, as dictionaries; ValueError says which parameter is wrong and how."""
    answer = _take(_library.acis_model_evaluate(model.encode(), json.dumps(request).encode()))
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer["rows"]


def loggp(**request):
    """A broadcast among hosts and in switches."""
    return evaluate("loggp", **request)


def logcn(**request):
    """A fused collective in switches, and the plain collectives among hosts."""
    return evaluate("logcn", **request)


def buffers(**request):
    """The smallest input buffer of a switch, in bytes, by the depth of the tree."""
    return evaluate("buffers", **request)


def gemm(**request):
    """Times and sizes of a tile of a distributed matrix product, by the depth of the tile."""
    return evaluate("gemm", **request)


def gemm_tuner(**request):
    """Tiles that hide their messages within a buffer, by its size."""
    return evaluate("gemm-tuner", **request)
