#!/usr/bin/python3
"""new_plugin.py KIND NAME [--root DIR]: makes a plug-in that builds at once: its file and its line in builtin.def.

Kinds: algorithm kernel topology route memory backend format command. NAME is in snake_case."""
import argparse
import os
import re
import sys

FOLDERS = {
    "algorithm": "plan/algorithms",
    "kernel": "ccl/kernels",
    "topology": "fabric/topologies",
    "route": "fabric/routes",
    "memory": "device/memories",
    "backend": "net/backends",
    "format": "workload/formats",
    "command": "app/cli/commands",
}
HERE = os.path.dirname(os.path.abspath(__file__))


def make(kind, name, root):
    """Returns the path of the new file; raises ValueError with what is wrong."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name.endswith("_test") or name == "builtin":
        raise ValueError(f"'{name}' is no name in snake_case")
    folder = os.path.join(root, "src", FOLDERS[kind])
    path, listed = os.path.join(folder, name + ".cpp"), os.path.join(folder, "builtin.def")
    if os.path.exists(path):
        raise ValueError(f"{path} is there already")
    with open(os.path.join(HERE, "plugin_templates", kind + ".cpp.in"), encoding="utf-8") as file:
        text = file.read().replace("@name@", name)
    with open(listed, encoding="utf-8") as file:
        lines = file.read()
    with open(path, "x", encoding="utf-8") as file:
        file.write(text)
    with open(listed, "w", encoding="utf-8") as file:
        file.write(lines + ("" if lines.endswith("\n") or not lines else "\n") + f"TUTTI_BUILTIN({name})\n")
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(FOLDERS), metavar="KIND")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--root", default=os.path.dirname(HERE), help="of the source tree")
    given = parser.parse_args()
    try:
        print(make(given.kind, given.name, given.root))
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
