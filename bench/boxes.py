"""Boxes of molecules that GROMACS makes, for the comparisons beside this file: their topologies and starts."""
import math
import shutil
import subprocess
from pathlib import Path

import gromacs

DIPEPTIDE = Path(__file__).resolve().parent.parent / "examples" / "alanine-dipeptide" / "ace-ala-nme.pdb"
MIX = '#include "oplsaa.ff/forcefield.itp"\n{itps}[ system ]\nmixture\n[ molecules ]\n'
# Atoms by internal coordinates: name, the atoms that distance, angle and torsion are to (by number, from 0), A and degrees.
METHANOL = [("C", (), ()), ("H", (0,), (1.09,)), ("H", (0, 1), (1.09, 107.8)), ("H", (0, 1, 2), (1.09, 107.8, 118)),
            ("OA", (0, 1, 2), (1.41, 109.5, -120)), ("HO", (4, 0, 1), (0.945, 108.5, 60))]
ETHANOL = [("C", (), ()), ("H", (0,), (1.09,)), ("H", (0, 1), (1.09, 107.8)), ("H", (0, 1, 2), (1.09, 107.8, 118)),
           ("CB", (0, 1, 2), (1.529, 110.7, -120)), ("H", (4, 0, 1), (1.09, 110.7, 60)), ("H", (4, 0, 1), (1.09, 110.7, -60)),
           ("OA", (4, 0, 1), (1.41, 109.5, 180)), ("HO", (7, 4, 0), (0.945, 108.5, 180))]


def alanines(n):
    """Acetyl, n alanines and N-methylamide without hydrogens, all torsions those of beta strands; residue of each atom beside it."""
    rows, of = [("CH3", (), ()), ("C", (0,), (1.522,)), ("O", (1, 0), (1.229, 120.4))], ["ACE 1"] * 3
    before, carbonyl, psi = 0, 1, 180.0
    for residue in range(2, n + 2):
        at = len(rows)
        towards = 2 if residue == 2 else before - 1  # the atom that psi turns about
        rows += [("N", (carbonyl, before, towards), (1.335, 116.6, psi)), ("CA", (at, carbonyl, before), (1.449, 121.9, 180)),
                 ("C", (at + 1, at, carbonyl), (1.522, 110.0, -139)), ("O", (at + 2, at + 1, at), (1.229, 120.4, -45)),
                 ("CB", (at + 1, at, at + 2), (1.526, 109.5, -122))]
        of += [f"ALA {residue}"] * 5
        before, carbonyl, psi = at + 1, at + 2, 135.0
    rows += [("N", (carbonyl, before, before - 1), (1.335, 116.6, psi)), ("CH3", (len(rows), carbonyl, before), (1.449, 121.9, 180))]
    return rows, of + [f"NME {n + 2}"] * 2


def placed(rows):
    """Cartesian coordinates, A, of atoms given by internal ones."""
    found = []
    for _, to, numbers in rows:
        if not to:
            found.append((0.0, 0.0, 0.0))
            continue
        a = found[to[0]]
        r, bend = numbers[0], math.radians(numbers[1]) if len(to) > 1 else math.pi / 2
        turn = math.radians(numbers[2]) if len(to) > 2 else 0.0
        b = found[to[1]] if len(to) > 1 else tuple(map(sum, zip(a, (0, 1, 0))))
        c = found[to[2]] if len(to) > 2 else tuple(map(sum, zip(b, (0, 0.3, 1))))
        u = unit(minus(b, a))
        normal = unit(cross(minus(c, b), u))
        inside = cross(u, normal)
        found.append(tuple(a[d] + r * (math.cos(bend) * u[d] + math.sin(bend) * (math.cos(turn) * inside[d] + math.sin(turn) * normal[d]))
                           for d in range(3)))
    return found


def minus(a, b):
    return tuple(p - q for p, q in zip(a, b))


def cross(a, b):
    return tuple(a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3] for d in range(3))


def unit(a):
    length = math.sqrt(sum(v * v for v in a))
    return tuple(v / length for v in a)


def write_pdb(path, rows, of):
    text = "".join(f"ATOM  {i + 1:5d} {row[0]:^4s} {residue.split()[0]} A{residue.split()[1]:>4s}    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00\n"
                   for i, (row, residue, (x, y, z)) in enumerate(zip(rows, of, placed(rows))))
    path.write_text(text + "TER\nEND\n", encoding="ascii")


def peptide(gmx, folder, pdb, side):
    """A peptide of a PDB file in a cubic box of water, AMBER99SB-ILDN."""
    gmx.call(folder, "pdb2gmx", "-f", str(pdb), "-ff", "amber99sb-ildn", "-water", "tip3p", "-ignh")
    gmx.call(folder, "editconf", "-f", "conf.gro", "-o", "boxed.gro", "-box", *[str(side)] * 3)
    gmx.call(folder, "solvate", "-cp", "boxed.gro", "-cs", "spc216", "-p", "topol.top", "-o", "box.gro")


def dipeptide(gmx, folder, side=4.0):
    peptide(gmx, folder, DIPEPTIDE, side)


def decapeptide(gmx, folder):
    write_pdb(folder / "peptide.pdb", *alanines(10))
    peptide(gmx, folder, "peptide.pdb", 5.0)


def mixture(gmx, folder, itps, name, rows, n, side, waters=0):
    """n molecules of one kind at random, and water between them."""
    write_pdb(folder / "one.pdb", rows, [f"{name} 1"] * len(rows))
    (folder / "topol.top").write_text(MIX.format(itps="".join(f'#include "oplsaa.ff/{itp}"\n' for itp in itps)) + f"{name} {n}\n")
    out = "alone.gro" if waters else "box.gro"
    gmx.call(folder, "insert-molecules", "-ci", "one.pdb", "-nmol", str(n), "-box", *[str(side)] * 3, "-try", "1000", "-scale", "0.42",
             "-seed", "7", "-o", out)
    atoms = int((folder / out).read_text().splitlines()[1])
    if atoms != n * len(rows):
        raise SystemExit(f"gmx insert-molecules found room for {atoms // len(rows)} of {n} molecules {name}")
    if waters:
        gmx.call(folder, "solvate", "-cp", out, "-cs", "spc216", "-maxsol", str(waters), "-p", "topol.top", "-o", "box.gro")


def methanol(gmx, folder):
    mixture(gmx, folder, ["methanol.itp"], "MET", METHANOL, 1000, 4.1)


def ethanol(gmx, folder, n=300, side=4.1):
    mixture(gmx, folder, ["ethanol.itp", "tip3p.itp"], "ETH", ETHANOL, n, side, 4 * n)


def water(gmx, folder):
    gmx.fill(folder, "tip3p", 5.0)


def imported(program, folder, start, out="ours"):
    """What Holonom makes of the folder's topology and a start: a folder of its own, in place of the one before."""
    shutil.rmtree(folder / out, ignore_errors=True)
    done = subprocess.run([program, "import", "topol.top", start, "-o", out], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"holonom import failed:\n{done.stderr[-2000:]}")


def made(gmx, make, folder, program, threads, scale=1.0):
    """The box in a folder, at rest and then at 298.15 K, and what Holonom imports of it."""
    make(gmx, folder)
    gmx.run(folder, "box.gro", gromacs.settings(integrator="steep", steps=max(100, int(500 * scale))), "em", threads)
    short = gromacs.settings(dt=0.001, steps=int(5000 * scale), tau=0.1, constraints="h-bonds")
    gmx.run(folder, "em.gro", short, "start", threads)
    imported(program, folder, "start.gro")
