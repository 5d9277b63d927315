"""What a kernel in Python can do: the `tl` of ADR-0023 D4. Calls that take simulated time look like plain calls: the kernel
runs in a greenlet, and a call hands a request to the simulator and comes back when it is done."""
import inspect
import sys

import greenlet


class Pointer(int):
    """An address in the memory of the PE, with what is known of the tensor there."""

    def __new__(cls, address, shape=(), dtype="f16"):
        self = super().__new__(cls, address)
        self.shape, self.dtype = tuple(shape), dtype
        return self

    @property
    def elements(self):
        n = 1
        for side in self.shape:
            n *= side
        return n

    @property
    def nbytes(self):
        return self.elements * SIZE[self.dtype]


SIZE = {"f16": 2, "bf16": 2, "f32": 4, "i8": 1, "i32": 4}


class Slot:
    """A received message in the slot it arrived in. Its credit goes back when it is released or no longer referred to."""

    def __init__(self, tl, kept):
        self._tl = tl
        self._number, self.port, self.addr, self.nbytes = kept

    def __int__(self):
        return self.addr

    __index__ = __int__

    def __del__(self):
        if self._number is not None:
            self._tl._process.release_posted(self._number)


class _Raise:
    def __init__(self, raiser):
        self.raiser = raiser


class TL:
    """Everything a kernel can ask of its PE. `dir` is a port: N, S, E, W, parent, child_left, child_right or spare."""

    def __init__(self, session, rank):
        self._session, self._rank = session, rank

    @property
    def _process(self):
        return self._session.process(self._rank)

    def _ask(self, name, *arguments):
        frame = sys._getframe(2)
        while frame.f_globals.get("__name__") == __name__ and frame.f_back:
            frame = frame.f_back
        parent = greenlet.getcurrent().parent
        answer = parent.switch((name, frame.f_code.co_filename, frame.f_lineno, *arguments))
        if isinstance(answer, _Raise):
            answer.raiser()
        return answer

    def send(self, dir, src_addr, nbytes=None):
        """Sends `nbytes` at `src_addr`; waits for a free slot of the peer, not for delivery. 0 bytes are a signal."""
        if nbytes is None:
            nbytes = src_addr.nbytes
        self._ask("send", dir, int(src_addr), int(nbytes))

    def recv(self, dir=None, dst=None):
        """The next message of `dir`, or of any port in turn, as a Slot; with `dst`, copied there: the number of bytes."""
        if dir is None:
            return Slot(self, self._ask("recv_any"))
        if dst is not None:
            return self._ask("recv_into", dir, int(dst))
        return Slot(self, self._ask("recv", dir))

    def recv_async(self, dir):
        """Asks for the next message of `dir`; `wait` gives it."""
        return ("ticket", self._process.recv_async(dir))

    def wait(self, handle):
        """Waits for a receive (its Slot) or for a composite."""
        kind, number = handle
        if kind == "ticket":
            return Slot(self, self._ask("wait", number))
        return self._ask("wait_composite", number)

    def recv_all(self, dirs):
        """One message of each port, in the order of `dirs`."""
        return [self.recv(d) for d in dirs]

    def send_recv(self, to, src_addr, nbytes, dir):
        """Sends at `to` and receives from `dir`."""
        return Slot(self, self._ask("send_recv", to, int(src_addr), int(nbytes), dir))

    def release(self, slot):
        """Gives a slot back; waits as credit.wait says."""
        number, slot._number = slot._number, None
        self._ask("release", number)

    def reduce(self, op, dtype, accumulator, operand, elements):
        """accumulator[i] = accumulator[i] op operand[i] on MATH; op: sum, max, min."""
        self._ask("reduce", op, dtype, int(accumulator), int(operand), int(elements))

    def copy(self, dst, src, nbytes):
        """Copies between any two memories of the PE."""
        self._ask("copy", int(dst), int(src), int(nbytes))

    load = store = copy

    def composite(self, op="gemm", *, a, b, out_ptr, m, n, k, dtype="f16", accumulate=False):
        """Starts out (m x n) = a (m x k) x b (k x n) on GEMM; `wait` waits for its end."""
        if op != "gemm":
            raise ValueError(f"composite: unknown op {op!r}; known: gemm")
        return ("composite", self._ask("gemm", int(a), int(b), int(out_ptr), m, n, k, dtype, accumulate))

    def barrier(self):
        """Waits until every rank has come here."""
        self._ask("barrier")

    def probe(self, dir):
        """Whether recv(dir) would not wait."""
        return self._process.probe(dir)

    def credits(self, dir):
        """How many sends to `dir` would not wait."""
        return self._process.credits(dir)

    def has(self, dir):
        """Whether there is a neighbour at `dir`."""
        return self._process.has(dir)

    def n_slots(self, dir):
        return self._process.n_slots(dir)

    def slot_size(self, dir):
        return self._process.slot_size(dir)

    @property
    def grid(self):
        """Rows and columns of a 2D topology, and whether they wrap."""
        return self._session.grid

    def program_id(self, axis):
        """0: PE in its cube, 1: cube in its SIP, 2: SIP."""
        return self._session.program_id(self._rank, axis)

    def num_programs(self, axis):
        return self._session.num_programs(axis)


def start(kernel, arguments, tl):
    """A kernel as (greenlet, resume, fail) for the simulator."""
    if inspect.isgeneratorfunction(kernel):
        raise TypeError("a kernel is a plain function; its calls of tl wait by themselves")
    run = greenlet.greenlet(lambda _: kernel(*arguments, tl=tl))

    def resume(value):
        run.parent = greenlet.getcurrent()
        answer = run.switch(value)
        return None if run.dead else answer

    return run, resume, lambda raiser: resume(_Raise(raiser))
