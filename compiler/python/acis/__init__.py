"""ACiS: application code in network switches.

    import acis, numpy

    binary = acis.compile('''
        #include <acis.h>
        ACIS_HANDLER void scale(const float *restrict in, float *restrict out,
                                const float *restrict mem, uint32_t *len) {
          for (uint32_t i = 0; i < *len / 4; i++)
            out[i] = in[i] * 2.5f + 1.0f;
        }''', overlay="u280")
    run = binary.run(numpy.arange(16, dtype=numpy.float32), engine="model")
    print(run.output, run.statistics["cycles"])

compile() and load() give a Binary, which runs on arrays. acis.client uses handlers in a switch
that runs, acis.control steers by one, acis.near computes on memory nodes, acis.gcn does graph convolutions, acis.training
has the last layer of a network that is trained. What goes wrong is an Error; docs/python.md has it all.
"""
from acis._binary import Binary, Run, Trace, compile, load, overlays
from acis._errors import BadArgument, CompileError, Diagnostic, Error, Trap
from acis._report import Handler, Loop, Report, Statistics

__all__ = ["BadArgument", "Binary", "CompileError", "Diagnostic", "Error", "Handler", "Loop", "Report", "Run",
           "Statistics", "Trace", "Trap", "compile", "load", "overlays"]
