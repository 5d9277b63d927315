#!/usr/bin/python3
"""check_layers.py [SRC]: fails on an include that points down the table of layers, and on a folder that the table does not name."""
import os
import re
import sys

LAYERS = "base sim diag memory oplog match plan fabric device net ccl host workload report parallel app".split()
NEVER = {"ccl": {"fabric", "device", "net"}}


def faults(source):
    found = []
    for layer in sorted(os.listdir(source)):
        if not os.path.isdir(os.path.join(source, layer)):
            continue
        if layer not in LAYERS:
            found.append(f"{source}/{layer}: not a layer; layers: {', '.join(LAYERS)}")
            continue
        for folder, _, names in sorted(os.walk(os.path.join(source, layer))):
            for name in sorted(n for n in names if n.endswith((".h", ".cpp"))):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    for number, line in enumerate(file, 1):
                        match = re.match(r'\s*#\s*include\s+"([a-z_]+)/', line)
                        if not match or match[1] not in LAYERS:
                            continue
                        if LAYERS.index(match[1]) > LAYERS.index(layer) or match[1] in NEVER.get(layer, ()):
                            found.append(f"{path}:{number}: error: {layer} may not include {match[1]}")
    return found


if __name__ == "__main__":
    result = faults(sys.argv[1] if len(sys.argv) > 1 else "src")
    print("\n".join(result) if result else "layers: ok")
    sys.exit(bool(result))
