"""tutti algo: lists, shows and proves; refuses what it does not know."""
import os
import subprocess
import sys
import tempfile

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

# Synthesised schedules are proven, written down, and run on PEs like any other.
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "torus.txt")
    made = algo("synthesise", "all_reduce", "--on", "torus:4x4", "--elements", "64", "--write", path)
    assert made.returncode == 0 and "proven" in made.stdout and "ring_all_reduce" in made.stdout, made
    result = algo("run", path, "--bytes", "4KiB", "--set", "defaults.slot_size=512")
    assert result.returncode == 0 and "verified" in result.stdout, result
for on in ("", "mesh:4", "torus", "blob:3x3", "ring:0"):
    assert algo("synthesise", "all_gather", "--on", on).returncode == 2, on
assert algo("synthesise", "broadcast", "--on", "ring:4").returncode == 2

# Planned algorithms run on simulated PEs with their data checked, also those that only the plan layer knows.
for name, ranks in (("rabenseifner_all_reduce", "7"), ("direct_all_to_all_v", "11"), ("direct_moe_dispatch", "16")):
    result = subprocess.run([TUTTI, "run", "--algorithm", name, "--ranks", ranks, "--bytes", "4KiB", "--set",
                             "defaults.slot_size=512"], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0 and "verified" in result.stdout, (name, result)
result = subprocess.run([TUTTI, "run", "--algorithm", "ring_all_reduce", "--set",
                         "algorithms.ring_all_reduce.parameters.chanels=2"], capture_output=True, text=True, timeout=60)
assert result.returncode == 2 and "chanels" in result.stderr, result

# An MSCCL algorithm of two ranks, written for this test; then with one fault at a time.
XML = """<algo name="pair" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allreduce" inplace="1">
  <gpu id="0" i_chunks="2" o_chunks="0" s_chunks="0">
    <tb id="0" send="1" recv="1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="rrcs" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="2" type="r" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="2" o_chunks="0" s_chunks="0">
    <tb id="0" send="0" recv="0" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="rrcs" srcbuf="i" srcoff="1" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="2" type="r" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
"""
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "pair.xml")

    def xml(old="", new=""):
        assert old in XML
        with open(path, "w", encoding="utf-8") as file:
            file.write(XML.replace(old, new, 1) if old else XML + new)
        return algo("verify", path)

    assert xml().returncode == 0, xml().stdout
    lacking = xml('type="rrcs"', 'type="rcs"')
    assert lacking.returncode == 5 and "without the contribution of rank" in lacking.stdout, lacking.stdout
    for old, new, text in (("</algo>\n", "", "pair.xml:"), ("", "Rank 0 is incorrect", "pair.xml:17: error: text after"),
                           ('type="rrcs"', 'type="rrq"', "pair.xml:5: error: unknown step type"),
                           (' cnt="1"', "", "pair.xml:4: error: <step> without 'cnt'"),
                           ('cnt="1"', 'cnt="x"', "pair.xml:4: error: cnt="), ('step s="1"', 'step s="2"', "pair.xml:5: error: step 1"),
                           ('send="1"', 'send="2"', "pair.xml:3: error: send="),
                           ('depid="-1"', 'depid="3"', "pair.xml:4: error: depends on thread block 3"),
                           ('id="1"', 'id="0"', "pair.xml:9: error: gpu 0 is there twice"),
                           ('coll="allreduce"', 'coll="sum"', "pair.xml:1: error: unknown collective")):
        result = xml(old, new)
        assert result.returncode == 2 and text in result.stderr, (old, new, result.stderr)

    # Conversion: text and XML of one algorithm are proven and run on PEs like the algorithm itself.
    for form, name in (("text", "rd.txt"), ("msccl", "rd.xml")):
        made = algo("convert", "recursive_doubling_all_reduce", "--ranks", "5", "--elements", "6", "--to", form)
        assert made.returncode == 0, made
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(made.stdout)
        assert "proven: all_reduce of 5 ranks" in algo("verify", path).stdout
        # Dependencies of MSCCL are between whole steps: its messages must fit into the slots.
        result = algo("run", path, "--bytes", "6KiB", "--set", "defaults.slot_size=512", "--set", "defaults.n_slots=12")
        assert result.returncode == 0 and "verified" in result.stdout, result
    again = algo("convert", os.path.join(folder, "rd.txt"))
    assert again.stdout == algo("convert", "recursive_doubling_all_reduce", "--ranks", "5", "--elements", "6").stdout
    assert algo("convert", path, "--to", "png").returncode == 2

shared = os.environ.get("TUTTI_SHARED")
if not shared:
    print("*** algo_test: TUTTI_SHARED is not set: published MSCCL algorithms were NOT checked ***")
else:
    proven = refuted = 0
    for folder, _, files in sorted(os.walk(os.path.join(shared, "data", "collectives"))):
        for name in sorted(f for f in files if f.endswith(".xml")):
            result = algo("verify", os.path.join(folder, name))
            if "malformed" in folder:
                assert result.returncode == 2 and "text after the end of <algo>" in result.stderr, result.stderr
            elif result.returncode == 0:
                proven += 1
            else:  # the fault is named, and only files that are known to have one have one
                assert result.returncode == 5 and "rank" in result.stdout, result.stdout + result.stderr
                assert "experiments_ar_multi" in folder or "a2b25298" in folder, name
                refuted += 1
    print(f"published MSCCL algorithms: {proven} proven, {refuted} refuted")
    assert proven >= 41
print("algo: ok")
sys.exit(0)
