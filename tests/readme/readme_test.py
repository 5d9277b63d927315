"""README.md shows what `make run` prints, names every command, counts what there is, and links to pages that exist."""
import os
import re
import subprocess
import sys

TUTTI = os.environ["TUTTI"]
with open("README.md", encoding="utf-8") as f:
    readme = f.read()
faults = []


def tutti(*words):
    return subprocess.run([TUTTI, *words], capture_output=True, text=True, timeout=120, check=True).stdout


def clockless(text):
    return re.sub(r"\d+\.\d+ s$", "x s", text.strip(), flags=re.M)


shown = clockless(readme.split("```\n")[1])
printed = clockless(tutti("run"))
if shown != printed:
    faults.append("README.md shows what `tutti run` does not print:\n" + printed)
with open("Makefile", encoding="utf-8") as f:
    if not re.search(r"^run: build\n\t@build/release/tutti run$", f.read(), re.M):
        faults.append("`make run` does not run `tutti run`")

commands = re.findall(r"^  (\w+) +\S", tutti("help"), re.M)
assert len(commands) > 8, commands
table = "".join(line for line in readme.splitlines() if line.startswith("| `"))
faults += [f"README.md does not name tutti {c}" for c in commands if f"`tutti {c}" not in table and f"`{c}`" not in table]
faults += [f"README.md links to {page}, which is not there"
           for page in re.findall(r"\]\(([^)#:]+)\)", readme) if not os.path.exists(page)]
count = len(re.findall(r"^  \w+ ", tutti("list").split("kernels:")[0], re.M))
if f"{count} planned algorithms" not in readme:
    faults.append(f"there are {count} planned algorithms")

# docs/run.md names every field of the JSON, the options and the settings' files.
with open("docs/run.md", encoding="utf-8") as f:
    page = f.read()
with open("src/app/cli/run_json.cpp", encoding="utf-8") as f:
    fields = set(re.findall(r'(?:field|key)\("(\w+)"', f.read()))
assert len(fields) > 30, fields
faults += [f"docs/run.md does not name the field {name}" for name in sorted(fields) if f"`{name}`" not in page]
faults += [f"docs/run.md does not name the option {name}"
           for name in sorted(set(re.findall(r"--[a-z-]+", tutti("help", "run")))) if f"`{name}" not in page]
print("\n".join(faults) or f"{len(commands)} commands, {len(fields)} fields: ok")
sys.exit(bool(faults))
