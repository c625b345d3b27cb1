"""What an MPI rank of train.py does: its part of each batch, with the last layer in the switch or as the others."""
import ctypes
import json
import os
import pathlib

import numpy

import acis
import network
from acis import client, training


class Ranks:
    """MPI, by the library that was built for it."""

    def __init__(self, folder):
        self._library = ctypes.CDLL(f"{folder}/ranks.so", ctypes.RTLD_GLOBAL)
        rank, count = ctypes.c_int(), ctypes.c_int()
        self._check("begin", ctypes.byref(rank), ctypes.byref(count))
        self.rank, self.count, self.bytes = rank.value, count.value, 0

    def _check(self, name, *arguments):
        if error := getattr(self._library, f"ranks_{name}")(*arguments):
            raise acis.Error(f"rank {getattr(self, 'rank', '?')}: MPI gives error {error}")

    def sum(self, arrays):
        """The sums over ranks of float32 arrays, by one Allreduce."""
        whole = numpy.concatenate([one.reshape(-1) for one in arrays])
        self._check("sum", whole.ctypes.data_as(ctypes.c_void_p), len(whole))
        self.bytes += whole.nbytes
        ends = numpy.cumsum([one.size for one in arrays])
        return [part.reshape(one.shape) for part, one in zip(numpy.split(whole, ends[:-1]), arrays)]

    def share(self, text):
        """Rank 0's text."""
        buffer = ctypes.create_string_buffer(text.encode(), 4096)
        self._check("share", buffer, 4096)
        return buffer.value.decode()

    def end(self):
        self._check("end")

    def abort(self):
        self._library.ranks_abort()


class InHosts:
    """A last layer as the others: each rank has its weights, and its gradient is summed with theirs."""

    def __init__(self, weights):
        self._weights, self.sent, self.received = weights, 0, 0

    def forward(self, activations):
        self._activations = activations
        return activations @ self._weights

    def backward(self, errors):
        self.gradient = [self._activations.T @ errors]
        return errors @ self._weights.T

    def step(self, rate, summed):
        self._weights = self._weights - rate * summed[0]

    def weights(self):
        return self._weights


class InTheSwitch(training.LastLayer):
    """Rank 0 loads it and tells the others where it is."""
    gradient = []

    def __init__(self, run, options, ranks, stack):
        place, version = None, 0
        if ranks.rank == 0:
            switch = stack.enter_context(client.Switch(options.switch))
            place = training.InSwitch(run.shape, switch, engine=options.engine, deadline=options.deadline)
            super().__init__(place)
            version = self.begin(run.weights[-1])
        address, version = ranks.share(f"{place.address} {version}" if place else "").split()
        if not place:
            place = training.InSwitch(run.shape, address=address, deadline=options.deadline)
        super().__init__(place, ranks.rank)
        self.join(int(version))
        stack.callback(place.close)

    def step(self, rate, summed):
        super().step(rate)


def part_of(chosen, rank, ranks):
    local = -(-len(chosen) // ranks)
    return chosen[rank * local:(rank + 1) * local]


def take_steps(run, options, ranks, last):
    """Prints the loss of each step by rank 0."""
    weights, rate = run.weights[:-1], numpy.float32(options.rate)
    for step, chosen in enumerate(run.order, run.first):
        own = part_of(chosen, ranks.rank, ranks.count)
        inputs = network.hidden_layers(run.x[own], weights)
        loss, errors = network.loss_and_errors(last.forward(inputs[-1]), run.targets[own], len(chosen))
        found = network.gradients(inputs, weights, last.backward(errors))
        *summed, total = ranks.sum([*found, *last.gradient, numpy.array([loss], "f4")])
        last.step(rate, summed[len(found):])
        weights = [one - rate * moved for one, moved in zip(weights, summed)]
        if ranks.rank == 0:
            if not numpy.isfinite(total).all():
                raise acis.Error(f"step {step}: the loss is {total[0]}; take a smaller learning rate")
            print(json.dumps({"step": step, "loss": float(total[0])}), flush=True)
            due = step + 1 == options.steps or (options.every and (step + 1) % options.every == 0)
            if options.keep and due:
                keep(options.keep, [*weights, last.weights()], step + 1)


def keep(path, weights, steps):
    """Under another name first, so that no half file is ever seen."""
    part = f"{path}.part"
    with open(part, "wb") as file:
        numpy.savez(file, steps=steps, **{f"w{i}": one for i, one in enumerate(weights)})
    os.replace(part, path)


def give_up(ranks, options, problem):
    """Ends all ranks, before this one unloads what the others use. An MPI that aborts may lose what was printed last: a file says
    why."""
    place = "" if str(problem).startswith(f"rank {ranks.rank}") else f"rank {ranks.rank}: "
    way_out = "; go on from the last --keep with --resume" if isinstance(problem, client.Failure) and options.keep else ""
    pathlib.Path(options.as_rank[0], f"reason-{ranks.rank}").write_text(f"{place}{problem}{way_out}")
    ranks.abort()


def reason(folder):
    """Why ranks gave up, by one of them; nothing where none did."""
    texts = [path.read_text() for path in sorted(pathlib.Path(folder).glob("reason-*"))]
    return next(filter(None, texts), "")  # one that is empty: its rank was ended while it wrote
