"""Every CSV file below a folder is read by pandas, numpy and csv, as their users read them: tests/test_csv.c."""
import csv
import importlib.util
import math
import pathlib
import re
import sys

has = {name: importlib.util.find_spec(name) is not None for name in ("numpy", "pandas")}
if has["numpy"]:
    import numpy
if has["pandas"]:
    import pandas

# Rows of words, in quotes.
WORDS = {"numbers.csv", "compare.csv", "compare_runs.csv", "study.csv", "study_runs.csv"}
# Names that need no quotes and no unit to be taken off, of sites too (g_O-H).
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.+-]*")


def number(text):
    return float(text) if text != "" else math.nan


def check_plain(path, lines):
    """As csv reads it: the names, and rows as long as they."""
    names = lines[0].split(",")
    rows = list(csv.reader(line for line in lines[1:] if not line.startswith("#")))
    assert all(NAME.fullmatch(name) for name in names), f"names: {names}"
    assert len(set(names)) == len(names), "a name comes twice"
    assert rows and all(len(row) == len(names) for row in rows), "csv: rows of another length than the names"
    if path.name not in WORDS:
        for row in rows:
            [number(field) for field in row]
    return names, rows


def check_times(path, names, rows):
    """Times are in ps and called so; in the input's own units where there are no others."""
    folder = path.parent
    resolved = folder / "input.yaml"
    own = resolved.exists() and re.search(r"(?m)^  (sites|hamiltonian):", resolved.read_text())
    assert own or not resolved.exists() or not {"time", "mean_time"} & set(names), "time: in which unit?"
    if path.name == "thermo.csv":
        end = re.search(r"(?m)^time_ps: (\S+)", (folder / "summary.yaml").read_text()).group(1)
        last = float(rows[-1][names.index("time_ps")])
        assert math.isclose(last, float(end), rel_tol=1e-9), f"time_ps ends at {last}, the run at {end}"


def check_units(path, lines):
    """Comments say them, where names do not and there are some."""
    resolved = path.parent / "input.yaml"
    if not resolved.exists() or re.search(r"(?m)^units: reduced", resolved.read_text()):
        return
    if path.stem not in {"lindemann", "rdf_replicas"}:  # of pure numbers
        comments = " ".join(line for line in lines[1:] if line.startswith("#"))
        assert re.search(r"(?<![A-Za-z])(A|A\^2|kcal/mol|K|D|1/cm|A\^2/ps\^2)(?![A-Za-z])", comments), "no units are said"


def check_pandas(path, names, rows):
    table = pandas.read_csv(path, comment="#", float_precision="round_trip")
    assert list(table.columns) == names, "pandas: other names"
    assert isinstance(table.index, pandas.RangeIndex), "pandas: a column without a name"
    assert len(table) == len(rows), f"pandas: {len(table)} rows"
    if path.name not in WORDS:
        assert all(kind.kind in "if" for kind in table.dtypes), "pandas: not numbers"
        for k, name in enumerate(names):
            mine = [number(row[k]) for row in rows]
            same = all(a == b or (a != a and b != b) for a, b in zip(mine, table[name].tolist()))
            assert same, f"pandas: column {name}"


def check_numpy(path, names, rows):
    if path.name in WORDS:
        return
    array = numpy.atleast_1d(numpy.genfromtxt(path, delimiter=",", names=True))
    assert len(array.dtype.names) == len(names), "numpy: other names"
    assert array.dtype.names[0] == names[0] and array.shape == (len(rows),), "numpy: other shape"
    plain = numpy.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    for k, name in enumerate(array.dtype.names):
        mine = numpy.array([number(row[k]) for row in rows])
        assert numpy.array_equal(array[name], plain[:, k], equal_nan=True), f"numpy: column {names[k]}"
        assert numpy.array_equal(array[name], mine, equal_nan=True), f"numpy: column {names[k]}"


found, bad = set(), 0
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.csv")):
    found.add(path.name)
    try:
        lines = path.read_text().splitlines()
        names, rows = check_plain(path, lines)
        check_times(path, names, rows)
        check_units(path, lines)
        if has["pandas"]:
            check_pandas(path, names, rows)
        if has["numpy"]:
            check_numpy(path, names, rows)
    except (AssertionError, ValueError, IndexError) as wrong:
        print(f"{path}: {wrong}")
        bad = 1
missing = set(sys.argv[2:]) - found
if missing:
    print("not there:", *sorted(missing))
    bad = 1
sys.exit(bad)
