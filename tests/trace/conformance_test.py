#!/usr/bin/python3
"""Reference runs: every case of peers/fuzz, the analytical ones of peers/astra-sim and data/pr383, through `tutti trace`.
Needs the folder that TUTTI_SHARED names; without it this test says so and passes."""
import os
import subprocess
import sys
import tempfile

shared = os.path.abspath(os.environ.get("TUTTI_SHARED") or "/nowhere")
if not os.path.isdir(shared + "/peers/fuzz"):
    print("DID NOT RUN: TUTTI_SHARED names no folder with reference runs")
    sys.exit(0)
tool = shared + "/tools/conformance.py"
tutti = os.path.abspath(os.environ["TUTTI"])


def run(cwd, *folders):
    return subprocess.run([sys.executable, tool, "--tutti", tutti, "--jobs", "2", *folders], cwd=cwd, capture_output=True, text=True)


done = run(".", shared + "/peers/fuzz", shared + "/data/pr383")
print(done.stdout)
failed = done.returncode
with tempfile.TemporaryDirectory() as folder:  # the custom algorithm's path is relative to the working directory
    os.symlink(shared + "/data/chakra/astra-sim+astra-sim/examples", folder + "/examples")
    analytical = [f.path for f in os.scandir(shared + "/peers/astra-sim") if os.path.exists(f.path + "/network.yml")]
    done = run(folder, *sorted(analytical))
    print(done.stdout)
    failed |= done.returncode
sys.exit(failed != 0)
