"""tools/check_layers.py finds each fault that it is there for, and the source has none."""
import os
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tools"))
import check_layers  # noqa: E402


class CheckLayers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("fabric/README.md", "one page\n")
        self.write("fabric/routes/builtin.def", "TUTTI_BUILTIN(table)\n")
        self.write("fabric/routes/builtin.cpp", "\n")
        self.write("fabric/routes/table.cpp", '#include "base/units.h"\n#include "fabric/link.h"\n')
        self.write("fabric/routes/table_test.cpp", "\n")
        self.write("fabric/routes/table/helper.cpp", "\n")

    def write(self, path, text):
        path = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def expect(self, *parts):
        found = check_layers.faults(self.folder.name)
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def test_the_source_holds(self):
        self.assertEqual(check_layers.faults(os.path.join(ROOT, "src")), [])

    def test_a_tree_in_order_has_no_faults(self):
        self.assertEqual(check_layers.faults(self.folder.name), [])

    def test_an_include_that_points_down_is_found(self):
        self.write("fabric/link.cpp", '\n#include "device/pe.h"\n')
        self.expect("fabric/link.cpp:2: error: fabric may not include device")

    def test_kernels_know_no_machine(self):
        self.write("ccl/README.md", "x")
        self.write("ccl/kernel.h", '#pragma once\n#include "device/pe.h"\n')
        self.expect("ccl may not include device")

    def test_a_folder_beside_the_layers_is_found(self):
        self.write("misc/a.h", "#pragma once\n")
        self.expect("misc: error: not a layer")

    def test_a_plugin_without_a_line_is_found(self):
        self.write("fabric/routes/random.cpp", "\n")
        self.expect("fabric/routes/random.cpp: error: no line TUTTI_BUILTIN(random)")

    def test_a_line_without_a_file_is_found(self):
        self.write("fabric/routes/builtin.def", "TUTTI_BUILTIN(table)\nTUTTI_BUILTIN(random)\n")
        self.expect("builtin.def:2: error: no file", "random.cpp")

    def test_a_line_twice_is_found(self):
        self.write("fabric/routes/builtin.def", "TUTTI_BUILTIN(table)\nTUTTI_BUILTIN(table)\n")
        self.expect("builtin.def:2: error: table is there twice")

    def test_a_line_that_is_none_is_found(self):
        self.write("fabric/routes/builtin.def", "TUTTI_BUILTIN(table)\nBUILTIN(x)\n")
        self.expect("builtin.def:2: error: expected TUTTI_BUILTIN(name)")

    def test_a_list_that_nobody_includes_is_found(self):
        os.remove(os.path.join(self.folder.name, "fabric/routes/builtin.cpp"))
        self.expect("without a builtin.cpp")

    def test_a_file_that_is_too_long_is_found(self):
        self.write("fabric/long.cpp", "\n" * 450)
        self.assertEqual(check_layers.faults(self.folder.name), [])
        self.write("fabric/long.cpp", "\n" * 451)
        self.expect("fabric/long.cpp: error: 451 lines")

    def test_a_layer_without_a_page_is_found(self):
        os.remove(os.path.join(self.folder.name, "fabric/README.md"))
        self.expect("fabric: error: a layer without a README.md")

    def test_headers_have_a_guard_and_open_no_namespace(self):
        self.write("fabric/link.h", "int x;\n")
        self.expect("without #pragma once")
        self.write("fabric/link.h", "#pragma once\nusing namespace std;\n")
        self.expect("link.h:2: error: using namespace")

    def test_work_left_for_later_is_found(self):
        self.write("fabric/link.cpp", "// TO" + "DO: everything\n")
        self.expect("link.cpp:1: error: work left for later")


if __name__ == "__main__":
    unittest.main()
