"""usage: gcn-network.py FOLDER NODES FEATURES CLASSES

A graph with skewed degrees and empty rows, features and two layers' weights, as files of FOLDER."""
import os
import sys

import numpy

os.chdir(sys.argv[1])
nodes, features, classes = map(int, sys.argv[2:])
generator = numpy.random.default_rng(nodes)
source = (generator.random(6 * nodes)**3 * nodes).astype("i8") * 7919 % nodes
target = (generator.random(6 * nodes) * (nodes - nodes // 8)).astype("i8")
index = numpy.unique(numpy.stack([source, target]), axis=1)
numpy.savetxt("graph.txt", numpy.stack([index[1], index[0], numpy.ones(index.shape[1])], axis=1), "%d", comments="",
              header=f"{nodes} {nodes}\n{index.shape[1]}")
numpy.save("x.npy", generator.standard_normal((nodes, features)).astype("f4"))
numpy.save("w1.npy", generator.standard_normal((features, 16)).astype("f4"))
numpy.save("w2.npy", generator.standard_normal((16, classes)).astype("f4"))
