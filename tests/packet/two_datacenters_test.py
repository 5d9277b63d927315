#!/usr/bin/python3
"""Runs examples/two_datacenters under both placements and compares times with what 60 ms between the sites allow."""
import json
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(HERE, "..", "..", "examples", "two_datacenters")
TUTTI = os.environ["TUTTI"]
WAY_MS = 60


def run(folder, placement):
    out = os.path.join(folder, placement + ".json")
    subprocess.run([TUTTI, "trace", "--backend", "packet", "--network", os.path.join(EXAMPLE, f"placement_{placement}.yaml"), "--workload", folder + "/step", "--comm-group", folder + "/step.json", "--json", out, "--progress", "off"], check=True, stdout=subprocess.DEVNULL)
    with open(out) as f:
        return json.load(f)


def bytes_over(result, a, b):
    return sum(link["bytes"] for link in result["links"] if link["id"] in (f"{a} -> {b}", f"{b} -> {a}"))


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([TUTTI, "gen", "step", "--model", "tiny", "--pp", "2", "--dp", "2", "--one-tag", "--out", folder + "/step"], check=True, stdout=subprocess.DEVNULL)
    a, b = run(folder, "a"), run(folder, "b")

for name, result in (("A", a), ("B", b)):
    assert result["status"] == "completed", (name, result["status"])
    assert all("finish_ns" in r for r in result["ranks"]), name
    assert bytes_over(result, 4, 6) == bytes_over(result, 6, 5) > 0, name
    print(name, result["makespan_ns"] / 1e6, "ms,", bytes_over(result, 4, 6), "bytes between the sites, exposed", [r["exposed_comm_ns"] / 1e6 for r in result["ranks"]])

# A: an all-reduce of two ranks is two steps, each of one way. B: 8 microbatches, two in flight, there and back.
assert a["makespan_ns"] >= 2 * WAY_MS * 1e6
assert b["makespan_ns"] >= 4 * 2 * WAY_MS * 1e6
assert bytes_over(a, 4, 6) != bytes_over(b, 4, 6)
