"""--out DIR: the database holds the run, agrees with the JSON, changes no time, and survives Ctrl-C."""
import json
import os
import re
import signal
import sqlite3
import subprocess
import tempfile
import time

TUTTI = os.environ["TUTTI"]
TINY = ["--set", "profile=tiny"]


def call(*words, code=0):
    done = subprocess.run([TUTTI, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == code, (words, done.returncode, done.stderr[-2000:])
    return done


def database(folder):
    return sqlite3.connect(folder + "/run.sqlite")


def one(db, sql):
    return db.execute(sql).fetchone()[0]


def without_clock(r):
    return {k: v for k, v in r.items() if k not in ("wall_s", "peak_rss_bytes")}


with tempfile.TemporaryDirectory() as top:
    out = top + "/run"
    with_out = json.loads(call("run", *TINY, "--bytes", "4096", "--json", "-", "--out", out).stdout)
    without = json.loads(call("run", *TINY, "--bytes", "4096", "--json", "-").stdout)
    # The observer changes no time, no byte and no event.
    assert without_clock(with_out) == without_clock(without)
    db = database(out)
    assert one(db, "SELECT count(*) FROM ranks") == len(without["ranks"]) > 1
    assert one(db, "SELECT sum(bytes_sent) FROM ranks") == sum(r["bytes_sent"] for r in without["ranks"])
    # Every message is there once: their bytes are those that ranks sent.
    assert one(db, "SELECT sum(bytes) FROM messages") == sum(r["bytes_sent"] for r in without["ranks"])
    assert one(db, "SELECT count(*) FROM messages WHERE NOT (posted_ps <= left_ps AND left_ps < arrived_ps AND arrived_ps <= received_ps"
               " AND received_ps <= released_ps AND released_ps <= credited_ps)") == 0
    # Nothing arrives sooner than its latency and its bytes allow.
    assert one(db, "SELECT count(*) FROM messages WHERE arrived_ps - posted_ps < latency_ps + serialization_ps") == 0
    assert {(n, b) for n, b in db.execute("SELECT name, bytes FROM links")} == {(l["id"], l["bytes"]) for l in without["links"]}
    assert one(db, "SELECT count(*) FROM links WHERE source NOT IN (SELECT name FROM places)") == 0
    makespan = int(one(db, "SELECT value FROM run WHERE key = 'makespan_ps'"))
    assert makespan == round(without["makespan_ns"] * 1000)
    settings = {p: (v, o) for p, v, o in db.execute("SELECT path, value, origin FROM settings")}
    assert settings["run.bytes"][1] == "--bytes" and settings["profile"][1].startswith("--set") and len(settings) > 20
    # The critical path covers the run without a hole and without overlap.
    path = db.execute("SELECT begin_ps, end_ps FROM critical_path ORDER BY step").fetchall()
    assert path[0][1] == makespan and path[-1][0] == 0 and all(a[0] == b[1] for a, b in zip(path, path[1:]))
    assert sum(e - b for b, e in path) == makespan
    assert db.execute("SELECT seen, kept, every FROM sampling WHERE of = 'messages'").fetchone()[2] == 1
    assert one(db, "SELECT sum(messages) FROM queue_pairs") == one(db, "SELECT count(*) FROM messages")

    # docs/results.md names every column, with its meaning, and no other.
    with open("docs/results.md") as f:
        page = dict(re.findall(r"\| `(\w+\.\w+)` \| (.*) \|", f.read()))
    assert page == dict(db.execute("SELECT name, meaning FROM columns"))
    real = {f"{t}.{c[1]}" for (t,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'") for c in db.execute(f"PRAGMA table_info({t})")}
    assert real == set(page), real ^ set(page)

    # Ctrl-C: what there is, marked partial, and not exit code 0.
    out = top + "/ended"
    run = subprocess.Popen([TUTTI, "run", "--bytes", "8MiB", "--no-verify-data", "--out", out], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(2)
    run.send_signal(signal.SIGINT)
    said = run.stderr.read().decode()
    assert run.wait() == 4 and "interrupted" in said, (run.returncode, said)
    db = database(out)
    assert one(db, "SELECT value FROM run WHERE key = 'partial'") == "1"
    assert one(db, "SELECT count(*) FROM messages") <= 250_000 and one(db, "SELECT seen FROM sampling WHERE of = 'messages'") > 0
print("ok")
