"""docs/pe-tables.md holds what tools/pe_tables.py gives, and the tables say what the seed expects of them."""
import os
import sys

sys.path.insert(0, "tools")
import pe_tables

text = pe_tables.tables(os.environ["TUTTI"])
with open("docs/pe-tables.md", encoding="utf-8") as f:
    page = f.read()
assert text in page, "docs/pe-tables.md is old: tools/pe_tables.py TUTTI --write docs/pe-tables.md gives\n" + text

rows = [[c.strip() for c in line.strip("|").split("|")] for line in text.split("\n") if line.startswith("|")]
for row in rows[2:8]:
    tcm, sram, hbm = map(float, row[2:])
    assert tcm < sram and tcm < hbm, row
for row in rows[10:]:
    blocking, posted, in_hbm = map(float, row[1:])
    assert posted <= blocking < in_hbm, row
assert len(rows) == 15
