"""The tutorials that begin with an example: their commands work, with shorter runs, and make the files that the pages name; what the pages
quote of an input is in the example."""
import os
import re
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["HOLONOM_SOURCE"])
PROGRAM = os.environ["HOLONOM_PROGRAM"]
SHORT = ("integrator.time=2 ps", "output.equilibration=0.5 ps")
PAGES = ("umbrella", "metadynamics")


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


class Tutorials(unittest.TestCase):
    def setUp(self):
        box = tempfile.TemporaryDirectory()
        self.addCleanup(box.cleanup)
        self.box = Path(box.name)

    def call(self, words):
        tools = {**os.environ, "PATH": f"{SOURCE / 'tests/tools'}:{os.environ['PATH']}"}  # a stand-in for gnuplot
        done = subprocess.run(words, cwd=self.box, capture_output=True, text=True, check=False, env=tools)
        self.assertEqual(done.returncode, 0, f"{shlex.join(words)}\n{done.stdout}{done.stderr}")

    def follow(self, page):
        """Runs the commands of a page, all but the build."""
        commands = blocks(page, "sh")[0].splitlines()
        self.assertLessEqual(len(commands), 5)
        self.assertTrue(commands[0].startswith("cmake "), commands[0])
        runs = []
        for command in commands[1:]:
            words = shlex.split(command)
            self.assertEqual(words[0], "build/holonom")
            if words[1] == "run":
                runs.append(words[words.index("-o") + 1])
                words += [word for key in SHORT for word in ("--set", key)]
            self.call([PROGRAM, *words[1:]])
        return runs

    def test_commands_make_the_files_of_the_page(self):
        for name in PAGES:
            with self.subTest(name):
                page = (SOURCE / f"docs/tutorial-{name}.md").read_text()
                runs = self.follow(page)
                self.assertEqual(len(runs), 2)
                named = [path for path in re.findall(r"`([\w-]+/[\w.-]+)`", page) if path.split("/")[0] in runs]
                self.assertGreater(len(named), 0)
                for path in [*named, *(f"{run}/free_energy_phi.{suffix}" for run in runs for suffix in ("csv", "svg"))]:
                    self.assertGreater((self.box / path).stat().st_size, 0, path)
                rows = [line for line in (self.box / runs[0] / "free_energy_phi.csv").read_text().splitlines() if not line.startswith("#")]
                self.assertIn("free_energy_err", rows[0])
                self.assertGreater(len(rows), 20)

    def test_pages_quote_the_examples(self):
        for name in PAGES:
            with self.subTest(name):
                page = (SOURCE / f"docs/tutorial-{name}.md").read_text()
                self.call([PROGRAM, "example", name, "-o", name])
                file = re.search(rf"holonom run {name}/([\w.-]+)", page)[1]
                lines = [line.strip() for line in (self.box / name / file).read_text().splitlines()]
                quoted = [line.strip() for block in blocks(page, "yaml") for line in block.splitlines()]
                self.assertGreater(len(quoted), 3)
                for line in quoted:
                    self.assertIn(line, lines)

    def test_figures_are_there(self):
        for name in PAGES:
            page = (SOURCE / f"docs/tutorial-{name}.md").read_text()
            figures = re.findall(r"!\[[^]]*\]\(([^)]*)\)", page)
            self.assertGreater(len(figures), 0)
            for figure in figures:
                self.assertTrue((SOURCE / "docs" / figure).exists(), figure)
                self.assertIn(Path(figure).stem, (SOURCE / "scripts/tutorials").read_text())


if __name__ == "__main__":
    unittest.main()
