#!/usr/bin/python3
"""docs/semantics.md lists every row of the reference's faults with a test that exists; docs/trace.md names every JSON field."""
import glob
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


faults = []
page, tests = read("docs/semantics.md"), read("tests/trace/semantics_test.cpp") + read("tests/trace/semantics_more_test.cpp")
# The packet network's own table has another form.
rows = re.findall(r"^\| ([\d, ]+) \|.*\| (\w+) \|$", page.split("## The packet network")[0], re.M)
listed = {int(n) for numbers, _ in rows for n in numbers.split(",")}
faults += [f"row {n} is not in docs/semantics.md" for n in range(1, 47) if n not in listed]
in_code = set(re.findall(r"TEST\(Semantics, (G\w+)\)", tests))
faults += [f"docs/semantics.md names no test {name}" for name in in_code - {name for _, name in rows}]
packet = {t for path in glob.glob("src/net/**/*_test.cpp", recursive=True) for t in re.findall(r"TEST\(\w+,\s*(\w+)\)", read(path))}
faults += [f"no test {name}" for _, name in rows if name not in in_code | packet]
fields = set(re.findall(r'\\"(\w+)\\":', read("src/app/cli/trace_json.cpp"))) | set(re.findall(r'w\.list\("(\w+)"', read("src/app/cli/trace_json.cpp")))
described = read("docs/trace.md")
faults += [f"docs/trace.md does not name the field {name}" for name in sorted(fields) if f"`{name}" not in described]
print("\n".join(faults) or f"{len(rows)} rows, {len(fields)} fields: ok")
sys.exit(bool(faults))
