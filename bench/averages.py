"""Means of runs with their errors, and tables of two programs' side by side, for the comparisons beside this file."""
import math
import re


def of_run(folder, *keys):
    """Means of a run's summary.yaml: (value, error) of each key."""
    summary = (folder / "summary.yaml").read_text()
    return [tuple(float(re.search(rf"^\s*{key}{end}:\s*(\S+)", summary, re.M).group(1)) for end in ("", "_err")) for key in keys]


def table(name, mine, peer):
    """{what: (value, error)} of both, with their difference."""
    print(f"\n{name}\n| | Holonom | GROMACS | difference in standard errors |\n| --- | --- | --- | --- |")
    for key, (value, error) in mine.items():
        other, doubt = peer[key]
        apart = (value - other) / math.hypot(error, doubt)
        print(f"| {key} | {value:.4f} +- {error:.4f} | {other:.4f} +- {doubt:.4f} | {apart:+.1f} |", flush=True)
