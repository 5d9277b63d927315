#!/usr/bin/python3
"""packet_accuracy.py [--tutti BINARY] [--shared DIR]: the table of docs/accuracy.md. Runs every recorded case of the packet network and
compares the finish time of every rank with the reference's: how many cases of each kind and congestion control are equal to the
nanosecond, and how far the others are off. Exits 1 if a case without random draws differs."""
import argparse
import glob
import json
import os
import re
import subprocess
import sys

NAMES = {1: "DCQCN", 3: "HPCC", 7: "TIMELY", 8: "DCTCP", 10: "PINT"}


def finishes(tutti, folder, expect):
    prefix = expect.get("workload_prefix") or "workload/" + re.sub(r"\.\d+\.et$", "", os.path.basename(sorted(glob.glob(folder + "/workload/*.et"))[0]))
    command = [tutti, "trace", "--workload", os.path.join(folder, prefix), "--backend", "packet", "--semantics", "astra", "--json", "-", "--progress", "off", "--network", folder + "/config.txt"]
    for option, name in (("--system", "system.json"), ("--remote-memory", "remote_memory.json"), ("--comm-group", "comm_group.json"), ("--logical-topology", "logical_topology.json")):
        if os.path.exists(os.path.join(folder, name)):
            command += [option, os.path.join(folder, name)]
    done = subprocess.run(command + expect.get("extra_args", []) + expect.get("args", []), capture_output=True, check=False)
    return [r.get("finish_ns") for r in json.loads(done.stdout)["ranks"]]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--tutti", default="build/release/tutti")
    p.add_argument("--shared", default=os.environ.get("TUTTI_SHARED", "../shared"))
    o = p.parse_args()
    rows = {}
    for config in sorted(glob.glob(o.shared + "/peers/ns3/*/config.txt") + glob.glob(o.shared + "/peers/astra-sim/*/config.txt")):
        folder = os.path.dirname(config)
        with open(folder + "/expect.json") as f:
            expect = json.load(f)
        want = expect.get("finish_ns", expect.get("cycles"))
        if expect.get("kind") == "timelyfix" or expect.get("peer_exit") or expect.get("peer_timed_out") or not want:
            continue
        kind = expect.get("kind", "collective, custom" if "custom" in folder else "collective")
        with open(config) as f:
            mode = int(re.search(r"^CC_MODE\s+(\d+)", f.read(), re.M).group(1))
        got = finishes(o.tutti, folder, expect)
        drawn = bool(expect.get("random_draws_can_matter"))
        row = rows.setdefault((kind, NAMES.get(mode, "none"), "yes" if drawn else "no"), [0, 0, 0.0])
        row[0] += 1
        row[1] += got == want
        row[2] = max(row[2], abs(max(x or 0 for x in got) - max(want)) / max(want))
    print("| kind | congestion control | random draws matter | cases | equal to the ns on all ranks | largest error of the last finish |\n|---|---|---|---|---|---|")
    for key, (cases, equal, error) in sorted(rows.items()):
        print("| " + " | ".join(key) + f" | {cases} | {equal} | {error * 100:.2g} % |")
    total = [sum(r[i] for r in rows.values()) for i in (0, 1)]
    print(f"\n{total[0]} cases, {total[1]} equal.")
    sys.exit(any(key[2] == "no" and row[0] != row[1] for key, row in rows.items()))


main()
