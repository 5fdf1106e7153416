"""The folder that a run leaves, as arrays and dicts."""

import csv
import re
from pathlib import Path

import numpy as np

# (files, columns, unit): the first that fits. Systems without units have none.
_UNITS = (
    (r"thermo|replicas", r"largest_g", "A^2"),
    (r".*", r"step|replica|block|samples|.*count|n[0-9]+|beyond|monitor.*|kirkwood|epsilon.*|(g|n)_.*|g|[a-z]*_g", ""),
    (r".*", r"time_ps", "ps"),
    (r".*", r"r|r_hi", "A"),
    (r".*", r"wavenumber", "1/cm"),
    (r"rdf", r"P", "1/A"),
    (r"msd", r"msd_.*", "A^2"),
    (r"vacf", r"C_.*", "A^2/ps^2"),
    (r"vacf_spectrum", r"S_.*", "ps"),
    (r"dipole", r"m2", "D^2"),
    (r"dipole", r"m.*", "D"),
    (r".*", r"time", "AKMA"),
    (r".*", r"temperature.*", "K"),
    (r".*", r"pressure.*", "bar"),
    (r"trajectory", r"[xyz][0-9]*", "A"),
    (r"trajectory", r"p[xyz][0-9]*", "g/mol A/AKMA"),
    (r".*", r"p[xyz]|momentum_.*", "g/mol A/AKMA"),
    (r".*", r"l[xyz]|angular_.*", "g/mol A^2/AKMA"),
    (r"thermo|energy|replicas", r".*", "kcal/mol"),
)


def _unit(file, column):
    column = column[: -len("_err")] if column.endswith("_err") else column
    fits = (unit for files, columns, unit in _UNITS if re.fullmatch(files, file) and re.fullmatch(columns, column))
    return next(fits, "")


def _number(text):
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return {"yes": True, "no": False, "true": True, "false": False}.get(text, text.strip("\"'"))


class Table(dict):
    """A CSV file: {column: array[rows]}, `units` of its columns, `comments` (its lines after #) and its `name`."""

    def __init__(self, path, reduced=False):
        super().__init__()
        self.name = Path(path).stem
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.read().splitlines()
        names = next(csv.reader(lines[:1]), [])
        self.comments = [line[1:].strip() for line in lines[1:] if line.startswith("#")]
        rows = [row for row in csv.reader(line for line in lines[1:] if line and not line.startswith("#"))]
        for i, name in enumerate(names):
            column = [_number(row[i]) if i < len(row) and row[i] != "" else np.nan for row in rows]
            self[name] = np.array(column)
        self.units = {name: "" if reduced else _unit(self.name, name) for name in self}

    def __repr__(self):
        rows = len(next(iter(self.values()), ()))
        return f"<holonom.Table {self.name}: {rows} rows of {', '.join(self)}>"

    def plot(self, *columns, x=None, ax=None):
        """Draws columns (all that are no errors, if none is named) over `x`, the first, with their errors; returns the axes.

        Needs matplotlib.
        """
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise ImportError("plots need matplotlib (python3-matplotlib)") from error
        ax = ax or plt.subplots()[1]
        x = x or next(iter(self))
        columns = columns or [name for name in self if name != x and not name.endswith("_err")]
        for name in columns:
            (line,) = ax.plot(self[x], self[name], label=name)
            if name + "_err" in self:
                low, high = self[name] - self[name + "_err"], self[name] + self[name + "_err"]
                ax.fill_between(self[x], low, high, alpha=0.3, color=line.get_color())
        units = {self.units[name] for name in columns}
        ax.set_xlabel(self._label(x))
        ax.set_ylabel(self._label(columns[0]) if len(columns) == 1 else ", ".join(sorted(units - {""})))
        ax.legend()
        return ax

    def _label(self, column):
        return f"{column} / {self.units[column]}" if self.units[column] else column


def _flow(text):
    """A value of summary.yaml, lists and maps on one line included."""
    text = text.strip()
    inner = [part for part in re.split(r",\s*(?![^\[{]*[\]}])", text[1:-1]) if part]
    if text.startswith("[") and text.endswith("]"):
        return [_flow(part) for part in inner]
    if text.startswith("{") and text.endswith("}"):
        return {key.strip(): _flow(value) for key, value in (part.split(":", 1) for part in inner)}
    return _number(text)


def _summary(text):
    """summary.yaml as holonom writes it: keys with values, maps of them below a key, remarks after #."""
    found, inner = {}, None
    for line in text.splitlines():
        line = re.sub(r"\s+#.*", "", line) if not re.search(r'"[^"]*#', line) else line
        match = re.match(r"(\s*)([^:#\s][^:]*):\s*(.*)", line)
        if match is None:
            continue
        indent, key, value = match.groups()
        place = inner if indent and inner is not None else found
        if value:
            place[key] = _flow(value)
        else:
            inner = found.setdefault(key, {})
        if not indent and value:
            inner = None
    return found


class Results:
    """The folder of a run.

    summary: a dict; tables: the names of its CSV files; ``results["thermo"]["temperature"]`` an array of one.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        path = self.folder / "summary.yaml"
        if not path.is_file():
            raise FileNotFoundError(f"{path} is not there: is {folder} the folder of a run?")
        self.summary = _summary(path.read_text(encoding="utf-8"))
        resolved = self.folder / "input.yaml"
        self.reduced = resolved.is_file() and re.search(r"(?m)^units: reduced", resolved.read_text("utf-8")) is not None
        self._tables = {}

    def __repr__(self):
        return f"<holonom.Results in {self.folder}: {', '.join(self.tables)}>"

    @property
    def tables(self):
        """Names of the CSV files, without ".csv"."""
        return sorted(path.stem for path in self.folder.glob("*.csv"))

    def __getitem__(self, name):
        """The Table of one CSV file, read once."""
        if name not in self._tables:
            path = self.folder / f"{name}.csv"
            if not path.is_file():
                raise KeyError(f"{name}; there are: {', '.join(self.tables)}")
            self._tables[name] = Table(path, self.reduced)
        return self._tables[name]

    @property
    def trajectories(self):
        """Paths of trajectories, DCD before H5MD and XYZ; of a run without one that of its last frame."""
        found = [path for suffix in ("dcd", "h5md", "xyz") for path in sorted(self.folder.glob(f"trajectory*.{suffix}"))]
        return found or sorted(self.folder.glob("final.gro")) or sorted(self.folder.glob("final.xyz"))

    def to_mdanalysis(self):
        """The run's trajectory, or else its last frame, as an MDAnalysis Universe. Needs MDAnalysis."""
        try:
            import MDAnalysis
        except ImportError as error:
            raise ImportError("to_mdanalysis needs MDAnalysis (python3-mdanalysis)") from error
        frames = self.trajectories
        if not frames:
            raise FileNotFoundError(f"{self.folder} has neither a trajectory nor a last frame of molecules")
        last = [self.folder / name for name in ("final.gro", "final.xyz") if (self.folder / name).is_file()]
        topology = last[0] if last else frames[0]
        return MDAnalysis.Universe(str(topology), *([str(frames[0])] if frames[0] != topology else []))
