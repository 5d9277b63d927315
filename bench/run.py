#!/usr/bin/env python3
"""Prints one table: the simulation core against a baseline of the same run, and CPU seconds of runs on PEs.

usage: bench/run.py [BUILD]     BUILD: folder with sim_bench and tutti; default build/release

Times are CPU times, medians; compare the ratios, since machines and load change both sides. SimPy is measured where its Python
module is installed (python3-simpy3) and named as left out where it is not.
"""
import pathlib, resource, statistics, subprocess, sys

SIMPY = """
import random, simpy
def ticker(env, n):
    for _ in range(n):
        yield env.timeout(random.random() + 1e-6)
env = simpy.Environment()
for _ in range({processes}):
    env.process(ticker(env, {each}))
env.run()
"""
RUNS = [("128 PEs, ring all-reduce of 64 KiB", ["run"]),
        ("the same without data checks", ["run", "--no-verify-data"]),
        ("128 PEs, tree all-reduce", ["run", "--algorithm", "tree_allreduce"])]


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def median(command, repeats=5):
    return statistics.median(cpu_seconds(command) for _ in range(repeats))


def simpy():
    """ns a timeout of SimPy by number of processes; None where it is not installed."""
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", "import simpy"], capture_output=True).returncode != 0:
        return None
    result = {}
    for processes in (100, 10_000):
        each = 200_000 // processes
        empty = cpu_seconds([python, "-c", "import random, simpy"])
        result[processes] = (cpu_seconds([python, "-c", SIMPY.format(processes=processes, each=each)]) - empty) / 2e5 * 1e9
    return result


def main(arguments):
    build = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).resolve().parent.parent / "build/release")
    for program in ("sim_bench", "tutti"):
        if not (build / program).exists():
            print(f"error: {build / program} is not there: make bench builds it", file=sys.stderr)
            return 2
    core = subprocess.run([build / "sim_bench"], check=True, capture_output=True, text=True).stdout
    print("simulation core, baseline: std::priority_queue of std::function events")
    print(core, end="")
    peer = simpy()
    if peer is None:
        print("SimPy: left out, its module is not installed")
    else:
        ours = {int(line.split(",")[1].split()[0]): float(line.split()[-1])
                for line in core.splitlines() if line.startswith("wake-up")}
        for processes, ns in peer.items():
            print(f"SimPy timeout, {processes} processes: {ns:.0f} ns, {ns / ours[processes]:.0f} times ours")
    print("\nruns on PEs, CPU seconds of the whole process, median of 5")
    for name, arguments in RUNS:
        print(f"{name:44} {median([str(build / 'tutti'), *arguments]):8.3f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
