#!/usr/bin/env python3
"""Counts the instructions of six hot paths with callgrind and holds them against instructions.json.

usage: bench/instructions.py [--record] [PROGRAM]
  --record   writes what was counted to instructions.json
  PROGRAM    kernels_bench; default build/release/kernels_bench

Exit code: 0 within the tolerance, 1 a path takes more, 2 cannot run. Without valgrind it says so and exits with 0.
Instructions do not depend on load, but on compiler and libraries: counts are of g++ 12.2 and glibc 2.36, -O2. A path that
takes less than its record by more than the tolerance is named too, so that the record follows; it does not fail.
"""
import json, pathlib, re, shutil, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
RECORD = HERE / "instructions.json"


def count(program, kernel):
    """(instructions, operations) of one kernel, set-up and process start left out."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--toggle-collect=counted_kernel", f"--callgrind-out-file={folder}/out",
             program, kernel], capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"error: {kernel}: {run.stderr[-400:]}")
        total = re.search(r"^(?:summary|totals): (\d+)", pathlib.Path(folder, "out").read_text(), re.M)
        instructions = int(total.group(1)) if total else 0
        if instructions == 0:
            sys.exit(f"error: {kernel}: callgrind counted nothing")
        return instructions, int(run.stdout)


def main(arguments):
    record = "--record" in arguments
    rest = [a for a in arguments if a != "--record"]
    program = rest[0] if rest else str(HERE.parent / "build/release/kernels_bench")
    if not shutil.which("valgrind"):
        print("NOT RUN: instruction counts need valgrind, which is not installed", file=sys.stderr)
        return 0
    if not pathlib.Path(program).exists():
        print(f"error: {program} is not there: cmake --build --preset release --target kernels_bench", file=sys.stderr)
        return 2
    stored = json.loads(RECORD.read_text())
    tolerance = stored["tolerance"]
    worse = []
    print(f"{'path':10} {'instructions an operation':>26} {'stored':>10} {'change':>8}")
    for kernel in stored["instructions"]:
        instructions, operations = count(program, kernel)
        each, before = round(instructions / operations, 1), stored["instructions"][kernel]
        stored["instructions"][kernel] = each
        change = each / before - 1 if before else 0.0
        note = ""
        if before and change > tolerance:
            worse.append(kernel)
            note = "  MORE than the tolerance"
        elif before and change < -tolerance:
            note = "  less: record it with --record"
        print(f"{kernel:10} {each:26.1f} {before:10.1f} {change:+8.1%}{note}", flush=True)
    if record:
        RECORD.write_text(json.dumps(stored, indent=1) + "\n")
        return 0
    if worse:
        print(f"error: more than {tolerance:.0%} above the stored count: {', '.join(worse)}", file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
