#!/usr/bin/python3
"""Ctrl-C ends a run at the next look: it exits with 4 and its result says how far it came."""
import json
import os
import signal
import subprocess
import sys
import tempfile

from chakra_wire import attribute, field, varint

RANKS = 2048  # with an event a message: minutes
with tempfile.TemporaryDirectory() as folder:
    node = varint(1 << 3) + varint(1) + field(2, b"all_reduce") + varint(3 << 3) + varint(7)
    node += attribute("is_cpu_op", 27, 0) + attribute("comm_type", 9, 0) + attribute("comm_size", 9, 1 << 26)
    metadata = field(1, b"0.0.4")
    for rank in range(RANKS):
        with open(f"{folder}/w.{rank}.et", "wb") as f:
            f.write(varint(len(metadata)) + metadata + varint(len(node)) + node)
    with open(folder + "/network.yml", "w") as f:
        f.write(f"topology: [ Ring ]\nnpus_count: [ {RANKS} ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n")
    run = subprocess.Popen([os.environ["TUTTI"], "trace", "--workload", folder + "/w", "--network", folder + "/network.yml", "--shortcuts", "off", "--progress", "on", "--json", folder + "/out.json"],
                           stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    line = run.stderr.readline()  # it is on its way
    run.send_signal(signal.SIGINT)
    rest = run.stderr.read()
    code = run.wait()
    with open(folder + "/out.json") as f:
        result = json.load(f)
    good = code == 4 and "nodes done" in line and "oldest: rank 0 node 1 'all_reduce'" in line and "partial" in rest
    good = good and result["partial"] is True and result["status"] == "error" and len(result["ranks"]) == RANKS and result["makespan_ns"] > 0
    if not good:
        print(f"FAILED: exit {code}\n{line}{rest}")
        sys.exit(1)
print("ok")
