"""tutti run: the contract of its JSON, its exit codes, and what it says of bad input."""
import json
import os
import subprocess
import tempfile

TUTTI = os.environ["TUTTI"]


def run(*options, code=0, text=None):
    path = None
    words = [TUTTI, "run", *options]
    if text is not None:
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as f:
            f.write(text)
            path = f.name
        words += ["--ccl", path]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    if path:
        os.unlink(path)
    assert done.returncode == code, (options, done.returncode, done.stderr[-2000:])
    return done


def result(*options, code=0, text=None):
    return json.loads(run(*options, "--json", "-", code=code, text=text).stdout)


def without_clock(r):
    return {k: v for k, v in r.items() if k not in ("wall_s", "peak_rss_bytes")}


TINY = ["--set", "profile=tiny"]

# The default run: 128 PEs, 64 KiB of f16, verified in three ways, never below a bound.
r = result()
assert r["schema"] == 1 and r["tool"] == "tutti" and r["command"] == "run" and r["status"] == "completed"
assert r["collective"]["ranks"] == 128 and r["collective"]["bytes"] == 65536
assert r["verification"]["checked"] and r["verification"]["replay_identical"]
assert r["verification"]["elements"] == 128 * 32768
assert {"latency", "bandwidth", "credit"} <= {b["name"] for b in r["bounds"]}
assert r["makespan_ns"] >= max(b["ns"] for b in r["bounds"]) and r["gap"] >= 1
assert r["binding_bound"] == max(r["bounds"], key=lambda b: b["ns"])["name"]
# nccl-tests: busbw = algbw x 2 (n - 1) / n.
assert abs(r["collective"]["busbw_gbps"] / r["collective"]["algbw_gbps"] - 2 * 127 / 128) < 1e-9
assert abs(r["collective"]["algbw_gbps"] - 65536 / r["makespan_ns"]) < 1e-9
assert all(k["finish_ns"] <= r["makespan_ns"] for k in r["ranks"]) and len(r["ranks"]) == 128
# A ring all-reduce sends 2 (n - 1) / n of the tensor from each rank.
assert all(k["bytes_sent"] == 254 * 512 for k in r["ranks"])
assert r["inputs"]["defaults.n_slots"] == {"value": "8", "origin": "default"}
assert without_clock(r) == without_clock(result())

# Every algorithm that comes with the program, every type, ranks and elements that divide nothing.
for name in ["ring_allreduce", "ring_allreduce_unidir", "ring_allreduce_bidir", "tree_allreduce", "mesh_allreduce",
             "mesh_allreduce_no_wrap", "all_gather", "reduce_scatter", "broadcast", "all_to_all", "barrier"]:
    r = result(*TINY, "--algorithm", name, "--bytes", "4100")
    assert r["verification"]["checked"] and r["inputs"]["defaults.algorithm"]["origin"] == "--algorithm", name
for dtype in ["f16", "bf16", "f32", "i8", "i32"]:
    for ranks in ["1", "2", "3", "7", "16"]:
        for elements in [1, 5, 1023]:
            width = {"f16": 2, "bf16": 2, "f32": 4, "i8": 1, "i32": 4}[dtype]
            r = result(*TINY, "--ranks", ranks, "--dtype", dtype, "--bytes", str(elements * width))
            assert r["verification"]["checked"], (dtype, ranks, elements)
for ranks in ["17", "64"]:
    assert result("--ranks", ranks, "--bytes", "8198")["verification"]["checked"]

# The same kernel with its slots in each memory: the same data, other times (seed D6: TCM < HBM, TCM < SRAM).
times = {kind: result(*TINY, "--set", f"defaults.buffer_kind={kind}")["makespan_ns"] for kind in ("tcm", "sram", "hbm")}
assert times["tcm"] < times["sram"] and times["tcm"] < times["hbm"], times
for mode in ("fast_path", "link", "vc_mux", "piggyback"):
    assert result(*TINY, "--set", f"defaults.credit.mode={mode}")["verification"]["checked"]

# A trace does not change times.
with tempfile.TemporaryDirectory() as folder:
    trace = os.path.join(folder, "trace.txt")
    assert result(*TINY, "--ccl-trace", trace)["makespan_ns"] == result(*TINY)["makespan_ns"]
    lines = open(trace).read().splitlines()
    assert len(lines) == 3 * 16 * 30 and lines[0].startswith("rank 0 send E 4096 B at "), (len(lines), lines[:1])

# Bad input: one clear message with its place, exit 2.
def refused(part, *options, text=None):
    done = run(*options, code=2, text=text)
    assert part in done.stderr, (part, done.stderr)
    error = result(*options, code=2, text=text)
    assert error["status"] == "error" and part in error["error"]


refused("did you mean 'n_slots'", "--set", "defaults.n_slot=4")
done = run("--ranks", "0", code=2)
assert "at least one rank" in done.stderr
refused("129 ranks are asked for", "--ranks", "129")
refused("elements of 4 bytes", "--dtype", "f32", "--bytes", "6")
refused("did you mean 'ring_allreduce'", "--algorithm", "ring_alreduce")
refused("does not hold one element", "--set", "defaults.slot_size=1")
refused(".yaml:2:", text="defaults: {algorithm: mine}\nalgorithms: {mine: {module: no_such_kernel}}\n")
refused(".yaml:1:", text="defaults: {algorithm: ring_allreduce, slot_size: 4 KB/s}\n")
refused("IpcqRegionOverflow", text="defaults: {algorithm: ring_allreduce, n_slots: 1024}\n")
refused("algorithm is missing", text="defaults: {n_slots: 4}\n")
