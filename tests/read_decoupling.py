"""The samples of a decoupling as pandas and users of alchemlyb read them: tests/test_decoupling_runs.c.

Prints, from u_nk.csv and dHdl.csv of a folder, the free energy of the last state in kT: by the trapezoidal rule,
as alchemlyb's TI, and by Bennett from state to state, as its BAR. With alchemlyb itself, its estimators print the
same.
"""

import ast
import importlib.util
import sys

if importlib.util.find_spec("pandas") is None or importlib.util.find_spec("numpy") is None:
    sys.exit(77)
import numpy
import pandas


def bennett(forwards, backwards):
    ratio = numpy.log(len(forwards) / len(backwards))
    low, high = -1000.0, 1000.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        excess = (1 / (1 + numpy.exp(ratio + forwards - middle))).sum() - (
            1 / (1 + numpy.exp(-ratio + backwards + middle))
        ).sum()
        low, high = (middle, high) if excess < 0 else (low, middle)
    return middle


def check_same_as_xvg(folder, energies, slopes):
    """The rows of dhdl-00.xvg have the differences of those of the first state, by kT in kJ/mol."""
    rows = numpy.loadtxt(f"{folder}/dhdl-00.xvg", comments=["#", "@"])
    first = energies.xs(energies.columns[0], level=(1, 2))
    kT = rows[:, 2].sum() / slopes.xs(energies.columns[0], level=(1, 2))["vdw"].sum()
    assert numpy.allclose(rows[:, 0], first.index), "other times"
    n = len(energies.columns)
    assert numpy.allclose(rows[:, 3 : 3 + n] / kT, first.values - first.values[:, :1], atol=1e-6), "other energies"
    return rows.shape[1] - 3 - n


def main(folder):
    energies = pandas.read_csv(f"{folder}/u_nk.csv", comment="#", index_col=[0, 1, 2])
    slopes = pandas.read_csv(f"{folder}/dHdl.csv", comment="#", index_col=[0, 1, 2])
    energies.columns = [ast.literal_eval(name) for name in energies.columns]
    names = energies.index.names
    assert list(names) == ["time", "coul-lambda", "vdw-lambda"] and list(slopes.columns) == ["coul", "vdw"]
    of = dict(list(energies.groupby(level=[1, 2])))
    assert set(of) == set(energies.columns), "the states of rows are not those of columns"
    mean = slopes.groupby(level=[1, 2]).mean()
    trapezoid, sum = 0.0, 0.0
    for here, there in zip(energies.columns, energies.columns[1:]):
        for k, name in enumerate(slopes.columns):
            trapezoid += 0.5 * (there[k] - here[k]) * (mean.loc[here, name] + mean.loc[there, name])
        sum += bennett((of[here][there] - of[here][here]).values, (of[there][here] - of[there][there]).values)
    print(f"trapezoid {trapezoid:.9g}\nbennett {sum:.9g}\nbeyond {check_same_as_xvg(folder, energies, slopes)}")
    if importlib.util.find_spec("alchemlyb") is not None:
        from alchemlyb.estimators import BAR, TI

        for table in (energies, slopes):
            table.attrs = {"temperature": 300, "energy_unit": "kT"}
        assert abs(TI().fit(slopes).delta_f_.iloc[0, -1] - trapezoid) < 1e-6
        assert abs(BAR().fit(energies).delta_f_.iloc[0, -1] - sum) < 1e-4


main(sys.argv[1])
