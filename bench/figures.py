#!/usr/bin/env python3
"""Figures of `holonom bench`, one per line: name<TAB>value<TAB>unit. Common functions of the scripts in this folder.

Run with files of figures (docs/figures/*.tsv, written by the scripts with --figures), it writes the page of each."""
import math
import os
import shlex
import sys
from pathlib import Path

# The rows of a machine's page: the figure's name, its meaning, the divisor of its value, and the unit after division.
ROWS = (
    ("cluster7.ensemble", "7 waters, many replicas", 1e6, "million replica-steps/s"),
    ("cluster7.ensemble.mixed", "7 waters, many replicas, float pair forces", 1e6, "million replica-steps/s"),
    ("cluster7.single", "7 waters, one trajectory on one core", 1e6, "million steps/s"),
    ("cluster100.ensemble", "100 waters, many replicas", 1e3, "thousand replica-steps/s"),
    ("cluster100.ensemble.mixed", "100 waters, many replicas, float pair forces", 1e3, "thousand replica-steps/s"),
    ("cluster100.single", "100 waters, one trajectory", 1e3, "thousand steps/s"),
    ("ladder.double", "replica exchange, 8 waters, one ladder of 32 temperatures", 1e6, "million replica-steps/s"),
    ("ladders.double", "replica exchange, 8 waters, a ladder of 32 temperatures for each thread", 1e6, "million replica-steps/s"),
    ("solve.settle", "SETTLE with its projection of velocities, a molecule", 1, "ns"),
    ("solve.zss.full", "Zhang-Skeel solve, full Hessian", 1, "ns"),
    ("solve.zss.gauss_newton", "Zhang-Skeel solve, Gauss-Newton", 1, "ns"),
    ("normals", "a normal deviate", 1, "ns"),
    ("bulk884", "884 waters in a periodic box", 1, "ms a step"),
    ("bulk4055", "4,055 waters in a periodic box", 1, "ms a step"),
    ("bulk32773", "32,773 waters in a periodic box", 1, "ms a step"),
    ("bulk333333", "333,333 waters in a periodic box", 1, "ms a step"),
    ("bulk4055.speedup", "two threads over one, 4,055 waters", 1, "times"),
    ("dipeptide2000.perday", "alanine dipeptide in some 2,000 waters, 2 fs", 1, "ns a day"),
    ("peptide4000.perday", "a peptide of 10 alanines in some 4,000 waters, 2 fs", 1, "ns a day"),
    ("methanol1000.perday", "1,000 methanols (OPLS-AA), 2 fs", 1, "ns a day"),
    ("ethanol300.perday", "300 ethanols (OPLS-AA) in 1,200 waters, 2 fs", 1, "ns a day"),
    ("water4055.perday", "4,055 waters, read from a topology, 2 fs", 1, "ns a day"),
    ("pendulum.single", "double pendulum, Zhang-Skeel, one trajectory", 1, "million steps/s"),
    ("pendulum.ensemble", "double pendulum, Zhang-Skeel, 10,000 trajectories", 1, "million steps/s"),
    ("chain1000.milc", "chain of 1,000 links, MILC, a link and step", 1, "ns"),
)
SETS = {"": "best set", "avx512": "AVX-512", "avx2": "AVX2", "plain": "plain x86-64"}
printed = []  # lines of this call, for --figures


def say(text):
    print(text, file=sys.stderr, flush=True)


def prefix(isa):
    """The prefix of a figure's name for a chosen instruction set."""
    return f"{isa}." if isa else ""


def put(line):
    printed.append(line)
    print(line, flush=True)


def show(name, value, unit, form=".4g"):
    put(f"{name}\t{value:{form}}\t{unit}")


def table(name, mine, peer):
    """{what: (value, error)} of Holonom and of GROMACS, with their difference."""
    print(f"\n{name}\n| | Holonom | GROMACS | difference in standard errors |\n| --- | --- | --- | --- |")
    for key, (value, error) in mine.items():
        other, doubt = peer[key]
        apart = (value - other) / math.hypot(error, doubt)
        print(f"| {key} | {value:.4f} +- {error:.4f} | {other:.4f} +- {doubt:.4f} | {apart:+.1f} |", flush=True)


def read(line):
    """Name and value of a line; None if it is not a figure."""
    fields = line.rstrip("\n").split("\t")
    try:
        return (fields[0], float(fields[1])) if len(fields) == 3 else None
    except ValueError:
        return None


def add_file(parser):
    parser.add_argument("--figures", metavar="FILE", type=Path,
                        help="also put the figures into FILE (NAME.tsv, one for each machine; older ones of the same names go) and make its page, NAME.md")


def keep(path, program, peer=""):
    """Adds the figures of this call to a machine's file, replacing figures of the same names, and writes its page.
    peer: the other program, its version and its instruction set."""
    notes, lines = {}, {}
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.startswith("# "):
            notes.setdefault(line[2:].split(":")[0], line)
        elif read(line) is not None:
            lines[line.split("\t")[0]] = line
    if "machine" not in notes:
        notes["machine"] = f"# machine: {processor()}"
    script = Path(sys.argv[0]).name
    call = shlex.join("PATH" if os.path.isabs(word) else word for word in sys.argv[1:])  # where a program lies says nothing elsewhere
    notes[script] = f"# {script}: `bench/{script} {call}`, {program.version()}" + (f"; {peer}" if peer else "")
    lines.update({line.split("\t")[0]: line for line in printed if read(line) is not None})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*notes.values(), *lines.values()]) + "\n")
    path.with_suffix(".md").write_text(page(path))


def processor():
    names = {line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")}
    return ", ".join(sorted(names)) or "a processor without a name"


def page(path):
    """The page of a machine's figures: a row per figure, a column per instruction set; in brackets, the speed relative to the peer."""
    notes, value = [], {}
    for line in path.read_text().splitlines():
        if line.startswith("# "):
            notes.append(line[2:])
        elif (found := read(line)) is not None:
            value[found[0]] = found[1]
    title = next((n.split(": ", 1)[1] for n in notes if n.startswith("machine: ")), path.stem)
    sets = [isa for isa in SETS if any(prefix(isa) + name in value for name, *_ in ROWS)]
    text = [f"# {title}", "", f"<!-- Made by bench/figures.py from {path.name}, which has all figures; change neither by hand. -->", "",
            "In brackets: how many times as fast as the peer in the same session, LAMMPS for clusters and GROMACS for boxes.", "",
            f"| | {' | '.join(SETS[isa] for isa in sets)} | peer | unit |", "| --- " * (len(sets) + 3) + "|"]
    for name, what, scale, unit in ROWS:
        if not any(prefix(isa) + name in value for isa in sets):
            continue
        peer = next((value[p] / scale for p in (f"peer.lammps.{name}", f"peer.gromacs.{name}", f"peer.lammps.{name.replace('ladders', 'ladder')}") if p in value), None)
        text.append(f"| {what} | {' | '.join(cell(value, prefix(isa), name, scale) for isa in sets)} | {number(peer)} | {unit} |")
    text += ["", "Measured by:", ""] + [f"- {n.split(': ', 1)[1]}" for n in notes if not n.startswith(("machine: ", "note: "))]
    text += [""] + [n.split(": ", 1)[1] for n in notes if n.startswith("note: ")] if any(n.startswith("note: ") for n in notes) else []
    return "\n".join(text) + "\n"


def number(x):
    return "" if x is None else f"{x:,.0f}" if x >= 1000 else f"{x:.3g}"


def cell(value, before, name, scale):
    if before + name not in value:
        return ""
    ratio = value.get(f"{before}ratio.{name}")
    return number(value[before + name] / scale) + (f" ({ratio:.2g})" if ratio is not None else "")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).with_suffix(".md").write_text(page(Path(name)))
