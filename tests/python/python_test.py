"""The package tutti: the seed's listings, the same times as C++ to the picosecond, errors, deadlocks with Python lines."""
import doctest
import importlib.util
import os
import sys

if not os.environ.get("TUTTI_PYTHON_PATH") or not importlib.util.find_spec("greenlet") \
        or not importlib.util.find_spec("numpy"):
    print("python3-dev, pybind11-dev, python3-greenlet or python3-numpy is not there: NOT tested")
    sys.exit(0)
sys.path[:0] = os.environ["TUTTI_PYTHON_PATH"].split(":")

import numpy
import tutti
from tutti.ccl import helpers, testing
from tutti.ccl.algorithms import mesh_allreduce, ring_allreduce, tree_allreduce

TINY = ["profile=tiny"]

# The seed's host program (ADR-0023 D10) as it is printed there, but for the package's name.
M, K = 64, 33


def run_rank(rank, world_size, torch):
    dist = torch.distributed
    dist.init_process_group(backend="ahbm", world_size=world_size, rank=rank)

    tensor = torch.zeros((M, K), dtype="f16", dp=...)

    from tutti.ccl.algorithms import ring_allreduce
    torch.launch("ring_allreduce", ring_allreduce.kernel, tensor, rank, world_size)
    return tensor


result = tutti.run(run_rank, set=TINY)
assert len(result.finish_ps) == 16 and result.makespan_ns > 0 and result.replay_identical
assert result.value.data.shape == (M, K) and not result.value.data.any()


# Ring, tree and mesh: the same times, bytes and log in Python and in C++, for sizes that divide nothing.
def host(kernel, elements, dtype):
    def run(rank, world_size, torch):
        torch.distributed.init_process_group("ahbm", world_size=world_size, rank=rank)
        ranks = torch.distributed.get_world_size()
        t = torch.zeros((elements,), dtype=dtype)
        for r in range(ranks):
            t.set_shard(r, (numpy.arange(elements) * 3 + r * 5) % 7 - 3)
        if callable(kernel):
            torch.launch("x", kernel, t, rank, world_size)
        else:
            torch.distributed.all_reduce(t) if kernel is None else torch.launch_built_in(kernel, t)
        return [t.shard(r).tobytes() for r in range(ranks)], t
    return run


for module in (ring_allreduce, tree_allreduce, mesh_allreduce):
    name = module.__name__.rsplit(".", 1)[1]
    for elements, dtype, more in ((33, "i32", []), (6001, "f16", []), (2048, "f32", ["defaults.buffer_kind=hbm"]),
                                  (1024, "f16", ["defaults.n_slots=1", "defaults.credit.wait=posted"])):
        settings = TINY + ["defaults.algorithm=" + name] + more
        a = tutti.run(host(module.kernel, elements, dtype), set=settings)
        b = tutti.run(host(name, elements, dtype), set=settings)
        assert a.finish_ps == b.finish_ps and None not in a.finish_ps, (name, elements, a, b)
        assert a.log == b.log and a.value[0] == b.value[0], (name, elements)
        total = sum((numpy.arange(elements) * 3 + r * 5) % 7 - 3 for r in range(16))
        assert (a.value[1].shard(3) == total).all(), name
# distributed.all_reduce runs the module that ccl.yaml names, in Python.
a, b = (tutti.run(host(k, 100, "i32"), set=TINY) for k in (None, ring_allreduce.kernel))
assert a.finish_ps == b.finish_ps and a.value[0] == b.value[0]


# An exception of a kernel reaches the caller with the kernel's own traceback, and other kernels are ended.
ended = []


def one_launch(kernel, set=TINY, world_size=2, **more):
    def run(rank, world, torch):
        torch.distributed.init_process_group("ahbm", world_size=world_size, rank=rank)
        torch.launch("x", kernel, torch.zeros((64,), dtype="i32"), rank, world)
    return tutti.run(run, set=set, **more)


def expect(kind, kernel, *words):
    try:
        one_launch(kernel)
    except kind as error:
        lines, at = [], error.__traceback__
        while at:
            lines.append(at.tb_frame.f_code.co_name)
            at = at.tb_next
        for word in words:
            assert word in str(error), (word, str(error))
        return lines
    raise AssertionError(f"{kernel.__name__}: no {kind.__name__}")


def raises(t_ptr, rank, world_size, tl):
    try:
        if rank == 1:
            raise ZeroDivisionError("mine")
        tl.recv("W")
    finally:
        ended.append(rank)


assert "raises" in expect(ZeroDivisionError, raises, "mine")
assert sorted(ended) == [0, 1], ended


def no_port(t_ptr, rank, world_size, tl):
    tl.send("N", t_ptr)


assert "no_port" in expect(tutti.Error, no_port, "IpcqInvalidDirection")


def handled(t_ptr, rank, world_size, tl):
    try:
        tl.send("N", t_ptr)
    except tutti.Error:
        tl.send("E", t_ptr)
        tl.recv("W")


one_launch(handled)


# A deadlock says where every rank stands, in Python lines.
def both_wait(t_ptr, rank, world_size, tl):
    tl.recv("E" if rank else "W")


line = both_wait.__code__.co_firstlineno + 1
expect(tutti.DeadlockError, both_wait, f"python_test.py:{line}", "my_tail 0")
try:
    tutti.run(run_rank, set=["profile=tinny"])
    raise AssertionError("a wrong file is taken")
except tutti.ConfigError as error:
    assert "tinny" in str(error)


# Every call, on PEs and on the mock: one program, one result.
def everything(t_ptr, rank, world_size, tl):
    assert tl.has("E") and not tl.has("N") and tl.credits("E") == tl.n_slots("E") and tl.slot_size("E") == 4096
    n = 64
    tl.send("E", t_ptr, n)
    tl.send(dir="E", src_addr=t_ptr, nbytes=0)
    handle = tl.recv_async("W")
    slot = tl.wait(handle)
    assert slot.nbytes == n
    tl.reduce("sum", "i32", t_ptr, slot, n // 4)
    tl.release(slot)
    assert tl.recv().nbytes == 0
    tl.barrier()
    both = tl.send_recv("W", t_ptr + 128, 64, "E")
    tl.copy(t_ptr + 64, both.addr, 64)
    tl.release(both)
    a, = tl.recv_all([tl.send("E", t_ptr, 4) or "W"])
    assert a.nbytes == 4 and not tl.probe("W") and tl.num_programs(0) > tl.program_id(0)


def everything_host(rank, world, torch):
    torch.distributed.init_process_group("ahbm", world_size=4, rank=rank)
    t = torch.zeros((64,), dtype="i32")
    for r in range(4):
        t.set_shard(r, numpy.arange(64) + 100 * r)
    torch.launch("everything", everything, t, rank, world)
    return [t.shard(r).copy() for r in range(4)]


on_pes = tutti.run(everything_host, set=TINY).value
on_mock = testing.run_kernel_in_mock(everything, [numpy.arange(64, dtype=numpy.int32) + 100 * r for r in range(4)])
for r in range(4):
    west, east = (r - 1) % 4, (r + 1) % 4
    i = numpy.arange(64)
    expected = numpy.where(i < 16, 2 * i + 100 * (r + west), numpy.where(i < 32, i + 16 + 100 * east, i + 100 * r))
    assert (on_pes[r] == expected).all() and (on_mock[r] == expected).all(), (r, on_pes[r], on_mock[r])

# The algorithms on the mock, 1 to 9 ranks, one slot too.
for module, topology, ranks in [(ring_allreduce, "ring_1d", (1, 2, 3, 7)), (tree_allreduce, "tree_binary", (1, 2, 5, 9)),
                                (mesh_allreduce, "mesh_2d", (1, 4, 9))]:
    for ws in ranks:
        for slots in (1, 8):
            tensors = [numpy.arange(301, dtype=numpy.int32) * (r + 1) for r in range(ws)]
            after = testing.run_kernel_in_mock(module.kernel, tensors, topology=topology, n_slots=slots, slot_size=64)
            assert all((t == sum(tensors)).all() for t in after), (module.__name__, ws, slots)


# A module of the author's own, named in ccl.yaml, with its neighbors hook: skip-connections (Pattern B of the seed).
import tempfile
with tempfile.TemporaryDirectory() as folder:
    os.mkdir(os.path.join(folder, "my_package"))
    with open(os.path.join(folder, "my_package", "skip.py"), "w") as f:
        f.write("def kernel(t_ptr, rank, world_size, tl):\n    tl.send('E', t_ptr, 4)\n    tl.recv('W', dst=t_ptr)\n\n"
                "def neighbors(rank, world_size, neighbor_map):\n"
                "    return {'E': (rank + 2) % world_size, 'W': (rank - 2) % world_size}\n")
    with open(os.path.join(folder, "ccl.yaml"), "w") as f:
        f.write("defaults: {algorithm: skip}\nalgorithms:\n  skip: {module: my_package.skip, topology: none}\n")
    sys.path.insert(0, folder)

    def skip_host(rank, world_size, torch):
        torch.distributed.init_process_group("ahbm", world_size=5, rank=rank)
        t = torch.zeros((1,), dtype="i32")
        for r in range(5):
            t.set_shard(r, [r])
        torch.distributed.all_reduce(t)
        return [int(t.shard(r)[0]) for r in range(5)]
    assert tutti.run(skip_host, ccl=os.path.join(folder, "ccl.yaml"), set=TINY).value == [3, 4, 0, 1, 2]

# Hello world of the author guide, as it is printed there.
with open("docs/author-guide.md", encoding="utf-8") as f:
    exec(compile(f.read().split("```python\n")[1].split("```")[0], "author-guide.md", "exec"), {})

for module in (helpers, testing):
    failures, tried = doctest.testmod(module)
    assert tried and not failures
print("ok")
