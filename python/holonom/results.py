"""The folder of a run, as arrays and dicts."""

from __future__ import annotations

import csv
import difflib
import html
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Optional, Union

import numpy as np

if TYPE_CHECKING:
    import MDAnalysis
    from matplotlib.axes import Axes

from ._library import InputError, table_unit


def _missing(what, name, names):
    """A KeyError that lists the existing names, the nearest first."""
    near = difflib.get_close_matches(str(name), names, 1)
    return KeyError(f"the {what} {name!r} does not exist{f'; did you mean {near[0]!r}?' if near else '.'} Existing: {', '.join(names)}")


def _array(fields):
    """A column of int64 or float64 (nan for empty fields), or of texts."""
    for kind, nothing in ((np.int64, ""), (np.float64, "nan")):
        try:
            return np.array([field or nothing for field in fields]).astype(kind)
        except (ValueError, OverflowError):
            pass
    return np.array(fields)


class Table(dict):
    """A CSV file: ``{column: array[rows]}`` of int64, float64, or texts, in the order of the columns.

    units: ``{column: unit}``, such as "kcal/mol"; "" for pure numbers, texts and unknown units, such as all
    columns of systems in reduced units (``hol_table_unit``).
    name: of the file, without ".csv". comments: its lines after #, a list of texts.

    An incomplete last line, in a run at work, is ignored.

    :param path: the file.
    :param reduced: whether the system is in reduced units.
    """

    name: str
    units: dict[str, str]
    comments: list[str]

    def __init__(self, path: Union[str, "os.PathLike[str]"], reduced: bool = False, columns_of: Optional[str] = None) -> None:
        super().__init__()
        self.name = Path(path).stem
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.read().split("\n")[:-1]
        names = next(csv.reader(lines[:1]), [])
        self.comments = [line[1:].strip() for line in lines[1:] if line.startswith("#")]
        rows = [row for row in csv.reader(line for line in lines[1:] if line.strip() and not line.startswith("#"))]
        for i, name in enumerate(names):
            self[name] = _array([row[i] if i < len(row) else "" for row in rows])
        self.units = {name: "" if reduced else table_unit(columns_of or self.name, name) or "" for name in self}

    def __missing__(self, name: str) -> Any:
        raise _missing("column", name, list(self))

    def __repr__(self) -> str:
        rows = len(next(iter(self.values()), ()))
        return f"<holonom.Table {self.name}: {rows} rows of {', '.join(self)}>"

    def _repr_html_(self) -> str:
        """For notebooks: the first and the last rows, with units."""
        n, first = len(next(iter(self.values()), ())), 5
        some = [*range(n)] if n <= 2 * first else [*range(first), None, *range(n - first, n)]
        head = "".join(f"<th>{html.escape(name)}<br>{html.escape(self.units[name])}</th>" for name in self)
        rows = "".join(
            "<tr>" + "".join(f"<td>{'...' if i is None else html.escape(str(values[i]))}</td>" for values in self.values()) + "</tr>"
            for i in some
        )
        return f"<table><caption>{html.escape(self.name)}: {n} rows</caption><tr>{head}</tr>{rows}</table>"

    def plot(self, *columns: str, x: Optional[str] = None, ax: Optional["Axes"] = None) -> "Axes":
        """Draws columns with their errors over `x` (by default all columns of numbers except errors, over the first column).

        Axes have names and units. Returns the axes, `ax` if given. Requires matplotlib.
        """
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise ImportError("plots require matplotlib (python3-matplotlib)") from error
        x = next(iter(self), None) if x is None else x
        drawn = columns or [c for c in self if c != x and not c.endswith("_err") and self[c].dtype.kind in "if"]
        values = {name: self[name] for name in (x, *drawn)}  # raises KeyError before drawing
        ax = ax or plt.subplots()[1]
        units = {self.units[name] for name in drawn}
        for name in drawn:
            label = self._label(name) if len(units) > 1 else name
            (line,) = ax.plot(values[x], values[name], label=label)
            if name + "_err" in self:
                low, high = values[name] - self[name + "_err"], values[name] + self[name + "_err"]
                ax.fill_between(values[x], low, high, alpha=0.3, color=line.get_color())
        ax.set_xlabel(self._label(x))
        if len(units) == 1:
            ax.set_ylabel(self._label(drawn[0]) if len(drawn) == 1 else units.pop())
        ax.legend()
        return ax

    def _label(self, column):
        unit = self.units[column]
        return f"{column.removesuffix('_' + unit)} ({unit})" if unit else column


def _number(value):
    """A value of results.json: infinity and NaN are texts or null in JSON."""
    return float("nan") if value is None else float(value) if value in ("inf", "-inf") else value


def _summary(numbers):
    """The numbers of results.json in the form of summary.yaml: groups are dicts, observables a list of dicts."""
    found, truth = {}, {"yes": True, "no": False}
    for number in numbers:
        kind, name, value = number["kind"], number["name"], number.get("value")
        if number.get("observed"):
            row = {"observable": number["of"], "subject": number.get("subject", ""), "quantity": name, "value": value}
            row |= {"error": number.get("error"), "unit": number.get("unit", "")}
            note = "; ".join(filter(None, [number.get("note"), "the error may be too small" if number.get("doubtful") else None]))
            found.setdefault("observables", []).append(row | ({"note": note} if note else {}))
            continue
        if kind == "group":
            found[name] = {}
            continue
        place = found.setdefault(number["of"], {}) if "of" in number else found
        if kind == "list":
            value, error = [_number(x) for x in value], [_number(x) for x in number.get("error", [])]
        else:
            value, error = truth.get(value, value) if kind == "word" else _number(value), _number(number.get("error"))
        if number.get("of") == "means":
            place[name] = {"mean": value, "error": error}
            continue
        place[name] = value
        if "correlation" in number:
            place[name + "_correlation"] = number["correlation"]
        if isinstance(number.get("error"), float):
            place[name + "_err"] = error
    return found


def _read(path):
    """The numbers and the verdicts of results.json."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        verdicts = {verdict.pop("matter"): verdict for verdict in found.get("verdicts", [])}
        if not all(verdict["verdict"] in ("good", "note", "warn", "bad") and verdict["words"] for verdict in verdicts.values()):
            raise ValueError("a verdict must be good, note, warn or bad")
        return _summary(found["numbers"]), verdicts
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as why:
        raise InputError(f"{path} cannot be read: it is damaged, or another program wrote it ({type(why).__name__}: {why})") from None


class Results(Mapping):
    """The folder of a run, or of `holonom observe`, `rdf`, `compare` or `study`: its CSV files by name. ::

        results = holonom.Results("water.out")
        results["thermo"]["temperature"]  # array[rows]
        results["thermo"].units["temperature"]  # "K"
        results["thermo"].plot("temperature")  # with units at the axes
        results.verdicts["run"]["words"]  # "Nothing speaks against these numbers."
        results.summary["temperature"], results.summary["temperature_err"]

    A mapping of names to `Table`, each read when first used: ``"rdf" in results``, ``list(results)``. Tables of single
    replicas have names such as "replica-0/gofr".

    summary: a dict of all numbers of results.json; empty for a run that has not ended, and for the other commands.
    verdicts: a dict of dicts with the verdicts of the run's report: "run" for the whole, others for subjects such as "temperature". Each
    has "verdict" ("good", "note", "warn" or "bad"), "words", and "p" if there was a test, corrected for all tests of the run. Empty
    for a run that has not ended, for the other commands, and for runs of earlier versions until `holonom report`.
    folder: a Path. reduced: whether the system is in reduced units.

    :raises FileNotFoundError: the folder does not exist, or contains no results.
    """

    folder: Path
    reduced: bool
    summary: dict[str, Any]
    verdicts: dict[str, dict[str, Any]]

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            what = NotADirectoryError if self.folder.exists() else FileNotFoundError
            raise what(f"{folder} {'is not a folder' if self.folder.exists() else 'does not exist'}; give the folder of a run")
        results, resolved = self.folder / "results.json", self.folder / "input.yaml"
        self.summary, self.verdicts = _read(results) if results.is_file() else ({}, {})
        self.reduced = resolved.is_file() and re.search(r"(?m)^units: reduced", resolved.read_text("utf-8")) is not None
        self._tables = {}
        if not self.summary and not self.tables:
            raise FileNotFoundError(f"{folder} has neither results.json nor a CSV file: is it the folder of a run?")

    def __repr__(self) -> str:
        return f"<holonom.Results in {self.folder}: {', '.join(self.tables)}>"

    def _repr_html_(self) -> str:
        """For notebooks: the tables, and the single values of the summary."""
        single = {key: value for key, value in self.summary.items() if not isinstance(value, (dict, list))}
        rows = {"tables": ", ".join(self.tables), **single}
        cells = "".join(f"<tr><th>{html.escape(str(key))}</th><td>{html.escape(str(value))}</td></tr>" for key, value in rows.items())
        return f"<table><caption>{html.escape(str(self.folder))}</caption>{cells}</table>"

    @property
    def tables(self) -> list[str]:
        """Names of the CSV files, without ".csv": a list."""
        found = (path.relative_to(self.folder) for part in ("*.csv", "replica-*/*.csv") for path in self.folder.glob(part))
        return sorted(path.with_suffix("").as_posix() for path in found)

    __eq__, __hash__ = object.__eq__, object.__hash__  # not by the contents of tables

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def __contains__(self, name: object) -> bool:
        return name in self.tables

    def __getitem__(self, name: str) -> Table:
        """The Table of one CSV file."""
        if name not in self._tables:
            if name not in self.tables:
                raise _missing("table", name, self.tables)
            mechanical = name == "replicas" and "ensemble" in self.tables
            self._tables[name] = Table(self.folder / f"{name}.csv", self.reduced, "ensemble" if mechanical else None)
        return self._tables[name]

    @property
    def trajectories(self) -> list[Path]:
        """Paths of trajectories, DCD before XTC, H5MD and XYZ; of a run without one that of its last frame: a list."""
        found = [path for suffix in ("dcd", "xtc", "h5md", "xyz") for path in sorted(self.folder.glob(f"trajectory*.{suffix}"))]
        return found or sorted(self.folder.glob("final.gro")) or sorted(self.folder.glob("final.xyz"))

    def to_mdanalysis(self) -> "MDAnalysis.Universe":
        """The run's trajectory, or else its last frame, as an MDAnalysis Universe. Needs MDAnalysis.

        A trajectory of a part of the atoms (output.xtc_atoms) needs its names: of trajectory.gro, of the same atoms, or of
        H5MD, which says which atoms it has."""
        try:
            import MDAnalysis
        except ImportError as error:
            raise ImportError("to_mdanalysis requires MDAnalysis (python3-mdanalysis)") from error
        frames = self.trajectories
        if not frames:
            raise FileNotFoundError(f"{self.folder} has neither a trajectory nor a last frame of molecules")
        last = [self.folder / name for name in ("final.gro", "final.xyz") if (self.folder / name).is_file()]
        topology = last[0] if last else frames[0]
        if frames[0] == topology:
            return MDAnalysis.Universe(str(topology))
        for names in filter(Path.is_file, (topology, self.folder / "trajectory.gro")):
            try:
                return MDAnalysis.Universe(str(names), str(frames[0]))
            except ValueError:  # another number of atoms
                continue
        if frames[0].suffix != ".h5md":
            raise ValueError(
                f"{frames[0]} has a part of the atoms, and no file in its folder has their names: write them once with "
                "output.trajectory: [gro, ...] with the same gro_atoms"
            )
        import h5py

        with h5py.File(frames[0]) as file:
            atoms = next(iter(file["particles"].values()))["id"][:]
        universe = MDAnalysis.Merge(MDAnalysis.Universe(str(topology)).atoms[atoms])
        return universe.load_new(str(frames[0]))
