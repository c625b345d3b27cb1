"""A network of dense layers with ReLU between them, its data, and plain gradient descent in any precision."""
import numpy

from acis import BadArgument, gcn


def generated(samples=960, features=24):
    """Points of some clusters each; nothing else is at hand without files."""
    generator = numpy.random.default_rng(7)
    centres = generator.standard_normal((12, features))
    return (centres[generator.integers(0, 12, samples)] + 0.6 * generator.standard_normal((samples, features))).astype("f4")


def neighbours(path, features):
    """For each node its features and those of its neighbours, with the weights of Kipf and Welling: the propagation of a graph
    convolution, which is the same in each step."""
    graph = gcn.read_graph(path, nodes=len(features)).with_self_loops()
    scale = 1 / numpy.sqrt(numpy.maximum(1, numpy.diff(graph.indptr)))[:, None]
    summed = numpy.zeros(features.shape)
    numpy.add.at(summed, graph.row_of, (features * scale)[graph.indices])
    return (summed * scale).astype("f4")


def taught(x, classes):
    """Classes that a fixed random network of two layers gives, for data without any."""
    generator = numpy.random.default_rng(11)
    hidden = numpy.maximum(x @ generator.standard_normal((x.shape[1], 32)), 0)
    scores = hidden @ generator.standard_normal((32, classes))
    return (scores - scores.mean(axis=0)).argmax(axis=1)


def data(options):
    """Inputs, scaled to a mean square of 1; and classes."""
    x = gcn.read_matrix(options.features) if options.features else generated()
    if options.graph:
        x = neighbours(options.graph, x)
    x = (x / max(numpy.sqrt(numpy.square(x, dtype="f8").mean()), 1e-30)).astype("f4")
    if not options.targets:
        return x, taught(x, options.classes)
    targets = numpy.load(options.targets, allow_pickle=False)
    if targets.shape != (len(x),) or targets.dtype.kind not in "iu":
        raise BadArgument(f"it has the shape {targets.shape} and type {targets.dtype}; a whole number for each of {len(x)} samples is needed",
                          options.targets)
    if targets.min() < 0 or targets.max() >= options.classes:
        raise BadArgument(f"it has classes {targets.min()} to {targets.max()}, and --classes is {options.classes}; they count from 0",
                          options.targets)
    return x, targets


def weights_of(sizes):
    """One matrix for each layer, the same in every process."""
    generator = numpy.random.default_rng(3)
    return [(generator.standard_normal((a, b)) * numpy.sqrt(2 / a)).astype("f4") for a, b in zip(sizes, sizes[1:])]


def batches(samples, batch, steps):
    """The samples of each step: all once in a random order, and again."""
    generator = numpy.random.default_rng(5)
    order = numpy.concatenate([generator.permutation(samples) for _ in range(-(-batch * steps // samples))])
    return order[:batch * steps].reshape(steps, batch)


def hidden_layers(x, weights):
    """What goes into each layer, of the last one too."""
    inputs = [x]
    for one in weights:
        inputs.append(numpy.maximum(inputs[-1] @ one, 0))
    return inputs


def loss_and_errors(outputs, targets, batch):
    """Cross-entropy after softmax, this part of the mean over `batch` samples; and its derivative."""
    rows = numpy.arange(len(targets))
    shifted = outputs - outputs.max(axis=1, keepdims=True)
    powers = numpy.exp(shifted)
    sums = powers.sum(axis=1, keepdims=True)
    loss = (numpy.log(sums[:, 0]) - shifted[rows, targets]).sum() / batch
    errors = powers / sums
    errors[rows, targets] -= 1
    return loss, errors / outputs.dtype.type(batch)


def gradients(inputs, weights, back):
    """Of the layers before the last one, of which `back` are the error terms."""
    result = []
    for into, out, one in zip(inputs[-2::-1], inputs[:0:-1], weights[::-1]):
        back = back * (out > 0)
        result.insert(0, into.T @ back)
        back = back @ one.T
    return result


def descend(x, targets, weights, order, rate):
    """Losses of gradient descent in one process, in the precision of what it is given."""
    losses, rate = [], x.dtype.type(rate)
    for chosen in order:
        inputs = hidden_layers(x[chosen], weights[:-1])
        loss, errors = loss_and_errors(inputs[-1] @ weights[-1], targets[chosen], len(chosen))
        losses.append(float(loss))
        found = gradients(inputs, weights[:-1], errors @ weights[-1].T) + [inputs[-1].T @ errors]
        weights = [one - rate * moved for one, moved in zip(weights, found)]
    return losses, weights
