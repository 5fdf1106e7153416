"""Pages of holonom.gallery on made-up scripts: whatever the texts hold, HTML, Markdown and CSV are well formed; bounds are kept, failures shown
and passed. A ctest entry, called as test_python.py is."""

import csv
import html.parser
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

for module in "numpy", "matplotlib":
    if importlib.util.find_spec(module) is None:
        print(f"skipped: no {module} (python3-{module})")
        sys.exit(77)
import numpy as np

import holonom
from holonom import gallery, owned

NASTY = "<b>a & b</b> \"c\" 'd' \u00e9 \x01]]> <!-- </section>"
MARKS = "1. `x` *y* _z_ [l](u) | a\\b\\| ![i](j) ~~s~~ $m$ &amp; x < y, <i>\n# h\n- | --- |"
HEAD = "from holonom import gallery\npage = gallery.Page({title!r}, 'Paper & <sons>', 'Summary ' + {nasty!r})\n"
GOOD = (
    HEAD
    + """
figure, ax = gallery.axes()
ax.plot([0, 1], [0, 1])
page.text('one 17 & <two>')
page.text({nasty!r})
page.text({marks!r})
page.text('# no heading')
page.figure('curve', figure, {nasty!r})
page.said('order, <h>', '2 & "more"', '2.00', gallery.near(2.0, 2, 0.1), gallery.below(1, 2))
page.said('another', '1', {nasty!r}, gallery.above(3, 2), holds=False)
page.said({marks!r}, 'marks', {marks!r})
"""
)
PENDULUM = (
    json.dumps(
        {
            "title": "a pendulum",
            "units": "reduced",
            "geometry": {"method": "rattle"},
            "integrator": {"word": "BAB", "timestep": 0.01, "steps": 10},
            "system": {
                "dimensions": 2,
                "sites": [{"mass": 2, "position": [1, 0]}],
                "constraints": [{"type": "anchor", "site": 1, "distance": 1}],
                "potentials": [{"type": "gravity", "acceleration": [0, -1]}],
            },
        }
    )
    + "\n"
)


class Tags(html.parser.HTMLParser):
    """Every tag closed in its turn."""

    def __init__(self, text):
        super().__init__()
        self.open, self.found, self.shown = [], [], ""
        self.feed(text)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.shown += data


class Gallery(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def put(self, name, script):
        (self.folder / name).mkdir()
        (self.folder / name / "figures.py").write_text(script.format(title="Title " + NASTY, nasty=NASTY, marks=MARKS), "utf-8")
        (self.folder / name / "pendulum.yaml").write_text(PENDULUM)

    def run_all(self, *names):
        ended = subprocess.run(
            [sys.executable, "-m", "holonom.gallery", self.folder, *names],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        self.said = ended.stdout
        with open(self.folder / "numbers.csv", encoding="utf-8", newline="") as file:
            self.rows = list(csv.reader(file))
        self.page = Tags((self.folder / "index.html").read_text("utf-8"))
        return ended.returncode

    def markdown(self, name):
        return (self.folder / name / "README.md").read_text("utf-8")

    def test_page_shows_everything(self):
        self.put("good", GOOD)
        more = "from holonom import gallery\npage = gallery.Page('More & more', 'the same', 'at last')\npage.open('pendulum.yaml')\n"
        (self.folder / "good/figures-more.py").write_text(more + "page.said('last', '', '3', gallery.below(3, 4))\n")
        self.assertEqual(self.run_all("good"), 0, self.said)
        self.assertIn("2 of 3 hold", self.said)
        self.assertRegex(self.said, r" s in all; open ")
        shown = " ".join(self.page.shown.split())
        for text in ("one 17 & <two>", "<b>a & b</b> \"c\" 'd' \u00e9 \ufffd]]> <!-- </section>", "1.9 to 2.1, < 2", "> 2"):
            self.assertIn(text, shown)
        self.assertIn(("img", {"src": "good/curve.png", "alt": NASTY.replace("\x01", "\ufffd")}), self.page.found)
        self.assertEqual((self.folder / "good/curve.png").read_bytes()[:4], b"\x89PNG")
        self.assertNotIn("\x01", (self.folder / "index.html").read_text("utf-8"))
        self.assertEqual(
            self.rows[:2],
            [
                ["exhibit", "what", "paper", "here", "bounds", "holds"],
                ["good", "order, <h>", '2 & "more"', "2.00", "1.9 to 2.1, < 2", "yes"],
            ],
        )
        self.assertEqual([row[-1] for row in self.rows[2:]], ["no", "–", "yes"])
        self.assertIn(("h3", {}), self.page.found)
        page = json.loads((self.folder / "good/page.json").read_text("utf-8"))
        self.assertEqual(page["inputs"], ["pendulum.yaml"])
        numbers = next(item for item in page["items"] if item["kind"] == "said")["numbers"]
        self.assertEqual(numbers, [{"value": "2.0", "bound": "1.9 to 2.1", "met": True}, {"value": "1.0", "bound": "< 2", "met": True}])

        # Markdown shows the same.
        text = self.markdown("good")
        self.assertTrue(text.startswith("# Title \\<b>a & b\\</b>"), text[:60])
        for said in (
            "\nPaper: Paper & \\<sons>\n",
            "\none 17 & \\<two>\n",
            "\n\\# no heading\n",
            "\n### More & more\n\nat last\n",
            "](curve.png)\n",
            "it runs [figures.py](figures.py), [figures-more.py](figures-more.py). By",
            "| [pendulum.yaml](pendulum.yaml)",
            "| `holonom run examples/good/pendulum.yaml` |\n",
            '| order, \\<h> | 2 & "more" | 2.00 | 1.9 to 2.1, < 2 | yes |\n',
        ):
            self.assertIn(said, text)
        if shutil.which("cmark-gfm"):  # a reader of Markdown makes no markup of the texts, and all cells of the table
            read = subprocess.run(
                ["cmark-gfm", "-e", "table", "-e", "strikethrough"], input=text, stdout=subprocess.PIPE, text=True, check=True
            ).stdout
            for markup in ("<em>", "<del>", "<b>", "<i>", "<ol", "<h1>h", "<hr", '"u"', '"j"', "omitted"):
                self.assertNotIn(markup, read)
            self.assertEqual(read.count("<td"), 4 * 5 + 1 * 2)

    def test_failures_are_shown_and_the_rest_goes_on(self):
        self.put("bad", HEAD + "page.text('as far as this')\nraise RuntimeError('step 7: <bond> & more')\n")
        self.put("none", "import sys\nsys.exit(5)\n")
        self.put("good", HEAD + "page.text('one 17')\n")
        self.assertEqual(self.run_all("bad", "none", "good"), 3)
        self.assertIn("2 of 3 scripts failed: bad, none", self.said)
        self.assertIn("failed: RuntimeError: step 7: <bond> & more", self.said)
        for text in ("as far as this", "RuntimeError: step 7: <bond> & more", "figures.py ended with 5", "one 17"):
            self.assertIn(text, self.page.shown)
        self.assertIn("    RuntimeError: step 7: <bond> & more\n", self.markdown("bad"))
        self.assertEqual([row[0] for row in self.rows if row[-1] == "failed"], ["bad", "none"])

    def test_a_number_out_of_its_bounds_is_an_error(self):
        bounds = ("below(2, 2)", "above(2, 2)", "near(2.2, 2, 0.1)", "near(float('nan'), 2, 0.1)", "below(float('nan'), 1)")
        names = [f"missed{k}" for k in range(len(bounds))]
        for name, bound in zip(names, bounds):
            self.put(name, HEAD + f"page.said('order', '2', 'other', gallery.above(1, 0), gallery.{bound})\n")
        self.assertEqual(self.run_all(*names), 3)
        self.assertEqual([row[-1] for row in self.rows[1:]], ["missed"] * len(bounds))
        self.assertEqual(self.said.count("out of bounds"), len(bounds))

    def test_a_page_of_before_does_not_stay(self):
        self.put("good", HEAD + "page.text('one 17')\n")
        self.assertEqual(self.run_all("good"), 0)
        (self.folder / "good/figures.py").write_text("raise SystemExit(1)\n")
        self.assertEqual(self.run_all("good"), 3)
        self.assertNotIn("one 17", self.page.shown)

    def test_files_are_put_on_the_folder_s_list(self):
        self.put("good", HEAD + "page.folder('run')\n")
        listed = self.folder / "good/holonom.files"
        listed.write_text("Files\n")
        self.assertEqual(self.run_all("good"), 0)
        self.assertEqual(set(listed.read_text().split()[1:]), {"page.json", "run/", "README.md"})
        (self.folder / "good/notes.png").write_text("mine")
        with self.assertRaisesRegex(FileExistsError, "notes.png"):
            owned.put(self.folder / "good/notes.png", "ours")
        self.assertEqual((self.folder / "good/notes.png").read_text(), "mine")

    def test_tracks_are_what_the_simulation_shows(self):
        with holonom.Simulation(PENDULUM) as one, holonom.Simulation(PENDULUM) as other:
            track = gallery.follow(one, 5, every=3)
            other.step(15)
            self.assertEqual(track.positions.shape, (6, 1, 2))
            np.testing.assert_array_equal(track.positions[-1], other.positions[0])
            np.testing.assert_array_equal(track.momenta[-1], other.momenta[0])
            np.testing.assert_allclose(track.time, 0.03 * np.arange(6))
            self.assertEqual(track["kinetic"][-1], other.look()["kinetic"][0])
            self.assertLess(gallery.change(track["total"]), 1e-3)
            self.assertGreater(gallery.seconds(one, 10), 0)

    def test_a_track_ends_where_a_run_breaks(self):
        wild = {"integrator.timestep": 30.0}
        with self.assertRaises(holonom.RunError):
            gallery.follow(holonom.Simulation(PENDULUM, wild), 100)
        track = gallery.follow(holonom.Simulation(PENDULUM, wild), 100, may_break=True)
        self.assertLess(len(track.time), 101)
        self.assertIn("step", track.broken)


if __name__ == "__main__":
    unittest.main()
