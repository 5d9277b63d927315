#!/usr/bin/python3
"""trace_scaling.py [--tutti BINARY] [--peer scaling.tsv] [--ranks 16,64,...] [--runs N]: CPU time and memory of one ring
all-reduce (1 MiB, 4 chunks, one running) over a ring, a fully connected and a switched network of N ranks, in astra
semantics. With the peer's table (case, finish, CPU seconds, memory) it checks the finish time and prints the ratios.
Prints one line a case; exits 1 if a finish time differs."""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "trace"))
from chakra_wire import attribute, field, varint  # noqa: E402

SYSTEM = {"scheduling-policy": "LIFO", "endpoint-delay": 10, "active-chunks-per-dimension": 1, "preferred-dataset-splits": 4, "local-mem-bw": 1600, "collective-optimization": "localBWAware"}
KINDS = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all")


def trace(size):
    """Metadata with version 0.0.4 and one all-reduce node."""
    node = varint(1 << 3) + varint(1) + field(2, b"all_reduce") + varint(3 << 3) + varint(7)
    node += attribute("is_cpu_op", 27, 0) + attribute("comm_type", 9, 0) + attribute("comm_size", 9, size)
    metadata = field(1, b"0.0.4")
    return varint(len(metadata)) + metadata + varint(len(node)) + node


def write_case(folder, shape, ranks, size):
    system = dict(SYSTEM, **{kind + "-implementation": ["ring"] for kind in KINDS})
    with open(folder + "/system.json", "w") as f:
        json.dump(system, f)
    with open(folder + "/network.yml", "w") as f:
        f.write(f"topology: [ {shape} ]\nnpus_count: [ {ranks} ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n")
    for r in range(ranks):
        with open(f"{folder}/w.{r}.et", "wb") as f:
            f.write(trace(size))


def measure(tutti, folder, backend, semantics, shortcuts):
    command = [tutti, "trace", "--workload", folder + "/w", "--network", folder + "/network.yml", "--system", folder + "/system.json", "--backend", backend, "--semantics", semantics, "--shortcuts", shortcuts, "--json", folder + "/out.json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(folder + "/out.json") as f:
        result = json.load(f)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, result["makespan_ns"], result["peak_rss_bytes"] / 1024, result["messages"]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--tutti", default="build/release/tutti")
    p.add_argument("--peer", default=os.environ.get("TUTTI_SHARED", "../shared") + "/peers/astra-sim/scaling.tsv")
    p.add_argument("--ranks", default="16,64,128,256,512,1024,4096")
    p.add_argument("--shapes", default="Ring,FullyConnected,Switch")
    p.add_argument("--backends", default="unaware,aware")
    p.add_argument("--semantics", default="astra")
    p.add_argument("--shortcuts", default="on", help="off: an event for every message")
    p.add_argument("--runs", type=int, default=3)
    p.add_argument("--mebibytes", type=int, default=1)
    o = p.parse_args()
    peer = {}
    if os.path.exists(o.peer):
        with open(o.peer) as f:
            names = f.readline().split()
            peer = {row[0]: dict(zip(names, row)) for row in (line.split("\t") for line in f)}
    else:
        print("no table of the peer: no ratios")
    wrong = 0
    print("case\tmessages\tcpu_s\tns_a_message\trss_kib\tpeer_cpu_s\ttimes_less_cpu\tfinish")
    for ranks in map(int, o.ranks.split(",")):
        for shape in o.shapes.split(","):
            with tempfile.TemporaryDirectory() as folder:
                write_case(folder, shape, ranks, o.mebibytes << 20)
                for backend in o.backends.split(","):
                    name = f"scale_ar_{shape}_{ranks}npus_{o.mebibytes}MiB_{backend}"
                    runs = sorted(measure(o.tutti, folder, backend, o.semantics, o.shortcuts) for _ in range(o.runs))
                    cpu, finish, rss, messages = runs[len(runs) // 2]
                    other = peer.get(name)
                    ratio = f"{other['cpu_s']}\t{float(other['cpu_s']) / max(cpu, 1e-3):.1f}" if other else "-\t-"
                    verdict = "-"
                    if other and o.semantics == "astra":
                        verdict = "equal" if float(other["max_finish_ns"]) == finish else f"differs: {other['max_finish_ns']} there, {finish} here"
                        wrong += verdict != "equal"
                    print(f"{name}\t{messages}\t{cpu:.3f}\t{cpu * 1e9 / max(messages, 1):.0f}\t{rss:.0f}\t{ratio}\t{verdict}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
