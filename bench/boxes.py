"""Boxes built by GROMACS for the comparisons in this folder: topologies and starts."""
import math
from functools import partial
from pathlib import Path

import gromacs

DIPEPTIDE = Path(__file__).resolve().parent.parent / "examples" / "alanine-dipeptide" / "ace-ala-nme.pdb"
# Model, topology, and the solvent of `gmx solvate`. Topologies come from GROMACS's distribution, or from four_sites of O-H, H-O-H,
# O-M (nm, degrees), sigma, epsilon (nm, kJ/mol) and the charge of H, as published (Abascal and Vega 2005; Izadi, Anandakrishnan and
# Onufriev 2014).
WATERS = {
    "tip3p": ("tip3p.itp", "spc216"),
    "spce": ("spce.itp", "spc216"),
    "tip4p": ("tip4p.itp", "tip4p"),
    "tip4p2005": ((0.09572, 104.52, 0.01546, 0.31589, 93.2 * 0.00831446262, 0.5564), "tip4p"),
    "opc": ((0.087243313, 103.598930, 0.015939833, 0.2 * 1.777167268 / 2 ** (1 / 6), 4.184 * 0.2128008130, 0.679142), "tip4p"),
}

FOUR_SITES = """[ defaults ]
1 2 no 1.0 1.0
[ atomtypes ]
OW 8 15.9994 0.0 A {sigma:.12g} {epsilon:.12g}
HW 1 1.008 0.0 A 0.0 0.0
MW 0 0.0 0.0 D 0.0 0.0
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW 1 0.0 15.9994
2 HW 1 SOL HW1 1 {charge} 1.008
3 HW 1 SOL HW2 1 {charge} 1.008
4 MW 1 SOL MW 1 {negative:.12g} 0.0
[ settles ]
1 1 {d_oh} {d_hh:.12g}
[ virtual_sites3 ]
4 1 2 3 1 {share:.12g} {share:.12g}
[ exclusions ]
1 2 3 4
2 1 3 4
3 1 2 4
4 1 2 3
"""

# Atoms by internal coordinates: name, reference atoms of distance, angle and torsion (numbered from 0), A and degrees.
METHANOL = [("C", (), ()), ("H", (0,), (1.09,)), ("H", (0, 1), (1.09, 107.8)), ("H", (0, 1, 2), (1.09, 107.8, 118)),
            ("OA", (0, 1, 2), (1.41, 109.5, -120)), ("HO", (4, 0, 1), (0.945, 108.5, 60))]
ETHANOL = [("C", (), ()), ("H", (0,), (1.09,)), ("H", (0, 1), (1.09, 107.8)), ("H", (0, 1, 2), (1.09, 107.8, 118)),
           ("CB", (0, 1, 2), (1.529, 110.7, -120)), ("H", (4, 0, 1), (1.09, 110.7, 60)), ("H", (4, 0, 1), (1.09, 110.7, -60)),
           ("OA", (4, 0, 1), (1.41, 109.5, 180)), ("HO", (7, 4, 0), (0.945, 108.5, 180))]


def alanines(n):
    """Acetyl, n alanines and N-methylamide without hydrogens, all torsions as in beta strands; each atom with its residue."""
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
    """Cartesian coordinates, A, from internal coordinates."""
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


def four_sites(d_oh, angle, d_om, sigma, epsilon, charge):
    """The topology of a water with its negative charge on the bisector."""
    half = math.radians(angle / 2)
    return FOUR_SITES.format(d_oh=d_oh, d_hh=2 * d_oh * math.sin(half), share=d_om / (2 * d_oh * math.cos(half)), sigma=sigma,
                             epsilon=epsilon, charge=charge, negative=-2 * charge)


def oplsaa(*files):
    """The first lines of a topology of the force field."""
    return "".join(f'#include "oplsaa.ff/{name}"\n' for name in ("forcefield.itp", *files))


def write_topology(folder, text, molecules=""):
    """`solvate` adds the water."""
    (folder / "topol.top").write_text(f"{text}[ system ]\nbox\n[ molecules ]\n{molecules}", encoding="ascii")


# --- functions that make a box in a folder, box.gro and topol.top; sides in nm


def water(gmx, folder, model="tip3p", side=5.0):
    """A box of water alone."""
    topology, solvent = WATERS[model]
    write_topology(folder, oplsaa(topology) if isinstance(topology, str) else four_sites(*topology))
    gmx.call(folder, "solvate", "-cs", solvent, "-box", side, side, side, "-p", "topol.top", "-o", "box.gro")


def peptide(gmx, folder, pdb, side):
    """A peptide of a PDB file in water, AMBER99SB-ILDN."""
    gmx.call(folder, "pdb2gmx", "-f", pdb, "-ff", "amber99sb-ildn", "-water", "tip3p", "-ignh")
    gmx.call(folder, "editconf", "-f", "conf.gro", "-o", "boxed.gro", "-box", side, side, side)
    gmx.call(folder, "solvate", "-cp", "boxed.gro", "-cs", "spc216", "-p", "topol.top", "-o", "box.gro")


def decapeptide(gmx, folder):
    write_pdb(folder / "peptide.pdb", *alanines(10))
    peptide(gmx, folder, "peptide.pdb", 5.0)


def mixture(gmx, folder, files, name, rows, n, side, waters=0):
    """n molecules of one type at random places, with this many waters for each."""
    write_pdb(folder / "one.pdb", rows, [f"{name} 1"] * len(rows))
    write_topology(folder, oplsaa(*files), f"{name} {n}\n")
    out = "alone.gro" if waters else "box.gro"
    gmx.call(folder, "insert-molecules", "-ci", "one.pdb", "-nmol", n, "-box", side, side, side, "-try", "1000", "-scale", "0.42", "-seed", "7", "-o", out)
    atoms = int((folder / out).read_text().splitlines()[1])
    if atoms != n * len(rows):
        raise SystemExit(f"gmx insert-molecules found room for {atoms // len(rows)} of {n} molecules {name}")
    if waters:
        gmx.call(folder, "solvate", "-cp", out, "-cs", "spc216", "-maxsol", waters * n, "-p", "topol.top", "-o", "box.gro")


dipeptide = partial(peptide, pdb=DIPEPTIDE, side=4.0)
methanol = partial(mixture, files=["methanol.itp"], name="MET", rows=METHANOL, n=1000, side=4.1)
ethanol = partial(mixture, files=["ethanol.itp", "tip3p.itp"], name="ETH", rows=ETHANOL, n=300, side=4.1, waters=4)


# --- preparing such a box


def minimised(gmx, make, folder, threads):
    """Minimises: em.gro."""
    make(gmx, folder)
    gmx.run(folder, "box.gro", gromacs.settings(integrator="steep", steps=500), "em", threads)


def warmed(gmx, make, folder, threads, steps=5000):
    """Runs this many steps of 1 fs at 298.15 K: start.gro."""
    minimised(gmx, make, folder, threads)
    gmx.run(folder, "em.gro", gromacs.settings(dt=0.001, steps=steps, tau=0.1, constraints="h-bonds"), "start", threads)


def waters(folder):
    """The number of molecules in the topology."""
    return int((folder / "topol.top").read_text().split()[-1])


def check(names, there, what="box"):
    """Exits with a message if a name is not in the list."""
    unknown = [name for name in names if name not in there]
    if unknown:
        raise SystemExit(f"no {what} {', '.join(unknown)}: there are {', '.join(there)}")
