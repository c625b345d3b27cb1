"""The first page of the tutorial by the Python package, as installed: compile, run, check; and the times."""
import subprocess
import sys
import time

import numpy

start = time.perf_counter()
import acis
imported = time.perf_counter()
binary = acis.compile("""#include <acis.h>

ACIS_HANDLER void scale(const float *restrict in, float *restrict out,
                        const float *restrict mem, uint32_t *len) {
  uint32_t n = *len / 4;
  for (uint32_t i = 0; i < n; i++)
    out[i] = in[i] * 2.5f + 1.0f;
}
""", overlay="u280")
compiled = time.perf_counter()
data = numpy.array([1, 2, 3, 4], "f4")
runs = [binary.run(data, engine=engine) for engine in ("fast", "model")]
for run in runs:
    if run.output.tolist() != [3.5, 6.0, 8.5, 11.0]:
        sys.exit(f"engine {run.statistics['engine']} gives {run.output}")
try:
    acis.compile("#include <acis.h>\nACIS_HANDLER void f(const float *restrict in, float *restrict out,\n"
                 "const float *restrict mem, uint32_t *len) { uint32_t n = *len / 4;\n"
                 "for (uint32_t i = 0; i < n; i++) out[n - 1 - i] = in[i]; }\n")
    sys.exit("what cannot be mapped was compiled")
except acis.CompileError as error:
    if error.line != 4:
        raise
print(f"{runs[0].output}, {runs[1].statistics['cycles']} cycles; import acis {1e3 * (imported - start):.1f} ms, first "
      f"compilation {1e3 * (compiled - imported):.1f} ms", flush=True)
subprocess.run([sys.executable, "-I", "-c", "import acis.client; print('client library', acis.client.MAX_PACKET)"], check=True)
