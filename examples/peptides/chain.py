"""Prints a chain of alanines between acetyl and N-methyl, ACE-ALAn-NME, as a PDB file without hydrogens.

    python3 chain.py N PHI PSI > chain.pdb

All residues have the torsions PHI and PSI in degrees (a helix: -60 -45); peptide bonds are trans. `gmx pdb2gmx -ignh` adds the hydrogens."""

import sys

import numpy as np


def follow(a, b, c, length, angle, torsion):
    """The atom bonded to c, with its angle at c and its torsion about the bond b-c."""
    angle, torsion = np.radians(angle), np.radians(torsion)
    along = (c - b) / np.linalg.norm(c - b)
    normal = np.cross(b - a, along)
    normal /= np.linalg.norm(normal)
    return c + length * (-np.cos(angle) * along + np.sin(angle) * (np.cos(torsion) * np.cross(normal, along) + np.sin(torsion) * normal))


def chain(n, phi, psi):
    ch3, c = np.zeros(3), np.array([1.52, 0.0, 0.0])
    o = follow(np.array([0.0, 1.0, 0.0]), ch3, c, 1.23, 120.5, 90.0)
    before = (ch3, c, follow(o, ch3, c, 1.335, 116.6, 180.0))
    yield from (("CH3", "ACE", ch3), ("C", "ACE", c), ("O", "ACE", o))
    for _ in range(n):
        ca = follow(*before, 1.449, 121.9, 180.0)
        c = follow(*before[1:], ca, 1.522, 110.0, phi)
        beta = follow(*before[1:], ca, 1.526, 109.5, phi - 122.0)
        o = follow(before[2], ca, c, 1.229, 120.5, psi + 180.0)
        yield from (("N", "ALA", before[2]), ("CA", "ALA", ca), ("CB", "ALA", beta), ("C", "ALA", c), ("O", "ALA", o))
        before = (ca, c, follow(before[2], ca, c, 1.335, 116.6, psi))
    yield from (("N", "NME", before[2]), ("CH3", "NME", follow(*before, 1.449, 121.9, 180.0)))


residue, last = 0, ""
for number, (name, kind, x) in enumerate(chain(int(sys.argv[1]), *map(float, sys.argv[2:4])), 1):
    residue += name == "N" or last == ""
    last = name
    print(f"ATOM  {number:5d}  {name:<3} {kind} A{residue:4d}    {x[0]:8.3f}{x[1]:8.3f}{x[2]:8.3f}  1.00  0.00           {name[0]}")
print("END")
