"""tutti cost: the figures of ADR-0023 D21 at its point, the alternatives, the slots and the front; as text and JSON."""
import json
import os
import subprocess
import unittest

TUTTI = os.environ["TUTTI"]


def run(*words):
    return subprocess.run([TUTTI, "cost", *words], capture_output=True, text=True)


def result(*words):
    done = run("--json", "-", *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Cost(unittest.TestCase):
    def test_the_default_point_is_that_of_the_adr(self):
        r = result()
        self.assertEqual([round(a["adr_mm2"], 6) for a in r["area"]], [0.002, 0.001, 0.001, 0.002])
        self.assertAlmostEqual(r["total"]["adr_mm2"], 0.006)
        self.assertEqual([round(t["delay_ns"], 6) for t in r["timing"]], [0.3, 0.5, 0.4, 0.3])
        self.assertAlmostEqual(r["power"]["active_mw"], 1)
        self.assertEqual(r["total"]["ring_bytes"], 8 * 8 * 4096)

    def test_parameters_and_settings_change_it(self):
        self.assertEqual(result("--ports", "4")["area"][0]["flip_flops"], 4 * 9 * 64)
        self.assertEqual(result("--set", "defaults.n_slots=11")["timing"][1]["cycles"], 11)

    def test_alternatives_are_measured_at_every_distance(self):
        rows = result("--alternatives")["alternatives"]
        self.assertEqual(len(rows), 15)
        for row in rows:
            if row["protocol"] == "doorbell":
                self.assertTrue(2 < row["times"] < 3.1, row)

    def test_eight_slots_cap_a_pair_across_sips_and_eleven_fill_it(self):
        rows = {r["n_slots"]: r for r in result("--slots")["slots"]}
        self.assertTrue(abs(rows[8]["measured_gbs"] - 43.6) < 0.05 * 43.6, rows[8])
        self.assertGreater(rows[11]["measured_gbs"], 0.98 * 57)

    def test_the_front_is_not_beaten_and_the_text_says_it(self):
        points = result("--pareto")["pareto"]
        self.assertGreater(len(points), 3)
        for p in points:
            for q in points:
                keys = ("time_ns", "mm2", "ring_bytes")
                self.assertFalse(all(q[k] <= p[k] for k in keys) and any(q[k] < p[k] for k in keys))
        text = run("--pareto", "--alternatives", "--slots").stdout
        for words in ("queue pair register file", "doorbell", "measured GB/s", "front"):
            self.assertIn(words, text)

    def test_bad_values_are_refused(self):
        for words in (("--clock-ghz", "0"), ("--message", "0"), ("--ports", "0"), ("--set", "defaults.protocol=bell")):
            self.assertEqual(run(*words).returncode, 2, words)


if __name__ == "__main__":
    unittest.main()
