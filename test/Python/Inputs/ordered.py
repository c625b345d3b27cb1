"""Descent of a last layer in NumPy, every sum in the order that docs/training.md states."""
import numpy


def product(x, matrix, vpes=16):
    """float32 x @ matrix: sums of the products of each of 16 parts of the inputs, in their order, and then of these."""
    own = -(-matrix.shape[0] // 16) * 16 // vpes
    rows = numpy.zeros((len(x), own * vpes), "f4")
    whole = numpy.zeros((own * vpes, matrix.shape[1]), "f4")
    rows[:, :x.shape[1]], whole[:len(matrix)] = x, matrix
    rows, whole = rows.reshape(len(x), vpes, own), whole.reshape(vpes, own, -1)
    sums = numpy.zeros((len(x), vpes, matrix.shape[1]), "f4")
    for number in range(own):
        sums += rows[:, :, number, None] * whole[:, number]
    result = sums[:, 0]
    for vpe in range(1, vpes):
        result = result + sums[:, vpe]
    return result


def descended(weights, inputs, errors, rate):
    """The weights after a step: gradients are summed in the order of samples."""
    gradient = numpy.zeros_like(weights)
    for row, error in zip(inputs, errors):
        gradient += row[:, None] * error
    return weights - numpy.float32(rate) * gradient
