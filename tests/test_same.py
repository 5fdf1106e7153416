"""scripts/same sees no difference between a program and itself, and sees one where a program differs, unless it is allowed."""

import os
import subprocess
import unittest
from pathlib import Path

from in_folder import InFolder

SCRIPT = Path(os.environ["HOLONOM_SOURCE"]) / "scripts/same"
PROGRAM = os.environ["HOLONOM_PROGRAM"]


class Same(InFolder):
    def compare(self, new, *options):
        call = [SCRIPT, "--program", PROGRAM, "--new", new, "--work", self.folder / "work", "-j", "2", *options]
        done = subprocess.run(call, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def other(self, setting):
        """A program that gives one key another value in every run."""
        path = self.folder / "other"
        path.write_text(f'#!/bin/sh\ncase $1 in run) set -- "$@" --set {setting} ;; esac\nexec {PROGRAM} "$@"\n')
        path.chmod(0o755)
        return path

    def test_a_program_equals_itself(self):
        code, said = self.compare(PROGRAM, "--only", "^(open-tip3p|box-tip3p-double|trimer-rigid|check-cluster)$")
        self.assertEqual(code, 0, said)
        self.assertIn("4 cases: 1 equal, 3 goes on", said)

    def test_other_numbers_are_found_unless_they_are_allowed(self):
        cases = "--only", "^(open-tip4p|check-cluster)$"
        other = self.other("thermostat.temperature=150.00000001")
        code, said = self.compare(other, *cases)
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"(?m)^open-tip4p: differs\n(    .*\n)*    out/final.xyz: line \d+: .*; largest relative difference of numbers")
        self.assertRegex(said, r"(?m)^2 cases: 1 differs, 1 equal$")
        code, said = self.compare(other, *cases, "--allow", "open-tip4p")
        self.assertEqual(code, 0, said)
        code, said = self.compare(other, *cases, "--allow", "final.xyz")
        self.assertEqual(code, 1, said)

    def refusing(self, before, words):
        """A program that refuses to go on, with these words, after it has done something to the folder of the run."""
        path = self.folder / "other"
        path.write_text(f'#!/bin/sh\ncase "$*" in *--resume*) {before}; echo "{words}" >&2; exit 2 ;; esac\nexec {PROGRAM} "$@"\n')
        path.chmod(0o755)
        return path

    def test_checkpoints_are_refused_by_version_before_anything_is_written(self):
        form = "the checkpoint is of holonom 0.1.0 and in another form"
        for before, words, code, verdict in (
            ("true", form, 0, "double-pendulum-zs: refused"),
            ("true", "it is Monday", 1, "refused, but not by version: it is Monday"),
            ("echo >>out/holonom.log", form, 1, "refused after files were written"),
        ):
            with self.subTest(verdict):
                found, said = self.compare(self.refusing(before, words), "--only", "^double-pendulum-zs$")
                self.assertEqual(found, code, said)
                self.assertIn(verdict, said)

    def test_a_choice_of_nothing_is_no_success(self):
        for options, words in (
            (("--only", "nothing-of-this-name"), "no case matches 'nothing-of-this-name'; --list prints all names"),
            (("--only", "("), "'(' is not a regular expression"),
            (("--allow", "["), "'[' is not a regular expression"),
        ):
            with self.subTest(options):
                code, said = self.compare(PROGRAM, *options)
                self.assertEqual(code, 2, said)
                self.assertIn(words, said)

    def test_a_missing_file_is_found(self):
        code, said = self.compare(self.other("output.trajectory=[]"), "--only", "^word-babo$")
        self.assertEqual(code, 1, said)
        self.assertIn("out/trajectory.xyz: missing", said)


if __name__ == "__main__":
    unittest.main()
