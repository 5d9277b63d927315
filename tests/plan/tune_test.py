"""tutti tune: deterministic, resumes, writes what runs; tutti algo calibrate and the pages that show both."""
import os
import re
import subprocess
import sys
import tempfile

TUTTI = os.environ["TUTTI"]
DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")


def run(*words):
    return subprocess.run([TUTTI, *words], capture_output=True, text=True, timeout=120)


SMALL = ("tune", "--ranks", "4", "--sizes", "1KiB,16KiB", "--set", "profile=tiny", "--rounds", "1")
with tempfile.TemporaryDirectory() as folder:
    state, yaml = os.path.join(folder, "state"), os.path.join(folder, "tuned.yaml")
    first = run(*SMALL, "--state", state, "--out", yaml)
    assert first.returncode == 0, first
    rows = [line for line in first.stdout.splitlines() if re.match(r" *\d+  ", line)]
    assert len(rows) == 2, first.stdout
    speedups = [float(re.split(r"  +", row.strip())[4]) for row in rows]
    assert all(s >= 1 for s in speedups) and max(speedups) > 1.2, rows
    # What it wrote runs, is verified, and takes the time that it promised.
    tuned = run("run", "--ccl", yaml, "--ranks", "4", "--bytes", "16KiB", "--set", "profile=tiny")
    assert tuned.returncode == 0 and "verified" in tuned.stdout, tuned
    promised = float(re.split(r"  +", rows[1].strip())[2])
    makespan, unit = re.search(r"makespan ([\d.]+) (ns|us)", tuned.stdout).groups()
    assert abs(float(makespan) / (1000 if unit == "ns" else 1) - promised) < 0.002, (promised, tuned.stdout)

    # Interrupted after any line, also within one, it goes on and ends with the same.
    with open(state, encoding="utf-8") as file:
        lines = file.readlines()
    with open(state, "w", encoding="utf-8") as file:
        file.writelines(lines[:len(lines) // 2] + [lines[len(lines) // 2][:20]])
    with open(yaml, encoding="utf-8") as file:
        wrote = file.read()
    again = run(*SMALL, "--state", state, "--out", yaml)
    assert again.returncode == 0, again
    assert again.stdout.splitlines()[1:] == first.stdout.splitlines()[1:], again.stdout
    with open(yaml, encoding="utf-8") as file:
        assert file.read() == wrote
    trials = int(re.search(r"(\d+) trials", again.stdout).group(1))
    assert 0 < trials < len(lines), trials
    with open(state, "w", encoding="utf-8") as file:
        file.write("nonsense\n")
    assert run(*SMALL, "--state", state).returncode == 2

# Between SIPs eight slots of 4 KiB do not cover the round trip of a credit: more are wanted, and the bound says why.
slots = run("tune", "--ranks", "2", "--sizes", "256KiB", "--rounds", "1", "--set", "profile=full",
            "--set", "defaults.rank_unit=sip", "--set", "defaults.algorithm=ring_all_reduce",
            "--set", "defaults.slot_size=4096", "--set", "defaults.vc_chunk_size=256",
            "--set", "defaults.credit.mode=fast_path", "--set", "defaults.credit.wait=posted",
            "--set", "defaults.buffer_kind=tcm")
assert slots.returncode == 0, slots
found = re.search(r"n_slots (\d+) instead of 8: ([\d.]+) x faster; credit bound", slots.stdout)
assert found and int(found.group(1)) > 8 and float(found.group(2)) > 1.1, slots.stdout

for words in (("--sizes", "big"), ("--sizes", ""), ("--collective", "sum"), ("--ranks", "0")):
    assert run("tune", *words).returncode == 2, words

# The page of calibration shows what the command prints.
shared = os.environ.get("TUTTI_SHARED")
measured = ["--measured", os.path.join(shared, "data", "measured", "collectives.csv")] if shared else []
if not shared:
    print("*** tune_test: TUTTI_SHARED is not set: measured tables were NOT fitted ***")
printed = run("algo", "calibrate", *measured)
assert printed.returncode == 0, printed
with open(os.path.join(DOCS, "calibration.md"), encoding="utf-8") as file:
    page = file.read()
for line in printed.stdout.splitlines():
    assert line in page, line
assert run("algo", "calibrate", "--measured", os.path.join(DOCS, "calibration.md")).returncode == 2

# Every algorithm stands in its page.
with open(os.path.join(DOCS, "algorithms.md"), encoding="utf-8") as file:
    page = file.read()
for line in run("algo", "list").stdout.splitlines():
    if line[0] != " ":
        assert f"| {line.split()[0]} |" in page, line
print("tune: ok")
sys.exit(0)
