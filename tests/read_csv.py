"""Every CSV file below a folder is read by numpy and pandas, as their users read them: tests/test_csv.c."""
import importlib.util
import pathlib
import sys

if any(importlib.util.find_spec(name) is None for name in ("numpy", "pandas")):
    print("skipped: no numpy or no pandas")
    sys.exit(77)
import numpy
import pandas

found, bad = set(), 0
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.csv")):
    found.add(path.name)
    try:
        lines = path.read_text().splitlines()
        names = lines[0].split(",")
        rows = sum(1 for line in lines[1:] if not line.startswith("#"))
        table = pandas.read_csv(path, comment="#", float_precision="round_trip")
        assert list(table.columns) == names, "pandas: other names"
        assert len(table) == rows > 0, f"pandas: {len(table)} rows"
        if path.name == "numbers.csv":  # of text
            continue
        assert all(kind.kind in "if" for kind in table.dtypes), "pandas: not numbers"
        array = numpy.atleast_1d(numpy.genfromtxt(path, delimiter=",", names=True))
        assert len(array.dtype.names) == len(names), "numpy: other names"
        assert array.dtype.names[0] == names[0] and array.shape == (rows,), "numpy: other shape"
        plain = numpy.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
        for k, name in enumerate(array.dtype.names):
            one, other = array[name], table[names[k]].to_numpy(dtype=float)
            assert numpy.array_equal(one, plain[:, k], equal_nan=True), f"numpy: column {names[k]}"
            assert numpy.array_equal(one, other, equal_nan=True), f"column {names[k]}"
    except (AssertionError, ValueError, IndexError) as wrong:
        print(f"{path}: {wrong}")
        bad = 1
missing = set(sys.argv[2:]) - found
if missing:
    print("not there:", *sorted(missing))
    bad = 1
sys.exit(bad)
