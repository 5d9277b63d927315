#!/usr/bin/python3
"""Checks the model of the queue pair with spin: the protocol holds for every ring and credit mode, and every mutant is caught.

With --all rings of 3 and 4 slots too (half a minute); without, rings of 1 and 2."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
WIRE = {1: 2, 2: 4, 3: 4, 4: 5}
BACK = {1: 3, 2: 5, 3: 3, 4: 2}  # messages of the other direction, at most; fewer in the larger rings, to bound the states
# mutant: (what it breaks, credit mode, slots)
MUTANTS = {1: ("credit before use", 0, 2), 2: ("data reordered", 0, 2), 3: ("max() on wire numbers", 0, 2), 4: ("last credit lost", 3, 2),
           5: ("metadata before data", 0, 2), 6: ("late duplicate of a credit", 0, 2), 7: ("one message too many", 0, 2),
           8: ("slot address by another geometry", 0, 2), 9: ("fallback credit overtakes", 3, 2)}


def check(slots, credit, mutant, folder):
    """(errors, states): searches all states for a failed assertion or a wrong end."""
    w = WIRE[slots]
    m = w + 1
    settings = [f"-DN={slots}", f"-DW={w}", f"-DM={m}", f"-DK={BACK[slots]}", f"-DCREDIT={credit}", f"-DMUTANT={mutant}"]
    subprocess.run(["spin", *settings, "-a", os.path.join(HERE, "ipcq.pml")], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["gcc", "-O1" if slots > 2 else "-O0", "-w", "-DSAFETY", "-DCOLLAPSE", "-DVECTORSZ=2048", "-o", "pan", "pan.c"], cwd=folder, check=True)
    out = subprocess.run(["./pan", "-m400000", "-w22"], cwd=folder, capture_output=True, text=True).stdout
    if "max search depth too small" in out or "out of memory" in out:
        sys.exit(f"N={slots} credit={credit} mutant={mutant}: the search is incomplete\n{out}")
    found = re.search(r"errors: (\d+)", out)
    states = re.search(r"(\d+) states, stored", out)
    if not found or not states:
        sys.exit(f"N={slots} credit={credit} mutant={mutant}: spin gave no verdict\n{out}")
    return int(found[1]), int(states[1])


def main():
    if not shutil.which("spin") or not shutil.which("gcc"):
        print("NOT RUN: the model needs spin and gcc")
        return 0
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for slots in WIRE if "--all" in sys.argv else (1, 2):
            for credit in range(4):
                errors, states = check(slots, credit, 0, folder)
                print(f"{slots} slots, credit mode {credit}: {errors} errors, {states} states", flush=True)
                failed |= errors != 0
        for mutant, (what, credit, slots) in MUTANTS.items():
            errors, states = check(slots, credit, mutant, folder)
            print(f"mutant {mutant} ({what}): {'caught' if errors else 'NOT CAUGHT'} after {states} states", flush=True)
            failed |= errors == 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
