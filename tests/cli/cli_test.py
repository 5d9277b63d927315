"""The frame of the command line: help, lists, versions, default files, completion, manual page, exit codes."""
import json
import os
import subprocess
import tempfile
import unittest

TUTTI = os.environ["TUTTI"]


def tutti(*words, **more):
    return subprocess.run([TUTTI, *words], capture_output=True, text=True, timeout=60, **more)


def commands():
    return [c["name"] for c in json.loads(tutti("list", "commands", "--json").stdout)["commands"]]


class CommandLine(unittest.TestCase):
    def test_without_a_command_says_how_to_use_it_and_fails(self):
        result = tutti()
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("usage: tutti COMMAND", result.stderr)

    def test_help_goes_to_standard_output(self):
        for words in (["--help"], ["-h"], ["help"]):
            result = tutti(*words)
            self.assertEqual((result.returncode, result.stderr), (0, ""), words)
            for command in commands():
                self.assertIn(f"\n  {command} ", result.stdout)

    def test_every_command_explains_itself_in_two_ways(self):
        for command in commands():
            by_option, by_name = tutti(command, "--help"), tutti("help", command)
            self.assertEqual((by_option.returncode, by_name.returncode), (0, 0), command)
            self.assertEqual(by_option.stdout, by_name.stdout)
            self.assertTrue(by_name.stdout.startswith("usage: tutti " + command), command)

    def test_unknown_words_are_refused_with_the_nearest_known_one(self):
        for words, nearest in ((["confg"], "config"), (["list", "kernals"], "kernels"), (["version", "--jsn"], "--json"),
                               (["help", "versoin"], "version"), (["completion", "bsh"], "bash")):
            result = tutti(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertIn(f"did you mean '{nearest}'?", result.stderr)

    def test_every_command_refuses_an_unknown_option(self):
        for command in commands():
            result = tutti(command, "--no-such-option")
            self.assertEqual(result.returncode, 2, command)
            self.assertIn("unknown option '--no-such-option'", result.stderr)

    def test_version_names_what_is_linked(self):
        self.assertRegex(tutti("--version").stdout, r"\Atutti \d+\.\d+\.\d+\n")
        self.assertRegex(tutti("version", "-q").stdout, r"\Atutti \d+\.\d+\.\d+\n\Z")
        read = json.loads(tutti("version", "--json").stdout)
        self.assertEqual(read["tool"], "tutti")
        for library in ("fmt", "yaml-cpp", "nlohmann_json"):
            self.assertRegex(read["libraries"][library], r"^\d+\.\d+")

    def test_list_names_every_line_of_builtin_def(self):
        source = os.path.join(os.path.dirname(__file__), "..", "..", "src")
        read = json.loads(tutti("list", "--json").stdout)
        for kind, folder in (("commands", "app/cli/commands"), ("kernels", "ccl/kernels"), ("backends", "net/backends"),
                             ("topologies", "fabric/topologies"), ("routes", "fabric/routes"),
                             ("memories", "device/memories"), ("formats", "workload/formats"), ("algorithms", "plan/algorithms")):
            with open(os.path.join(source, folder, "builtin.def"), encoding="utf-8") as file:
                self.assertEqual(len(read[kind]), file.read().count("TUTTI_BUILTIN("), kind)

    def test_config_prints_and_writes_default_files(self):
        names = tutti("config").stdout.split()
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(tutti("config", "--out", folder).returncode, 0)
            self.assertEqual(sorted(os.listdir(folder)), sorted(names))
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    self.assertEqual(tutti("config", name).stdout, file.read())
            if names:
                again = tutti("config", "--out", folder)
                self.assertEqual(again.returncode, 2)
                self.assertIn("File exists", again.stderr)
        self.assertEqual(tutti("config", "no-such-file").returncode, 2)

    def test_a_full_disk_is_not_success(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([TUTTI, "list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("standard output cannot be written", result.stderr)

    def test_completion_of_bash_completes(self):
        script = tutti("completion", "bash").stdout
        ask = script + """
complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tutti; echo "${COMPREPLY[*]}"; }
complete_words tutti lis
complete_words tutti list ker
complete_words tutti completion ''
complete_words tutti version --j
"""
        result = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
        lines = result.stdout.splitlines()
        self.assertEqual(lines[:2], ["list", "kernels"])
        self.assertTrue(lines[2].startswith("bash zsh fish"))
        self.assertEqual(lines[3], "--json")

    def test_completion_of_every_shell_knows_every_command(self):
        for shell in ("bash", "zsh", "fish"):
            script = tutti("completion", shell).stdout
            for command in commands():
                self.assertIn(command, script)

    def test_the_manual_page_names_every_command(self):
        page = tutti("help", "--manual").stdout
        self.assertTrue(page.startswith(".TH TUTTI 1"))
        for command in commands():
            self.assertIn(f".SS {command}\n", page)

    def test_no_colour_in_files(self):
        self.assertNotIn("\x1b", tutti("confg").stderr)


if __name__ == "__main__":
    unittest.main()
