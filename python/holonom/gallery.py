"""Pages of examples: figures, and comparisons of results with a paper. ::

    from holonom import gallery

    page = gallery.Page("Pendulum", "Vesely 2013, problem 2", "One point held on a circle, under gravity.")
    swing = gallery.follow(page.open("pendulum.yaml", {"integrator.timestep": 0.05}), 600)
    loss = gallery.change(swing["total"])
    page.said("energy", "conserved", f"within {loss:.1e}", gallery.below(loss, 0.1))
    figure, ax = gallery.axes()
    ax.plot(swing.time, swing.positions[:, 0, 0])
    page.figure("swing", figure, "The pendulum's place.")

The inputs of every paper have a script of this kind (``holonom example NAME``). It writes its figures and
page.json into the current folder; ``holonom gallery`` runs all scripts and makes one page of their results. Requires matplotlib.
"""

from __future__ import annotations

import csv
import html
import io
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import owned
from ._library import RunError
from .simulation import Array, Simulation


class Bound(NamedTuple):
    """A number, and its lower and upper bound."""

    value: float
    low: Optional[float] = None
    high: Optional[float] = None

    @property
    def met(self) -> bool:
        """Whether the number is within the bounds; NaN is not."""
        return (self.low is None or self.value > self.low) and (self.high is None or self.value < self.high)

    def __str__(self) -> str:
        """The bound: "< 1e-11", "1.9 to 2.1"."""
        if self.low is None:
            return f"< {self.high:.6g}"
        return f"> {self.low:.6g}" if self.high is None else f"{self.low:.6g} to {self.high:.6g}"


def below(value: float, high: float) -> Bound:
    """value < high."""
    return Bound(float(value), None, float(high))


def above(value: float, low: float) -> Bound:
    """value > low."""
    return Bound(float(value), float(low), None)


def near(value: float, wanted: float, off: float) -> Bound:
    """value within `off` of `wanted`."""
    return Bound(float(value), float(wanted - off), float(wanted + off))


class Track(dict):
    """Moments of one replica: time [n], positions and momenta [n][sites][dimensions], and the columns of `Simulation.look`
    by name, [n] each: track["total"]."""

    time: Array
    positions: Array
    momenta: Array
    broken: str = ""


def follow(simulation: Simulation, moments: int, every: int = 1, replica: int = 0, may_break: bool = False) -> Track:
    """The current moment and `moments` more, `every` steps apart. may_break: a failed run ends the
    track, and `broken` has the message."""
    track, rows = Track(), []
    for i in range(moments + 1):
        try:
            simulation.step(every if i > 0 else 0, progress=False)
        except RunError as error:
            if not may_break:
                raise
            track.broken = str(error)
            break
        numbers = {name: value[replica] for name, value in simulation.look().items()}
        rows.append((simulation.time, simulation.positions[replica], simulation.momenta[replica], numbers))
    track.time, track.positions, track.momenta = (np.array([row[k] for row in rows]) for k in range(3))
    track.update({name: np.array([row[3][name] for row in rows]) for name in rows[0][3]})
    return track


def seconds(simulation: Simulation, steps: int, tries: int = 3) -> float:
    """Seconds per step, the best of several calls of `steps` steps; only indicative on a busy machine."""
    best = float("inf")
    for _ in range(tries):
        begun = time.perf_counter()
        simulation.step(steps, progress=False)
        best = min(best, time.perf_counter() - begun)
    return best / steps


def change(values: Array) -> float:
    """The largest difference from the first value."""
    return float(np.abs(values - values[0]).max())


def largest(values: Array) -> float:
    """The largest absolute value."""
    return float(np.abs(values).max())


def axes(rows: int = 1, columns: int = 1, size: tuple[float, float] = (6.4, 4.0), **options: Any) -> Any:
    """matplotlib's subplots in the gallery's style, `size` inches a panel."""
    import matplotlib

    if "MPLBACKEND" not in os.environ:
        matplotlib.use("Agg")  # figures are written, not shown
    import matplotlib.pyplot as plt

    style = {"axes.grid": True, "grid.alpha": 0.3, "lines.linewidth": 1.0, "legend.fontsize": "small", "savefig.dpi": 100}
    plt.rcParams.update(style)
    return plt.subplots(rows, columns, figsize=(columns * size[0], rows * size[1]), layout="constrained", **options)


class Page:
    """The page of one script: texts, figures and numbers, in their order. Each call writes page.json in the current folder,
    so that the page is complete up to a later failure of the script."""

    def __init__(self, title: str, paper: str, summary: str) -> None:
        self.inputs = Path(sys.argv[0]).resolve().parent
        self._page: dict[str, Any] = {"title": title, "paper": paper, "summary": summary, "inputs": [], "items": []}
        self._add()

    def _add(self, **item: Any) -> None:
        self._page["items"] += [item] if item else []
        owned.put(Path("page.json"), json.dumps(self._page, ensure_ascii=False, indent=1) + "\n")

    def open(self, file: str, changes: Optional[Mapping[str, Any]] = None) -> Simulation:
        """The Simulation of an input file in the script's folder."""
        if file not in self._page["inputs"]:
            self._page["inputs"].append(file)
        return Simulation(self.inputs / file, changes)

    def folder(self, name: str) -> Path:
        """The path of a folder for a whole run, next to the figures."""
        owned.claim(Path("."), name + "/")
        return Path(name)

    def text(self, text: str) -> None:
        """Adds a paragraph."""
        self._add(kind="text", text=text)

    def figure(self, name: str, figure: Any, caption: str) -> None:
        """Adds a figure of matplotlib, written to NAME.png, or the path of an existing picture."""
        import matplotlib.pyplot as plt

        if isinstance(figure, (str, os.PathLike)):
            data = Path(figure).read_bytes()
        else:
            drawn = io.BytesIO()
            figure.savefig(drawn, format="png")
            plt.close(figure)
            data = drawn.getvalue()
        owned.put(Path(name + ".png"), data)
        self._add(kind="figure", name=name, text=caption)

    def said(self, what: str, paper: str, found: str, *bounds: Bound, holds: bool = True) -> None:
        """Adds a comparison: the paper's statement, the result, and the result's bounds. holds: whether the result
        confirms the paper; without bounds, True makes no claim."""
        verdict = "no" if not holds else "yes" if bounds else ""
        met = all(bound.met for bound in bounds)
        numbers = [{"value": repr(bound.value), "bound": str(bound), "met": bound.met} for bound in bounds]
        self._add(kind="said", what=what, paper=paper, found=found, holds=verdict if met else "missed", numbers=numbers)
        print(f"{what}: {found}{'' if paper == '' else f' (paper: {paper})'}{'' if met else '  -- OUT OF BOUNDS'}")


# --- the gallery: pages of folders as one -----------------------------------------------------------------------------


def _plain(text: str) -> str:
    """The text on one line, without characters that HTML or Markdown cannot contain."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", "\ufffd", " ".join(text.split()))


def _markdown(text: str) -> str:
    """The text with Markdown's marks escaped."""
    marked = re.sub(r"([\\`*_\[\]|~$]|<(?=\S)|&(?=#?\w+;))", r"\\\1", _plain(text))
    return re.sub(r"^(\d+)(?=[.)](\s|$))|^(?=[#+\-=>:])", lambda m: (m[1] or "") + "\\", marked)


def _load(folder: Path) -> dict[str, Any]:
    try:
        return json.loads((folder / "page.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {"title": folder.name, "paper": "", "summary": "", "inputs": [], "items": []}


def _said(page: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [item for item in page["items"] if item["kind"] == "said"]


def _bounds(item: Mapping[str, Any]) -> str:
    return ", ".join(number["bound"] for number in item["numbers"])


HEAD = ("what", "paper", "here", "bounds", "holds")


def _cells(item: Mapping[str, Any]) -> tuple[str, ...]:
    return item["what"], item["paper"], item["found"], _bounds(item), item["holds"] or "–"


def _write_markdown(folder: Path, page: Mapping[str, Any]) -> None:
    name, lines = folder.name, [f"# {_markdown(page['title'])}", f"Paper: {_markdown(page['paper'])}", _markdown(page["summary"])]
    scripts = ", ".join(f"[{path.name}]({path.name})" for path in _scripts(folder))
    lines += [
        "## Run it",
        f"`holonom gallery --only {name}` makes the figures and numbers below: it runs {scripts}. By itself such a script "
        f"(`python3 examples/{name}/figures.py`) writes into the current folder. Each input by itself, from the root of the sources, or from anywhere "
        f"after `holonom example {name} -o examples/{name}`:",
    ]
    rows = ["| input | |", "| --- | --- |"]
    used = [folder / file for file in page.get("inputs", [])]
    for path in used + sorted(path for path in folder.glob("*.yaml") if path not in used):
        text = path.read_text("utf-8")
        title = re.search(r"(?m)^title: *(.*)", text)
        command = "study" if re.search(r"(?m)^base:", text) else "run"
        said = f": {_markdown(title[1].strip(chr(34)))}" if title else ""
        rows += [f"| [{path.name}]({path.name}){said} | `holonom {command} examples/{name}/{path.name}` |"]
    lines += ["\n".join(rows), "## What comes out"]
    for item in page["items"]:
        if item["kind"] in ("text", "heading"):
            lines += [("### " if item["kind"] == "heading" else "") + _markdown(item["text"])]
        elif item["kind"] == "figure":
            lines += [f"![{item['name']}]({item['name']}.png)", _markdown(item["text"])]
    if _said(page):
        rows = [" | ".join(HEAD), " | ".join("---" for _ in HEAD)] + [" | ".join(map(_markdown, _cells(item))) for item in _said(page)]
        lines += ["## What the paper says and what comes out", "\n".join(f"| {row} |" for row in rows)]
    if page.get("failed"):
        lines += ["## It failed", "\n".join("    " + line for line in page["failed"].splitlines())]
    owned.put(folder / "README.md", "\n\n".join(lines) + "\n")


STYLE = """body { max-width: 60em; margin: auto; padding: 1em; font-family: sans-serif; line-height: 1.5 } img { max-width: 100% }
table { border-collapse: collapse } td, th { border: 1px solid #999; padding: 0.2em 0.6em; text-align: left; vertical-align: top }
.missed, .failed { color: #a00; font-weight: bold } figure { margin: 1em 0 } pre { overflow: auto }"""


def _section(name: str, page: Mapping[str, Any]) -> str:
    def safe(text: str) -> str:
        return html.escape(_plain(text))

    parts = [f'<section id="{safe(name)}"><h2>{safe(page["title"])}</h2><p>{safe(page["paper"])}</p><p>{safe(page["summary"])}</p>']
    for item in page["items"]:
        if item["kind"] in ("text", "heading"):
            tag = "p" if item["kind"] == "text" else "h3"
            parts += [f"<{tag}>{safe(item['text'])}</{tag}>"]
        elif item["kind"] == "figure":
            source, caption = safe(f"{name}/{item['name']}.png"), safe(item["text"])
            parts += [f'<figure><img src="{source}" alt="{caption}"><figcaption>{caption}</figcaption></figure>']
    if _said(page):
        parts += ["<table><tr>" + "".join(f"<th>{cell}</th>" for cell in HEAD) + "</tr>"]
        for item in _said(page):
            row = "".join(f"<td>{safe(cell)}</td>" for cell in _cells(item))
            parts += [f'<tr class="{safe(item["holds"])}">{row}</tr>']
        parts += ["</table>"]
    if page.get("failed"):
        parts += [f'<p class="failed">failed</p><pre>{html.escape(page["failed"])}</pre>']
    inputs = f"{safe(name)}/README.md"
    parts += [f'<p>{page.get("seconds", 0.0):.1f} s; <a href="{inputs}">inputs</a>, <a href="{safe(name)}/">scripts</a></p>']
    return "\n".join(parts) + "</section>\n"


def _write_all(folder: Path, pages: Mapping[str, Mapping[str, Any]]) -> None:
    links = " · ".join(f'<a href="#{html.escape(name)}">{html.escape(_plain(page["title"]))}</a>' for name, page in pages.items())
    sections = "".join(_section(name, page) for name, page in pages.items())
    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Holonom: gallery</title><style>{STYLE}</style></head>'
    owned.put(folder / "index.html", f"{head}<body><h1>Examples of the papers</h1><p>{links}</p>\n{sections}</body></html>\n")
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(("exhibit", *HEAD))
    for name, page in pages.items():
        rows.writerows((name, *_cells(item)) for item in _said(page))
        if page.get("failed"):
            rows.writerow((name, "run to the end", "", page["failed"], "", "failed"))
    owned.put(folder / "numbers.csv", table.getvalue())


def _scripts(folder: Path) -> list[Path]:
    """figures.py, then figures-NAME.py."""
    return sorted(folder.glob("figures*.py"), key=lambda path: path.stem)


# The script's own folder is not searched for modules, since a file there could have the name of any; Python before 3.11 ignores
# PYTHONSAFEPATH.
_RUN_SCRIPT = """import sys
sys.path[:] = [folder for folder in sys.path if folder]
import runpy
sys.argv[:] = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def _run(folder: Path) -> dict[str, Any]:
    """Runs the scripts of a folder and returns their joint page, the time, and the message of a failure."""
    page, begun = _load(folder / "nothing"), time.perf_counter()
    for script in _scripts(folder):
        (folder / "page.json").unlink(missing_ok=True)
        ended = subprocess.run(
            [sys.executable, "-c", _RUN_SCRIPT, script.name],
            cwd=folder,
            env={**os.environ, "MPLBACKEND": "Agg", "PYTHONSAFEPATH": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
        more = _load(folder)
        if script.stem == "figures":
            page = more
        else:
            page["items"] += [{"kind": "heading", "text": more["title"]}, {"kind": "text", "text": more["summary"]}, *more["items"]]
            page["inputs"] += [file for file in more["inputs"] if file not in page["inputs"]]
        if ended.returncode != 0:
            page["failed"] = ended.stderr.strip()[-4000:] or f"{script.name} ended with {ended.returncode}"
            break
    owned.put(folder / "page.json", json.dumps(page, ensure_ascii=False, indent=1) + "\n")
    return {**page, "seconds": time.perf_counter() - begun}


def main(arguments: Sequence[str]) -> int:
    """python3 -m holonom.gallery FOLDER NAME...: runs the scripts FOLDER/NAME/figures*.py and writes FOLDER/index.html, FOLDER/numbers.csv
    and FOLDER/NAME/README.md. Returns 3 if a script failed or a number was out of its bounds."""
    folder, pages = Path(arguments[0]), {}
    for name in arguments[1:]:
        print(f"{name:<28}", end="", flush=True)
        page = pages[name] = _run(folder / name)
        verdicts = [item["holds"] for item in _said(page)]
        asked = [verdict for verdict in verdicts if verdict]
        print(f" {page['seconds']:7.1f} s   {asked.count('yes')} of {len(asked)} hold", flush=True)
        for item in _said(page):
            if item["holds"] == "missed":
                print("    " + _plain(f"out of bounds ({_bounds(item)}): {item['what']}: {item['found']}"))
        if page.get("failed"):
            print("    failed: " + _plain(page["failed"].splitlines()[-1]))
        _write_markdown(folder / name, page)
        _write_all(folder, pages)
    verdicts = [item["holds"] for page in pages.values() for item in _said(page) if item["holds"]]
    failed = [name for name, page in pages.items() if page.get("failed")]
    seconds = sum(page["seconds"] for page in pages.values())
    print(f"{verdicts.count('yes')} of {len(verdicts)} hold, {seconds:.1f} s in all; open {_plain(str(folder))}/index.html")
    if failed:
        print(f"{len(failed)} of {len(pages)} scripts failed: {', '.join(failed)}; the page says how", file=sys.stderr)
    return 3 if failed or "missed" in verdicts else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        print(f"holonom gallery: {_plain(str(error))}", file=sys.stderr)
        sys.exit(3)
