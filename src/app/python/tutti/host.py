"""The host's side in the shape of torch and torch.distributed (ADR-0023 D10)."""
import importlib
import os

import greenlet
import numpy

import _tutti
from . import tl as _tl

_NUMPY = {"f16": numpy.float16, "f32": numpy.float32, "i8": numpy.int8, "i32": numpy.int32, "bf16": numpy.uint16}


class HostRank(int):
    """The rank of the host program. A launch passes every PE its own rank in its place."""


def replicate():
    return _tutti.Split("replicate")


def row_wise():
    return _tutti.Split("row_wise")


def column_wise():
    return _tutti.Split("column_wise")


def tiled(rows, columns):
    return _tutti.Split("tiled", rows, columns)


def DPPolicy(cube=None, pe=None, num_cubes=None, num_pes=None):
    """Where the shards of a tensor lie: over the cubes of a SIP, then over the PEs of a cube; replicated by default."""
    def one(split):
        return _tutti.Split(split) if isinstance(split, str) else split or replicate()
    return _tutti.DPPolicy(one(cube), one(pe), num_cubes, num_pes)


class Work:
    """An operation that was launched."""

    def __init__(self, torch):
        self._torch = torch

    def wait(self):
        self._torch.synchronize()


class Tensor:
    """A tensor on the PEs of every SIP. `data` gathers SIP 0's."""

    def __init__(self, torch, number, shape, dtype):
        self._torch, self._number, self.shape, self.dtype = torch, number, tuple(shape), dtype

    @property
    def data(self):
        self._torch.synchronize()
        return numpy.frombuffer(self._torch.session.data(self._number, 0), _NUMPY[self.dtype]).reshape(self.shape)

    def shard(self, rank):
        """Elements on the PE of a rank."""
        self._torch.synchronize()
        return numpy.frombuffer(self._torch.session.shard(self._number, rank), _NUMPY[self.dtype])

    def set_shard(self, rank, values):
        """Sets the elements on the PE of a rank."""
        self._torch.session.write_shard(self._number, rank, numpy.ascontiguousarray(values, _NUMPY[self.dtype]).tobytes())

    def _pointer(self, rank):
        address, elements, rows, columns = self._torch.session.pointer(self._number, rank)
        return _tl.Pointer(address, (rows, columns) if len(self.shape) == 2 else (elements,), self.dtype)


class _Distributed:
    def __init__(self, torch):
        self._torch = torch

    def init_process_group(self, backend="ahbm", world_size=0, rank=0):
        """Reads ccl.yaml and installs the queues of its algorithm at once."""
        self._torch._init(backend, world_size)

    def get_rank(self):
        return HostRank(0)

    def get_world_size(self):
        return self._torch.session.world_size

    def all_reduce(self, tensor, op="sum"):
        """The algorithm of ccl.yaml; a built-in one runs as C++, one of a Python module as Python."""
        return self._torch._algorithm(tensor, op, 0)

    def broadcast(self, tensor, src=0):
        return self._torch._algorithm(tensor, "sum", src)

    all_gather = reduce_scatter = all_reduce

    def barrier(self):
        def only_barrier(t_ptr, tl):
            tl.barrier()
        work = self._torch.launch("barrier", only_barrier, self._torch.zeros((1,), dtype="i8"))
        work.wait()


class Torch:
    """A machine as a host program sees it."""

    def __init__(self, topology="", ccl="", set=(), record=False):
        self.session = _tutti.Session(os.fspath(topology), os.fspath(ccl), list(set))
        self.distributed = _Distributed(self)
        self._module = None
        self._kernels = []
        self._work, self._to_record = False, record

    def _begin(self):
        self.synchronize()
        if self._to_record:
            self.session.record()
        self._work, self._to_record = True, False

    def _init(self, backend, world_size):
        name = self.session.module
        if name.startswith("tutti.ccl.algorithms.") or "." in name:
            self._module = importlib.import_module(name)
        neighbors = getattr(self._module, "neighbors", None)
        if neighbors and neighbors.__code__.co_argcount == 2:
            two = neighbors

            def neighbors(rank, ranks, neighbor_map):
                return two(rank, ranks)
        self.session.init_process_group(backend, world_size, neighbors)

    def zeros(self, shape, dtype="f16", dp=..., kind="tcm"):
        """A tensor of zeros on the PEs of every SIP; dp: a DPPolicy; kind: tcm, sram or hbm."""
        return self.from_numpy(numpy.zeros(shape, _NUMPY[dtype]), dtype, dp, kind)

    def from_numpy(self, values, dtype=None, dp=..., kind="tcm"):
        values = numpy.ascontiguousarray(values)
        if dtype is None:
            dtype = next(name for name, of in _NUMPY.items() if of == values.dtype.type)
        policy = DPPolicy() if dp is ... or dp is None else dp
        number = self.session.tensor(list(values.shape), dtype, policy, kind, values.tobytes())
        return Tensor(self, number, values.shape, dtype)

    tensor = from_numpy

    def launch(self, name, kernel, tensor, *arguments):
        """Starts `kernel` on every rank: kernel(pointer, *arguments, tl=tl). The rank among the arguments is each PE's own,
        the world size the number of ranks; another tensor becomes its pointer."""
        self._begin()
        session = self.session
        for rank in range(session.world_size):
            mine = [rank if isinstance(a, HostRank) else a._pointer(rank) if isinstance(a, Tensor) else a
                    for a in arguments]
            if mine and isinstance(arguments[0], HostRank) and len(mine) > 1 and mine[1] == 0:
                mine[1] = session.world_size
            self._kernels.append(_tl.start(kernel, [tensor._pointer(rank), *mine], _tl.TL(session, rank)))
        session.launch(name, [(resume, fail) for _, resume, fail in self._kernels], tensor._number)
        return Work(self)

    def launch_built_in(self, name, tensor, op="sum", root=0):
        """Starts the C++ kernel of that name."""
        self._begin()
        self.session.launch_built_in(name, tensor._number, op, root)
        return Work(self)

    def _algorithm(self, tensor, op, root):
        if self._module:
            return self.launch(self.session.algorithm, self._module.kernel, tensor, HostRank(0),
                               self.session.world_size)
        return self.launch_built_in(self.session.module, tensor, op, root)

    def synchronize(self):
        """Runs until everything launched has ended."""
        if not self._work:
            return
        self._work = False
        try:
            self.session.synchronize()
        finally:
            for run, _, _ in self._kernels:  # of a run that died: their `finally` blocks run
                while not run.dead and run:
                    run.throw(greenlet.GreenletExit)
            self._kernels = []


class Result:
    """What a run gave: makespan_ns, finish_ps of every rank, log, value (what the host program returned)."""

    def __init__(self, torch, value, verified):
        session = torch.session
        self.value, self.replay_identical = value, verified
        self.finish_ps = session.finish_ps()
        self.makespan_ns = max((t for t in self.finish_ps if t is not None), default=0) / 1000
        self.events, self.log, self.algorithm = session.events, session.log(), session.algorithm

    def __repr__(self):
        return f"<{self.algorithm} on {len(self.finish_ps)} ranks: {self.makespan_ns} ns, {self.events} events>"


def run(host, topology="", ccl="", set=(), world_size=0, verify=True):
    """Runs a host program, host(rank, world_size, torch), on a machine; files and `set` as those of `tutti run`. One program
    drives all SIPs: its rank is 0, and a launch passes every PE its own. `verify` replays the log afterwards and compares.
    Raises ConfigError, ModelError, DeadlockError, ViolationError, or what the host or a kernel raises."""
    torch = Torch(topology, ccl, set, record=verify)
    value = host(HostRank(0), world_size, torch)
    torch.synchronize()
    identical = None
    if verify and not torch._to_record:
        difference = torch.session.replay_difference()
        if difference:
            raise _tutti.ViolationError("the replay of the operations differs from the run: " + difference)
        identical = True
    return Result(torch, value, identical)
