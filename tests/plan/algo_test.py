"""tutti algo: lists, shows and proves; refuses what it does not know."""
import os
import subprocess
import sys

TUTTI = os.environ["TUTTI"]


def algo(*words):
    return subprocess.run([TUTTI, "algo", *words], capture_output=True, text=True, timeout=120)


names = [line.split()[0] for line in algo("list").stdout.splitlines() if line[0] != " "]
assert len(names) >= 35 and len(set(names)) == len(names), names

proven = algo("verify", "--all", "--ranks", "1..8")
assert proven.returncode == 0, proven.stdout + proven.stderr
assert all("proven" in line for line in proven.stdout.splitlines()) and len(proven.stdout.splitlines()) == len(names)

# A wide sample: powers of two, their neighbours, and primes.
for ranks in ("15", "16", "17", "31", "64"):
    result = algo("verify", "--all", "--ranks", ranks, "--elements", "100", "--slots", "1", "--slot-elements", "7")
    assert result.returncode == 0, result.stdout

groups = algo("verify", "hierarchical_all_reduce", "--ranks", "15", "--set", "groups=2", "--elements", "105")
assert groups.returncode == 0, groups.stdout

shown = algo("show", "ring_all_reduce", "--ranks", "2", "--elements", "4", "--rank", "0")
assert shown.stdout.splitlines()[3:] == [
    "     0 send output[2..4) to 1 on channel 0",
    "     1 receive_reduce output[0..2) from 1 on channel 0",
    "     2 send output[0..2) to 1 on channel 0",
    "     3 receive output[2..4) from 1 on channel 0",
], shown.stdout

for words in (["verify", "rign"], ["verify"], ["show"], ["nothing"], ["verify", "--all", "--ranks", "0"],
              ["verify", "ring_all_reduce", "--set", "channels"], ["verify", "ring_all_reduce", "--set", "chanels=2"]):
    result = algo(*words)
    assert result.returncode == 2 and result.stderr, (words, result)
print("algo: ok")
sys.exit(0)
