"""tools/new_plugin.py: every kind of plug-in builds at once, has its line, and is never written over another."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tools"))
import check_layers  # noqa: E402
import new_plugin  # noqa: E402


class NewPlugin(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        shutil.copytree(os.path.join(ROOT, "src"), os.path.join(self.root, "src"))

    def test_every_kind_builds_and_is_listed(self):
        files = [new_plugin.make(kind, "brand_new", self.root) for kind in new_plugin.FOLDERS]
        self.assertEqual(check_layers.faults(os.path.join(self.root, "src")), [])
        # All in one unit, as the compiler's time goes into what they include.
        unit = os.path.join(self.root, "all.cpp")
        with open(unit, "w", encoding="utf-8") as file:
            file.writelines(f'#include "{path}"\n' for path in files)
        compiler = os.environ.get("CXX", "c++")
        subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror",
                        "-I", os.path.join(self.root, "src"), unit], check=True)

    def test_nothing_is_written_over(self):
        path = new_plugin.make("kernel", "brand_new", self.root)
        with open(path, encoding="utf-8") as file:
            before = file.read()
        with self.assertRaises(ValueError):
            new_plugin.make("kernel", "brand_new", self.root)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), before)

    def test_names_that_are_no_names_are_refused(self):
        for name in ("Ring", "a-b", "../x", "", "builtin", "x_test", "1d"):
            with self.assertRaises(ValueError, msg=name):
                new_plugin.make("kernel", name, self.root)

    def test_the_script_says_what_is_wrong(self):
        result = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "new_plugin.py"), "kernel", "barrier", "--root", self.root],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("is there already", result.stderr)


if __name__ == "__main__":
    unittest.main()
