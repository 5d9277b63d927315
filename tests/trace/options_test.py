#!/usr/bin/python3
"""The options of `tutti trace`: ASTRA-sim's own names work, and what is unknown, doubled or without effect is refused by name."""
import os
import subprocess
import sys

TUTTI = os.environ["TUTTI"]


def run(*options):
    p = subprocess.run([TUTTI, "trace", *options], capture_output=True, text=True)
    return p.returncode, p.stderr


cases = [
    (["--workload", "w"], "--network FILE is needed"),
    (["--network", "n"], "--workload PREFIX is needed"),
    (["--workload", "w", "--workload", "v", "--network", "n"], "given twice"),
    (["--workload"], "--workload needs a value"),
    (["--rendevous-protocol"], "did you mean '--rendezvous-protocol'?"),
    (["--workload", "w", "--network", "n", "--semantics", "astro"], "known: tutti, astra"),
    (["--workload", "w", "--network", "n", "--matching", "bytes"], "known: stream, message"),
    (["--workload", "w", "--network", "n", "--num-queues-per-dim", "0"], "a whole number from 1"),
    (["--workload", "w", "--network", "n", "--injection-scale=x"], "a number is needed"),
    (["--workload", "w", "--network", "n", "--comm-scale", "2"], "--comm-scale has no effect"),
    (["--workload", "w", "--network", "n", "--compute-scale", "0-1:2,x"], "RANK:X or FIRST-LAST:X is needed, not 'x'"),
    (["--workload", "w", "--network", "n", "--compute-scale", "3-1:2"], "a whole number from 3"),
    (["--workload", "w", "--network", "n", "--compute-scale=-1"], "factors from 0"),
    (["--workload", "w", "--network", "n", "--mtu", "0"], "--mtu"),
    (["--workload", "w", "--network", "/no/such/file"], "/no/such/file: error: the network file cannot be read"),
    (["--workload", "w", "--network", "n", "--rendezvous-protocol=maybe"], "true or false"),
    (["stray", "--workload", "w", "--network", "n"], "unknown option 'stray'"),
]
for options, part in cases:
    code, text = run(*options)
    if code != 2 or part not in text:
        print(f"FAILED: {options}: exit {code}: {text}")
        sys.exit(1)
astra = ["--workload-configuration=w", "--system-configuration=s", "--network-configuration=/no/such", "--remote-memory-configuration=r", "--comm-group-configuration=empty", "--logging-folder=l", "--rendezvous-protocol=1", "--comm-scale=1"]
code, text = run(*astra)
if code != 2 or "/no/such" not in text or "unknown" in text:
    print(f"FAILED: ASTRA-sim's names: exit {code}: {text}")
    sys.exit(1)
code, text = run("--help")
if code != 0:
    sys.exit(1)
print("ok")
