#!/usr/bin/python3
"""packet_scaling.py [--tutti BINARY] [--shared DIR] [--cases 16:1,16:64,...] [--runs N] [--markdown]: CPU time and memory of a ring
all-reduce of RANKS:MiB over the clos network of the reference's n3_all_reduce_16_clos, in astra semantics, beside the times that the
optimised ns-3 build took (scaling.tsv). Exits 1 if a finish time differs from the reference's."""
import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile


def measure(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--tutti", default="build/release/tutti")
    p.add_argument("--shared", default=os.environ.get("TUTTI_SHARED", "../shared"))
    p.add_argument("--cases", default="16:1,16:64,32:64,64:64,128:1,128:64")
    p.add_argument("--runs", type=int, default=3, help="the least CPU time counts")
    o = p.parse_args()
    peers = os.path.join(o.shared, "peers", "astra-sim")
    case = os.path.join(peers, "n3_all_reduce_16_clos")
    with open(os.path.join(peers, "scaling.tsv")) as f:
        peer = {r["case"]: r for r in csv.DictReader(f, delimiter="\t")}
    print("| ranks | MiB | ns-3 CPU s | ours CPU s | times less | ns-3 MB | ours MB | events | finish |\n|---|---|---|---|---|---|---|---|---|")
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for ranks, mib in (c.split(":") for c in o.cases.split(",")):
            r = peer[f"n3_scale_ar_{ranks}npus_{mib}MiB_clos"]
            subprocess.run([o.tutti, "gen", "collective", "--ranks", ranks, "--bytes", mib + " MiB", "--out", folder + "/w"], check=True, stdout=subprocess.DEVNULL)
            with open(folder + "/logical.json", "w") as f:
                json.dump({"logical-dims": [ranks]}, f)
            command = [o.tutti, "trace", "--workload", folder + "/w", "--backend", "packet", "--semantics", "astra", "--system", case + "/system.json", "--network", case + "/config.txt", "--logical-topology", folder + "/logical.json", "--json", folder + "/out.json", "--progress", "off"]
            cpu = min(measure(command) for _ in range(o.runs))
            with open(folder + "/out.json") as f:
                result = json.load(f)
            finishes = [x["finish_ns"] for x in result["ranks"]]
            same = min(finishes) == int(r["min_finish_ns"]) and max(finishes) == int(r["max_finish_ns"])
            failed |= not same
            print(f"| {ranks} | {mib} | {float(r['cpu_s']):.2f} | {cpu:.2f} | {float(r['cpu_s']) / cpu:.1f} | {int(r['rss_kb']) / 1000:.0f} | {result['peak_rss_bytes'] / 1e6:.1f} | {result['events']} | {'equal' if same else 'DIFFERS'} |", flush=True)
    sys.exit(failed)


main()
