"""Runs of Holonom and their results for the comparisons in this folder."""
import json
import shutil
import subprocess
import sys
from pathlib import Path

from figures import prefix, put, read, say

BUILT = Path(__file__).resolve().parent.parent / "build" / "holonom"


class Holonom:
    """One program holonom, by its path."""

    def __init__(self, path):
        self.path = Path(path).resolve()
        if not self.path.exists():
            sys.exit(f"{path} is not there; build it first: cmake --preset release && cmake --build build, or give --program PATH")

    def call(self, folder, *arguments, sets=()):
        """Runs holonom in a folder with these keys and returns its output; exits with a message on failure."""
        words = [self.path, *arguments, *(word for key in sets for word in ("--set", key))]
        done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"holonom {arguments[0]} failed:\n{done.stderr[-2000:]}")
        return done.stdout

    def run(self, folder, file, out, threads, sets=()):
        """Runs an input, replacing an earlier run; returns its summary."""
        self.call(folder, "run", file, "-o", out, "--force", "--quiet", "--threads", threads, sets=sets)
        return summary(folder / out)

    def imported(self, folder, start, *options):
        """Imports the folder's topology and a start into a folder `ours`, which it replaces."""
        shutil.rmtree(folder / "ours", ignore_errors=True)
        self.call(folder, "import", "topol.top", start, *options, "-o", "ours")

    def version(self):
        return self.call(None, "--version").split("\n")[0]

    def bench(self, subject, isa="", options=()):
        """Runs `holonom bench`, prints its lines at once, and returns the figures by name. A line that is not a figure
        is printed with a remark; the figures before it are kept."""
        figures = {}
        command = [str(self.path), "bench", subject, *options] + (["--isa", isa] if isa else [])
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                put(prefix(isa) + line.rstrip("\n"))
                found = read(line)
                if found is None:
                    say(f"holonom bench {subject}: this line is no figure: {line.rstrip()}")
                else:
                    figures[found[0]] = found[1]
        if process.returncode != 0:
            sys.exit(f"holonom bench {subject} failed with exit code {process.returncode}")
        return figures


def add_program(parser):
    """The option --program (formerly --holonom in compare-peers)."""
    parser.add_argument("--program", "--holonom", dest="program", metavar="PATH", default=BUILT,
                        help="the holonom to measure, build/holonom by default (--holonom: the older name)")


def summary(run):
    """The numbers of a run's summary.yaml by name; the first one if several groups share a name."""
    found = {}
    for line in (run / "summary.yaml").read_text().splitlines():
        name, _, value = line.strip().partition(": ")
        try:
            found.setdefault(name, float(value.split("#")[0]))
        except ValueError:  # words, or a group
            pass
    return found


def mean(found, name):
    """A mean of a summary: (value, error)."""
    return found[name], found[f"{name}_err"]


def observed(folder):
    """{(observable, subject, quantity): (value, error)} of a folder's observables.json."""
    rows = json.loads((folder / "observables.json").read_text())
    return {(row["observable"], row["subject"], row["quantity"]): (row["value"], row["error"]) for row in rows}
