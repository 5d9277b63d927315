#!/usr/bin/python3
"""The seed's own test through the command line: four traces, 1 MiB and 2 MiB on one key. Receivers complete both, in order,
and the run ends; with one send removed it exits with 4 and names rank, node, tag and missing bytes."""
import json
import os
import subprocess
import sys
import tempfile

from chakra_wire import attribute, field, varint

TUTTI = os.environ["TUTTI"]
MIB = 1 << 20


def node(ident, name, kind, peer_name, peer, size):
    body = varint(1 << 3) + varint(ident) + field(2, name.encode()) + varint(3 << 3) + varint(kind)
    return body + attribute(peer_name, 7, peer) + attribute("comm_size", 9, size) + attribute("comm_tag", 7, 7)


def write(path, nodes):
    with open(path, "wb") as f:
        for message in [field(1, b"0.0.4")] + nodes:
            f.write(varint(len(message)) + message)


def run(folder, *more):
    p = subprocess.run([TUTTI, "trace", "--workload", folder + "/w", "--network", folder + "/network.yml", "--json", "-", *more], capture_output=True, text=True)
    return p.returncode, json.loads(p.stdout), p.stderr


def check(condition, what):
    if not condition:
        print("FAILED:", what)
        sys.exit(1)


with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/network.yml", "w") as f:
        f.write("topology: [ FullyConnected ]\nnpus_count: [ 4 ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n")
    for rank in range(4):
        sends, peer = rank < 2, (rank + 2) % 4
        kind, name, peer_name = (5, "send", "comm_dst") if sends else (6, "receive", "comm_src")
        write(f"{folder}/w.{rank}.et", [node(i, f"{name}{i}", kind, peer_name, peer, i * MIB) for i in (1, 2)])
    for policy in ("stream", "message"):
        code, result, _ = run(folder, "--matching", policy)
        check(code == 0 and result["status"] == "completed", f"{policy}: exit {code}")
        check(all("finish_ns" in r for r in result["ranks"]), "every rank finishes")
    write(folder + "/w.1.et", [node(1, "send1", 5, "comm_dst", 3, MIB)])
    code, result, text = run(folder)
    check(code == 4 and result["status"] == "deadlock", f"one send removed: exit {code}")
    check(len(result["unmatched"]) == 1, "one receive is left")
    left = result["unmatched"][0]
    check((left["kind"], left["rank"], left["node"], left["tag"], left["source"], left["bytes_expected"], left["bytes_arrived"]) == ("receive", 3, 2, 7, 1, 2 * MIB, 0), str(left))
    check("rank 3 node 2" in text and "tag 7" in text and str(2 * MIB) in text, text)
    check("finish_ns" not in result["ranks"][3] and "finish_ns" in result["ranks"][2], "only rank 3 is stuck")
    p = subprocess.run([TUTTI, "trace", "--workload", folder + "/w", "--netwrk", "x"], capture_output=True, text=True)
    check(p.returncode == 2 and "did you mean '--network'" in p.stderr, p.stderr)
print("ok")
