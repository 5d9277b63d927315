#!/usr/bin/python3
"""check_layers.py [SRC]: holds the source to its architecture.

Fails on: an include that points down the table of layers; a folder that the table does not name; a layer without a README.md; a
plug-in folder whose builtin.def and files differ; a file over 450 lines; a header without #pragma once or with `using namespace`;
work left for later."""
import os
import re
import sys

LAYERS = "base sim diag memory oplog match plan fabric device net ccl host workload report parallel app".split()
NEVER = {"ccl": {"fabric", "device", "net"}}
WITHOUT_README = {"app", "sim"}
MOST_LINES = 450
INCLUDE = re.compile(r'\s*#\s*include\s+"([a-z_]+)/')
LINE = re.compile(r"\s*TUTTI_BUILTIN\((\w+)\)\s*$")
LATER = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")


def check_file(path, layer):
    lines = lines_of(path)
    if len(lines) - 1 > MOST_LINES:
        yield f"{path}: error: {len(lines) - 1} lines; a file has one concept and at most {MOST_LINES}"
    header = path.endswith(".h")
    if header and "#pragma once" not in lines:
        yield f"{path}: error: a header without #pragma once"
    for number, line in enumerate(lines, 1):
        if LATER.search(line):
            yield f"{path}:{number}: error: work left for later"
        if header and re.match(r"\s*using namespace\b", line):
            yield f"{path}:{number}: error: using namespace in a header"
        match = INCLUDE.match(line)
        if match and match[1] in LAYERS and (LAYERS.index(match[1]) > LAYERS.index(layer) or match[1] in NEVER.get(layer, ())):
            yield f"{path}:{number}: error: {layer} may not include {match[1]}"


def check_plugins(folder, names):
    """A plug-in folder: a line in builtin.def for each file, and a file for each line."""
    path = os.path.join(folder, "builtin.def")
    lines = {}
    for number, line in enumerate(lines_of(path), 1):
        match = LINE.match(line)
        if match and match[1] not in lines:
            lines[match[1]] = number
        elif match:
            yield f"{path}:{number}: error: {match[1]} is there twice"
        elif line.strip() and not line.startswith("//"):
            yield f"{path}:{number}: error: expected TUTTI_BUILTIN(name)"
    if "builtin.cpp" not in names:
        yield f"{folder}: error: builtin.def without a builtin.cpp that includes it"
    files = {n[:-4] for n in names if n.endswith(".cpp") and not n.endswith("_test.cpp") and n != "builtin.cpp"}
    for name in sorted(files - set(lines)):
        yield f"{folder}/{name}.cpp: error: no line TUTTI_BUILTIN({name}) in {path}; what only helps a plug-in X lives in {folder}/X/"
    for name in sorted(set(lines) - files):
        yield f"{path}:{lines[name]}: error: no file {folder}/{name}.cpp"


def faults(source):
    found = []
    for layer in sorted(os.listdir(source)):
        top = os.path.join(source, layer)
        if not os.path.isdir(top):
            continue
        if layer not in LAYERS:
            found.append(f"{top}: error: not a layer; layers: {', '.join(LAYERS)}")
            continue
        any_code = False
        for folder, _, names in sorted(os.walk(top)):
            code = sorted(n for n in names if n.endswith((".h", ".cpp")))
            any_code = any_code or bool(code)
            for name in code:
                found.extend(check_file(os.path.join(folder, name), layer))
            if "builtin.def" in names:
                found.extend(check_plugins(folder, names))
        if any_code and layer not in WITHOUT_README and not os.path.isfile(os.path.join(top, "README.md")):
            found.append(f"{top}: error: a layer without a README.md of one page")
    return found


if __name__ == "__main__":
    result = faults(sys.argv[1] if len(sys.argv) > 1 else "src")
    print("\n".join(result) if result else "layers: ok")
    sys.exit(bool(result))
