"""`holonom import` as a command: which modules and programs it runs, what it leaves behind where writing fails, its exit codes."""

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path
from unittest import mock

try:
    import numpy  # noqa: F401  the command needs it
except ImportError as error:
    sys.exit(77 if print(f"skipped: {error}") is None else 1)

sys.path.insert(0, str(Path(__file__).resolve().parent))
from holonom import FileError, importer, owned
from in_folder import InFolder

PROGRAM = os.environ["HOLONOM_PROGRAM"]
SOURCE = os.environ["HOLONOM_SOURCE"]
TOP = """[ defaults ]
1 2 yes 0.5 0.8333
[ atomtypes ]
AR 18 39.948 0 A 0.34 0.996
[ moleculetype ]
AR 0
[ atoms ]
1 AR 1 AR AR 1
[ system ]
argon
[ molecules ]
AR 2
"""
GRO = "argon\n2\n    1AR      AR    1   0.100   0.100   0.100\n    2AR      AR    2   0.500   0.100   0.100\n3 3 3\n"
OWNED = 'open("OWNED", "a").write(__file__)\n'
BAIT = ("re", "numpy", "runpy", "linecache", "encodings", "sitecustomize", "usercustomize", "importlib", "holonom", "matplotlib")


class Command(InFolder):
    def setUp(self):
        super().setUp()
        Path("t.top").write_text(TOP)
        Path("c.gro").write_text(GRO)

    def call(self, *words, cwd=None, command="import", **environment):
        """Without what the tests themselves set for Python."""
        unset = ("PYTHONPATH", "HOLONOM_LIBRARY", "PYTHONSAFEPATH", *(name for name, value in environment.items() if value is None))
        kept = {name: value for name, value in os.environ.items() if name not in unset}
        given = {name: value for name, value in environment.items() if value is not None}
        return subprocess.run([PROGRAM, command, *words], cwd=cwd, env={**kept, **given}, capture_output=True, text=True, timeout=120)


def bait(folder):
    """Modules that tell when they are run, as files and as packages."""
    for name in BAIT:
        (folder / f"{name}.py").write_text(OWNED)
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(OWNED)


def program(path, text="#!/bin/sh\necho ran >OWNED\n"):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


class CurrentFolder(Command):
    def untouched(self, ran, code=0):
        self.assertEqual(ran.returncode, code, ran.stderr)
        self.assertEqual([str(path) for path in Path().rglob("OWNED")], [], ran.stderr)

    def test_no_module_of_the_current_folder_is_run(self):
        bait(self.folder)
        for k, path in enumerate((None, ":", "./:", f"../{self.folder.name}")):
            with self.subTest(PYTHONPATH=path):
                self.untouched(self.call("t.top", "c.gro", "-o", f"out{k}", PYTHONPATH=path))

    def test_nor_by_a_python_without_safe_paths(self):
        """As versions before 3.11 are: they do not know PYTHONSAFEPATH."""
        bait(self.folder)
        program(self.folder / "bin/old", '#!/bin/sh\nunset PYTHONSAFEPATH\nexec /usr/bin/python3 "$@"\n')
        for k, path in enumerate((None, ":")):
            self.untouched(self.call("t.top", "c.gro", "-o", f"out{k}", PYTHONPATH=path, HOLONOM_PYTHON="bin/old"))

    def test_the_gallery_runs_none_either(self):
        bait(self.folder)
        (self.folder / "gallery.out/curves/numpy").mkdir(parents=True)
        (self.folder / "gallery.out/curves/numpy/__init__.py").write_text(OWNED)
        lacks = subprocess.run([os.environ["HOLONOM_PYTHON"], "-P", "-c", "import matplotlib"], capture_output=True).returncode != 0
        self.untouched(self.call("--only", "curves", command="gallery", PYTHONPATH=":"), code=2 if lacks else 0)

    def test_folders_that_pythonpath_names_are_searched(self):
        """A module there runs at the start of Python."""
        for name in ("away", "beside"):
            Path(name).mkdir()
            Path(name, "sitecustomize.py").write_text(f'open("{name}.ran", "w")\n')
        for path, name in ((f":{self.folder}/away", "away"), ("beside", "beside")):
            ran = self.call("t.top", "c.gro", "-o", f"out-{name}", PYTHONPATH=path)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertTrue(Path(f"{name}.ran").exists())

    def test_no_program_of_the_current_folder_is_run(self):
        for name in ("python3", "bin/python3", "gmx", "gnuplot", "bin/gnuplot"):
            program(self.folder / name)
        for k, path in enumerate((":", "bin:.:")):
            with self.subTest(PATH=path):
                self.untouched(self.call("t.top", "c.gro", "-o", f"out{k}", HOLONOM_PYTHON=None, PATH=path + os.environ["PATH"]))
        Path("run.yaml").write_text(
            "system: {molecules: 2, model: tip3p}\ngeometry: {method: settle}\nthermostat: {temperature: 300 K, friction: 1/ps}\n"
            "integrator: {timestep: 1 fs, steps: 40}\noutput: {thermo_every: 1}\n"
        )
        for k, path in enumerate((":", "bin:")):
            for name in ("gnuplot", "bin/gnuplot"):
                program(self.folder / f"run{k}" / name)
            self.untouched(self.call("run.yaml", "-o", f"run{k}", command="run", PATH=path + os.environ["PATH"]))
            self.assertTrue(list(Path(f"run{k}").glob("*.gp")))

    def test_an_interpreter_that_is_named_is_taken(self):
        """By its path, which may be relative, and by its name on the PATH."""
        program(self.folder / "bin/mine", '#!/bin/sh\necho mine >>mine.ran\nexec /usr/bin/python3 "$@"\n')
        for k, (named, path) in enumerate((("bin/mine", ""), ("mine", f"{self.folder}/bin:"))):
            ran = self.call("t.top", "c.gro", "-o", f"out{k}", HOLONOM_PYTHON=named, PATH=path + os.environ["PATH"])
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertEqual(Path("mine.ran").read_text(), "mine\nmine\n" * (k + 1))


class OwnPackage(Command):
    def test_a_program_without_its_package_says_how_to_get_it(self):
        """A copy beside which it does not lie."""
        alone = self.folder / "alone"
        shutil.copy(PROGRAM, alone)
        ran = subprocess.run([alone, "import", "t.top", "c.gro"], env={**os.environ, "PYTHONPATH": ""}, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 2)
        self.assertIn(f"does not have: holonom. To get them, add the folder python of Holonom's sources to $PYTHONPATH (this program was built from {SOURCE})", ran.stderr)
        self.assertNotIn("numpy", ran.stderr)
        ran = subprocess.run([alone, "import", "t.top", "c.gro"], env={**os.environ, "PYTHONPATH": f"{SOURCE}/python"}, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)


FILES = ("molecules.yaml", "start.gro", "system.yaml")


class Replaced(Command):
    """A second import replaces all three files of a first one, or none."""

    def setUp(self):
        super().setUp()
        importer.bring(["t.top", "c.gro"], "W")
        self.first = self.files()
        Path("t2.top").write_text(TOP.replace("0.34", "0.35"))
        Path("c2.gro").write_text(GRO.replace("0.500", "0.600"))

    def files(self):
        return {name: Path("W", name).read_bytes() for name in FILES if Path("W", name).exists()}

    def second(self):
        return importer.bring(["t2.top", "c2.gro"], "W", force=True)

    def whole(self, files):
        self.assertEqual(self.files(), files)
        self.assertEqual(sorted(os.listdir("W")), ["holonom.files", *FILES])

    def test_a_file_that_cannot_be_written(self):
        for name in FILES:
            create = owned._create

            def fails(path, data):
                create(path, data)
                if path.name == name and path.parent.name == owned.STAGE:
                    path.unlink()
                    raise OSError(errno.ENOSPC, "No space left on device")

            with mock.patch.object(owned, "_create", fails):
                with self.assertRaisesRegex(FileError, f"^W/{name} cannot be written: No space left on device$"):
                    self.second()
            self.whole(self.first)

    def test_a_file_that_cannot_be_replaced(self):
        """Of six renamings any one fails."""
        replace = os.replace
        for last in range(6):
            calls = []

            def fails(old, new):
                if Path(old).parent.name == owned.STAGE or Path(new).parent.name == owned.STAGE:
                    calls.append(new)
                    if len(calls) == last + 1:
                        raise OSError(errno.EIO, "Input/output error")
                replace(old, new)

            with self.subTest(last=last), mock.patch.object(os, "replace", fails):
                with self.assertRaisesRegex(FileError, "^W/(molecules.yaml|start.gro|system.yaml) cannot be written: Input/output error$"):
                    self.second()
            self.whole(self.first)

    def test_a_kill_leaves_no_mixture(self):
        """Before any of the renamings. What is left has no system.yaml or is whole, and the next import finds its way."""
        self.second()
        second = self.files()
        importer.bring(["t.top", "c.gro"], "W", force=True)
        ended, replace = 0, os.replace
        for last in range(8):
            child = os.fork()
            if child == 0:
                calls = []

                def killed(old, new):
                    if owned.STAGE in (Path(old).parent.name, Path(new).parent.name):
                        calls.append(new)
                        if len(calls) > last:
                            os._exit(9)
                    replace(old, new)

                os.replace = killed
                self.second()
                os._exit(0)
            ended += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
            left = self.files()
            self.assertTrue(left in (self.first, second) or "system.yaml" not in left, last)
            importer.bring(["t.top", "c.gro"], "W", force=True)
            self.whole(self.first)
        self.assertEqual(ended, 6)

    def test_names_of_files_that_are_gone(self):
        """They leave the list, unless another command may be about to make the file: in the last minute, or where a run is at work."""
        listed = Path("W", owned.LIST)
        for age, lock, stays in ((0, False, True), (120, True, True), (120, False, False)):
            owned.claim(Path("W"), "left.csv")
            then = time.time() - age
            os.utime(listed, (then, then))
            if lock:
                Path("W", "holonom.lock").touch()
            self.second()
            Path("W", "holonom.lock").unlink(missing_ok=True)
            self.assertEqual("left.csv\n" in listed.read_text(), stays)
            self.assertTrue(all(f"{name}\n" in listed.read_text() for name in FILES))

    def test_a_kill_leaves_no_folder(self):
        """Of an import into a new folder: one at work is let be, a killed one's is removed by the next, and signals remove their own at once."""
        strangers = Path(".new.strangers")
        strangers.mkdir()
        Path(strangers, "notes").write_text("mine")
        before = sorted(os.listdir("."))
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP):
            ready, tell = os.pipe()
            child = os.fork()
            if child == 0:
                importer.stop_on_signals()
                put = owned.put

                def slow(path, data):
                    put(path, data)
                    if path.parent.name.startswith(".new."):
                        os.write(tell, b"x")
                        time.sleep(100)

                owned.put = slow
                try:
                    importer.bring(["t.top", "c.gro"], "new")
                except SystemExit as end:
                    os._exit(end.code)
                os._exit(0)
            self.assertEqual(os.read(ready, 1), b"x")
            if number == signal.SIGKILL:
                importer.bring(["t.top", "c.gro"], "new")
                self.assertEqual(len(os.listdir(".")), len(before) + 2)
                shutil.rmtree("new")
            os.kill(child, number)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            os.close(ready)
            os.close(tell)
            if number == signal.SIGKILL:
                importer.bring(["t.top", "c.gro"], "new")
                shutil.rmtree("new")
            else:
                self.assertEqual(code, 128 + number)
            self.assertEqual(sorted(os.listdir(".")), before)
        self.assertEqual(Path(strangers, "notes").read_text(), "mine")

    def test_the_command_says_which_file(self):
        """Files of more than 600 bytes cannot be written: system.yaml is one."""
        for out in ("W", "new"):
            ran = subprocess.run(
                [PROGRAM, "import", "t2.top", "c2.gro", "-o", out, "--force"],
                capture_output=True,
                text=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600)),
            )
            self.assertEqual(ran.returncode, 3)
            self.assertRegex(ran.stderr, "^holonom import: .*system.yaml cannot be written: File too large\n$")
        self.whole(self.first)
        self.assertFalse(os.path.lexists("new"))
        self.assertEqual(self.call("t2.top", "c2.gro", "-o", "W", "--force").returncode, 0)
        self.assertNotEqual(self.files(), self.first)


if __name__ == "__main__":
    unittest.main()
