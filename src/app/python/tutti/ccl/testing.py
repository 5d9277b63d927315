"""Runs kernels in Python without a machine: no time passes, a message arrives as it is sent, credits are counted."""
import collections
import sys

import greenlet
import numpy

from ..tl import SIZE, Pointer
from .helpers import tree_step

_NUMPY = {"f16": numpy.float16, "f32": numpy.float32, "i8": numpy.int8, "i32": numpy.int32}


def neighbors_of(topology, ws):
    """Ports of every rank: ring_1d, ring_1d_unidir, mesh_2d (square, wraps), tree_binary, none."""
    if topology == "ring_1d":
        return [{"E": (r + 1) % ws, "W": (r - 1) % ws} if ws > 1 else {} for r in range(ws)]
    if topology == "ring_1d_unidir":
        return [{"E": (r + 1) % ws} if ws > 1 else {} for r in range(ws)]
    if topology == "mesh_2d":
        side = round(ws ** 0.5)
        if side * side != ws:
            raise ValueError(f"mesh_2d: {ws} ranks are no square")
        at = [divmod(r, side) for r in range(ws)]
        every = [{"N": (r - 1) % side * side + c, "S": (r + 1) % side * side + c, "E": r * side + (c + 1) % side,
                  "W": r * side + (c - 1) % side} for r, c in at]
        return [{p: o for p, o in m.items() if o != r} for r, m in enumerate(every)]
    if topology == "tree_binary":
        steps = [tree_step(r, ws) for r in range(ws)]
        return [{p: getattr(s, p) for p in ("parent", "child_left", "child_right") if getattr(s, p) is not None}
                for s in steps]
    if topology == "none":
        return [{} for _ in range(ws)]
    raise ValueError(f"unknown topology {topology!r}")


_OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}


class _Mock:
    """One rank's tl on the mock."""

    def __init__(self, cluster, rank):
        self._c, self._rank, self._waits, self._last = cluster, rank, None, -1

    def _port(self, dir):
        if dir not in self._c.ports[self._rank]:
            raise KeyError(f"IpcqInvalidDirection: rank {self._rank} has no neighbour at {dir}")
        return self._c.ports[self._rank][dir]

    def _until(self, ready, what):
        frame = sys._getframe(2)
        while not ready():
            self._waits = f"{what} at {frame.f_code.co_filename}:{frame.f_lineno}"
            greenlet.getcurrent().parent.switch()
        self._waits = None

    def _memory(self, address, nbytes):
        return self._c.memories[self._rank][int(address):int(address) + nbytes]

    def send(self, dir, src_addr, nbytes=None):
        peer, back = self._port(dir)
        nbytes = src_addr.nbytes if nbytes is None else int(nbytes)
        if nbytes > self._c.slot_bytes:
            raise ValueError(f"IpcqSlotOverflow: {nbytes} bytes; a slot holds {self._c.slot_bytes}")
        queue = self._c.queues[peer, back]
        self._until(lambda: queue.used < self._c.slots, f"a free slot of rank {peer} at port {dir}")
        queue.used += 1
        queue.messages.append(bytes(self._memory(src_addr, nbytes)))

    def recv(self, dir=None, dst=None):
        c = self._c
        if dir is None:
            ports = [p for p in PORTS if (self._rank, p) in c.queues]
            self._until(lambda: any(c.queues[self._rank, p].messages for p in ports), "data of any port")
            order = sorted(ports, key=lambda p: (PORTS.index(p) - self._last - 1) % len(PORTS))
            dir = next(p for p in order if c.queues[self._rank, p].messages)
            self._last = PORTS.index(dir)
        else:
            self._port(dir)
        queue = c.queues[self._rank, dir]
        self._until(lambda: queue.messages, f"data at port {dir} from rank {self._port(dir)[0]}")
        message = queue.messages.popleft()
        address = c.slot_base(self._rank, dir, queue)
        self._memory(address, len(message))[:] = numpy.frombuffer(message, numpy.uint8)
        if dst is None:
            return _MockSlot(queue, dir, address, len(message))
        self.copy(dst, address, len(message))
        queue.used -= 1
        return len(message)

    def release(self, slot):
        slot.release()

    def recv_async(self, dir):
        return dir

    def wait(self, handle):
        return None if handle is None else self.recv(handle)

    def recv_all(self, dirs):
        return [self.recv(d) for d in dirs]

    def send_recv(self, to, src_addr, nbytes, dir):
        self.send(to, src_addr, nbytes)
        return self.recv(dir)

    def reduce(self, op, dtype, accumulator, operand, elements):
        n = elements * SIZE[dtype]
        a, b = self._memory(accumulator, n).view(_NUMPY[dtype]), self._memory(operand, n).view(_NUMPY[dtype])
        a[:] = {"sum": numpy.add, "max": numpy.maximum, "min": numpy.minimum}[op](a, b)

    def copy(self, dst, src, nbytes):
        self._memory(dst, nbytes)[:] = self._memory(src, nbytes).copy()

    load = store = copy

    def barrier(self):
        mine = self._c.generation
        self._c.entered += 1
        if self._c.entered == self._c.world_size:
            self._c.entered, self._c.generation = 0, mine + 1
        self._until(lambda: self._c.generation != mine, "the other ranks (barrier)")

    def probe(self, dir):
        return bool(self._c.queues[self._rank, dir].messages)

    def credits(self, dir):
        return self._c.slots - self._c.queues[self._port(dir)].used

    def has(self, dir):
        return dir in self._c.ports[self._rank]

    def n_slots(self, dir):
        return self._c.slots

    def slot_size(self, dir):
        return self._c.slot_bytes

    @property
    def grid(self):
        side = round(self._c.world_size ** 0.5)
        return side, side, True

    def program_id(self, axis):
        return self._rank if axis == 0 else 0

    def num_programs(self, axis):
        return self._c.world_size if axis == 0 else 1


PORTS = ["N", "S", "E", "W", "parent", "child_left", "child_right", "spare"]


class _MockSlot:
    def __init__(self, queue, port, addr, nbytes):
        self._queue, self.port, self.addr, self.nbytes = queue, port, addr, nbytes

    def __index__(self):
        return self.addr

    def release(self):
        if self._queue:
            self._queue.used -= 1
        self._queue = None

    __del__ = release


class _Queue:
    def __init__(self):
        self.messages, self.used, self.taken = collections.deque(), 0, 0


class _Cluster:
    def __init__(self, topology, world_size, n_slots, slot_size, tensor_bytes, hook):
        self.world_size, self.slots, self.slot_bytes = world_size, n_slots, slot_size
        maps = neighbors_of(topology, world_size)
        if hook:
            maps = [m if (new := hook(r, world_size, m)) is None else new for r, m in enumerate(maps)]
        self.ports = [dict() for _ in maps]
        one_way = topology == "ring_1d_unidir"
        for r, m in enumerate(maps):
            for p, peer in m.items():
                back = _OPPOSITE.get(p)
                if not one_way and maps[peer].get(back) != r:
                    back = next((b for b, o in maps[peer].items() if o == r), back)
                self.ports[r][p] = (peer, back)
        self.queues = {}
        for r, m in enumerate(list(self.ports)):
            for p, (peer, back) in list(m.items()):
                self.queues[peer, back] = _Queue()
                self.ports[peer].setdefault(back, (r, p))
        self.tensor_bytes = (tensor_bytes + 63) // 64 * 64
        self.memories = [numpy.zeros(self.tensor_bytes + len(PORTS) * n_slots * slot_size, numpy.uint8) for _ in maps]
        self.entered = self.generation = 0

    def slot_base(self, rank, port, queue):
        number = PORTS.index(port) * self.slots + queue.taken % self.slots
        queue.taken += 1
        return self.tensor_bytes + number * self.slot_bytes


def run_kernel_in_mock(kernel, tensors, *arguments, topology="ring_1d", n_slots=8, slot_size=4096, neighbors=None):
    """Runs kernel(pointer, rank, world_size, *arguments, tl=tl) on as many ranks as there are `tensors`; returns theirs after
    it. Raises what a kernel raises, RuntimeError where ranks can never go on (each with its line) or a message is left.

    >>> def hello(t_ptr, rank, world_size, tl):
    ...     tl.send("E", t_ptr)
    ...     tl.recv("W", dst=t_ptr)
    >>> [int(t[0]) for t in run_kernel_in_mock(hello, [numpy.full(4, r, numpy.int32) for r in range(3)])]
    [2, 0, 1]
    """
    ws = len(tensors)
    tensors = [numpy.ascontiguousarray(t) for t in tensors]
    dtype = next(name for name, of in _NUMPY.items() if of == tensors[0].dtype.type)
    cluster = _Cluster(topology, ws, n_slots, slot_size, max(t.nbytes for t in tensors), neighbors)
    mocks, kernels = [], []
    for r, t in enumerate(tensors):
        cluster.memories[r][:t.nbytes] = t.reshape(-1).view(numpy.uint8)
        mock = _Mock(cluster, r)
        pointer = Pointer(0, t.shape, dtype)
        mocks.append(mock)
        kernels.append(greenlet.greenlet(lambda p=pointer, r=r, m=mock: kernel(p, r, ws, *arguments, tl=m)))
    before = None
    while not all(k.dead for k in kernels):
        for k in kernels:
            if not k.dead:
                k.switch()
        state = [(k.dead, m._waits) for k, m in zip(kernels, mocks)] + \
                [(len(q.messages), q.used, q.taken) for q in cluster.queues.values()] + [cluster.generation]
        if state == before:
            waits = [f"\n  rank {r} waits for {m._waits}" for r, (k, m) in enumerate(zip(kernels, mocks)) if not k.dead]
            for k in kernels:
                if not k.dead:
                    k.throw(greenlet.GreenletExit)
            raise RuntimeError("deadlock: these ranks can never go on:" + "".join(waits))
        before = state
    for (rank, port), queue in cluster.queues.items():
        if queue.messages:
            raise RuntimeError(f"IpcqLeak: rank {rank} has ended with {len(queue.messages)} messages unread at {port}")
    return [cluster.memories[r][:t.nbytes].view(t.dtype).reshape(t.shape).copy() for r, t in enumerate(tensors)]
