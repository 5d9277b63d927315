#!/usr/bin/python3
"""pe_tables.py TUTTI [--write FILE]: the same kernel with its slots in each memory, and under each credit mode.

Prints two tables; with --write puts them into FILE between its marks. All data is verified, and exact: i32 sums."""
import json
import re
import subprocess
import sys

KINDS = ["tcm", "sram", "hbm"]
CREDITS = [("fast_path", []), ("link", []), ("vc_mux", []), ("vc_mux, priority", ["credit.priority=true"]), ("piggyback", [])]


def run(tutti, kernel, size, *settings):
    words = [tutti, "run", "--set", "profile=tiny", "--algorithm", kernel, "--bytes", size, "--dtype", "i32", "--json", "-"]
    for s in settings:
        words += ["--set", "defaults." + s]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{done.stderr}")
    result = json.loads(done.stdout)
    v = result["verification"]
    assert v["checked"] and v["replay_identical"] and v["max_abs_error"] == 0
    return f"{result['makespan_ns']:.3f}"


def tables(tutti):
    lines = ["| kernel | bytes a rank | " + " | ".join(f"{k}, ns" for k in KINDS) + " |", "|---|---|---|---|---|"]
    for kernel in ("ring_allreduce", "tree_allreduce", "mesh_allreduce"):
        for size in ("1KiB", "64KiB"):
            times = [run(tutti, kernel, size, "buffer_kind=" + k) for k in KINDS]
            lines.append(f"| {kernel} | {size} | {' | '.join(times)} |")
    lines += ["", "| credit mode | blocking, ns | posted, ns | blocking, slots in hbm, ns |", "|---|---|---|---|"]
    for name, more in CREDITS:
        settings = ["credit.mode=" + name.split(",")[0], *more]
        times = [run(tutti, "ring_allreduce", "64KiB", *settings, "credit.wait=" + wait, "buffer_kind=" + kind)
                 for wait, kind in (("blocking", "tcm"), ("posted", "tcm"), ("blocking", "hbm"))]
        lines.append(f"| {name} | {' | '.join(times)} |")
    return "\n".join(lines)


MARKS = re.compile(r"(<!-- tables -->\n).*?(\n<!-- end -->)", re.S)

if __name__ == "__main__":
    text = tables(sys.argv[1])
    if "--write" in sys.argv:
        path = sys.argv[sys.argv.index("--write") + 1]
        with open(path, encoding="utf-8") as f:
            page = f.read()
        with open(path, "w", encoding="utf-8") as f:
            f.write(MARKS.sub(lambda m: m[1] + text + m[2], page))
    else:
        print(text)
