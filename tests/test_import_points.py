"""Sites without mass in topologies of AMBER (extra points) and CHARMM (lone pairs), imported, against second opinions: AMBER's places by the
frames that its programs write down, all pairs by AMBER's rule for points; CHARMM's by OpenMM, which reads the same files. Energies and forces
of `holonom energy`, forces also as slopes of the energy. Skipped without ParmEd; OpenMM's part without OpenMM."""

import itertools
import os
import re
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
try:
    import import_energies
    import numpy as np
    import parmed
    import yaml
except ImportError as error:
    sys.exit(77 if print(f"skipped: {error}") is None else 1)
try:
    import openmm
    from openmm import app, unit
except ImportError:
    openmm = None

from holonom import InputError, coordinates, extra_points, importer
from in_folder import InFolder
from holonom.molecules import Virtual

warnings.simplefilter("ignore")
PROGRAM = os.environ["HOLONOM_PROGRAM"]
unit_of = lambda v: v / np.linalg.norm(v)


def ours(folder):
    """The energy of the start, kcal/mol, and forces on all atoms, 0 on sites."""
    call = [PROGRAM, "energy", f"{folder}/system.yaml", "--set", "geometry.constrain=none", "--set", "system.minimise=no", "--forces", "f.xyz"]
    found = subprocess.run(call, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    energy = float(re.search(r"(?m)^potential[^\n]*?(-?\d[\d.e+-]*)", found.stdout)[1])
    return energy, np.array([row.split()[-3:] for row in Path("f.xyz").read_text().split("\n")[2:] if row], float)


# --- AMBER --------------------------------------------------------------------------------------------------------------

# O=C(N)-CM-S-CK(Cl)-OE-H, as name, type, mass, and the points on it. Hydrogens that do not matter are left out.
ATOMS = [
    ("O", "O", 16.0, 2),
    ("C", "C", 12.0, 0),
    ("N", "N", 14.0, 1),
    ("CM", "CT", 12.0, 0),
    ("S", "S", 32.0, 2),
    ("CK", "CM", 12.0, 0),
    ("OE", "OH", 16.0, 2),
    ("H", "HO", 1.008, 0),
    ("CL", "Cl", 35.5, 1),
    ("OF", "OS", 16.0, 1),
    ("CF", "CT", 12.0, 0),
]
BONDS = [(0, 1), (1, 2), (1, 3), (3, 4), (4, 5), (5, 6), (6, 7), (5, 8), (3, 9), (9, 10)]
PLACES = [
    (0, 1.2, 0),
    (0, 0, 0),
    (-1.2, -0.7, 0.1),
    (1.3, -0.8, -0.1),
    (1.4, -2.5, 0.3),
    (3.0, -2.9, 0.9),
    (3.2, -4.1, 1.5),
    (2.4, -4.6, 1.6),
    (4.3, -1.8, 0.7),
    (2.4, -0.1, -0.7),
    (2.6, 1.2, -0.2),
]
AWAY = {"O": 0.5, "N": 0.3, "S": 0.7, "OE": 0.35, "CL": 1.3, "OF": 0.4}


class Extra(InFolder):
    def molecule(self, scale=lambda structure: None):
        """A prmtop and its restart file; the structure."""
        made, rng = parmed.Structure(), np.random.default_rng(4)
        points = [(host, k) for host, row in enumerate(ATOMS) for k in range(row[3])]
        charges = np.round(rng.normal(0.0, 0.3, len(ATOMS) + len(points)), 3)
        charges[0] -= charges.sum()
        for n, (name, type_, mass, _) in enumerate(ATOMS):
            self.add(made, name, type_, mass, charges[n], 0.1 if mass > 2 else 0.0, {1.0: 1, 12.0: 6, 14.0: 7, 16.0: 8, 32.0: 16, 35.5: 17}[round(mass, 1) if mass > 2 else 1.0])
        for n, (host, k) in enumerate(points):
            self.add(made, f"E{n}", "EP", 0.0, charges[len(ATOMS) + n], 0.0, 0)
        bonded = BONDS + [(host, len(ATOMS) + n) for n, (host, _) in enumerate(points)]
        kinds = {}
        for i, j in bonded:
            length = AWAY[ATOMS[i][0]] if j >= len(ATOMS) else round(float(np.linalg.norm(np.subtract(PLACES[i], PLACES[j]))), 3)
            kind = kinds.setdefault(length, parmed.BondType(300.0, length))
            made.bonds.append(parmed.Bond(made.atoms[i], made.atoms[j], type=kind))
        angle, torsion = parmed.AngleType(50.0, 110.0), parmed.DihedralType(0.7, 3, 30.0, scee=1.2, scnb=2.0)
        near = [[b for a, b in bonded + [(b, a) for a, b in bonded] if a == i] for i in range(len(made.atoms))]
        for i, around in enumerate(near):
            for a, b in itertools.combinations(around, 2):
                made.angles.append(parmed.Angle(made.atoms[a], made.atoms[i], made.atoms[b], type=angle))
        for i, j in bonded:
            for a, b in itertools.product(near[i], near[j]):
                if a != j and b != i:
                    made.dihedrals.append(parmed.Dihedral(made.atoms[a], made.atoms[i], made.atoms[j], made.atoms[b], type=torsion))
        for types, found in ((made.bond_types, kinds.values()), (made.angle_types, [angle]), (made.dihedral_types, [torsion])):
            for kind in found:
                types.append(kind)
                kind.list = types
        x = np.zeros((len(made.atoms), 3))
        x[: len(ATOMS)] = PLACES + rng.normal(0.0, 0.08, (len(ATOMS), 3))
        x[len(ATOMS) :] = [x[host] + 0.1 * k for host, k in points]
        made.coordinates = np.round(x, 4)
        scale(made)
        parm = parmed.amber.AmberParm.from_structure(made)
        parm.save("m.prmtop", overwrite=True)
        parm.save("m.rst7", overwrite=True)
        return made, points

    def add(self, made, name, type_, mass, charge, epsilon, element):
        atom = (parmed.Atom if element else parmed.ExtraPoint)(name=name, type=type_, mass=mass, charge=charge, atomic_number=element)
        known = {a.type: a.atom_type for a in made.atoms}
        atom.atom_type = known.get(type_) or parmed.AtomType(type_, None, mass, element)
        atom.atom_type.set_lj_params(epsilon, 1.7 if epsilon else 0.0)
        made.add_atom(atom, "MOL", 1)

    @staticmethod
    def sites(x, points):
        """As define_frames and do_local_global of AMBER's extra_pts have them."""
        near = lambda i: [b if a == i else a for a, b in BONDS if i in (a, b)]
        tetrahedral = np.radians(54.735)
        found = []
        for host, k in points:
            heavy = [j for j in near(host) if ATOMS[j][2] > 4]
            around = heavy + [j for j in near(host) if ATOMS[j][2] < 4]
            d, n = AWAY[ATOMS[host][0]], ATOMS[host][3]
            if len(around) == 2:
                a, b, c = x[around[0]], x[host], x[around[1]]
                local = [(0, 0, d)] if n == 1 else [(0, s * d * np.sin(tetrahedral), d * np.cos(tetrahedral)) for s in (1, -1)]
                if ATOMS[host][1] == "S":
                    local = [(0, d, 0), (0, -d, 0)]
            else:
                (middle,) = heavy
                first, third = (j for j in near(middle) if j != host)
                a, b, c = (x[first] + x[middle]) / 2, x[host], (x[third] + x[middle]) / 2
                local = [(0, 0, d)] if n == 1 else [(s * d * np.sqrt(0.75), 0, d / 2) for s in (1, -1)]
            u, v = unit_of(a - b), unit_of(c - b)
            z, across = -unit_of(u + v), unit_of(v - u)
            found.append(b + np.array(local[k]) @ [across, np.cross(z, across), z])
        return np.array(found)

    @staticmethod
    def apart(i, j):
        """Bonds between atoms of the molecule, 9 of many."""
        shell = {i}
        for n in range(5):
            if j in shell:
                return n
            shell |= {b for a in shell for p in BONDS for b in p if a in p}
        return 9

    def energy(self, made, points, x):
        """All terms of atoms, all pairs: points see what their hosts see, 1-4 pairs are a share of what they would be."""
        n = len(ATOMS)
        x = np.concatenate([x, self.sites(x, points)])
        host = [*range(n), *(h for h, _ in points)]
        real = lambda term: all(a.idx < n for a in (getattr(term, f"atom{k}", made.atoms[0]) for k in range(1, 5)))
        total = sum(b.type.k * (import_energies.length(x, b.atom1.idx, b.atom2.idx) - b.type.req) ** 2 for b in filter(real, made.bonds))
        for a in filter(real, made.angles):
            total += a.type.k * (import_energies.angle(x, a.atom1.idx, a.atom2.idx, a.atom3.idx) - np.radians(a.type.theteq)) ** 2
        for d in filter(real, made.dihedrals):
            phi = import_energies.dihedral(x, d.atom1.idx, d.atom2.idx, d.atom3.idx, d.atom4.idx)
            total += d.type.phi_k * (1 + np.cos(d.type.per * phi - np.radians(d.type.phase)))
        for i, j in itertools.combinations(range(len(x)), 2):
            near = self.apart(host[i], host[j])
            if near < 3:
                continue
            r = import_energies.length(x, i, j)
            a, b = made.atoms[i], made.atoms[j]
            lj = 0.0
            if a.atom_type.epsilon and b.atom_type.epsilon:
                lj = import_energies.lj((a.atom_type.sigma + b.atom_type.sigma) / 2, np.sqrt(a.atom_type.epsilon * b.atom_type.epsilon), r)
            coulomb = import_energies.COULOMB * a.charge * b.charge / r
            total += lj / (2.0 if near == 3 else 1.0) + coulomb / (1.2 if near == 3 else 1.0)
        return total

    def test_extra_points_of_amber(self):
        made, points = self.molecule()
        importer.bring(["m.prmtop", "m.rst7"], "m")
        file = yaml.safe_load(Path("m/molecules.yaml").read_text())
        (molecule,) = file["molecules"].values()
        n = len(ATOMS)
        x = made.coordinates
        rows = {row[0] - 1: row for row in molecule["virtual"]}
        places = self.sites(x[:n], points)
        for k, want in enumerate(places):
            _, kind, *rest = rows[n + k]
            count = import_energies.PARENTS.get(kind, 3)
            np.testing.assert_allclose(import_energies.place(x, kind, rest[:count], rest[count:]), want, atol=1e-9)
        self.assertEqual({row[1] for row in rows.values()}, {"3bisector", "4bisector"})
        energy, force = ours("m")
        self.assertLess(abs(energy - self.energy(made, points, x[:n])), 3e-6 * abs(energy) + 1e-4)
        for i, d in ((0, 0), (1, 1), (2, 2), (3, 0), (4, 1), (5, 2), (6, 0), (7, 1), (8, 2), (9, 0)):
            ends = []
            for h in (-2e-4, 2e-4):
                moved = x[:n].copy()
                moved[i, d] += h
                ends.append(self.energy(made, points, moved))
            self.assertLess(abs(force[i, d] + (ends[1] - ends[0]) / 4e-4), 2e-5 * np.abs(force).max(), f"atom {i}, {d}")
        run = subprocess.run([PROGRAM, "check", "m/system.yaml"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_points_with_a_mass(self):
        """AMBER's older force fields give them one, which its programs take off."""

        def heavy(made):
            for atom in made.atoms:
                atom.mass = 3.0 if str(atom.type) == "EP" else atom.mass

        self.molecule()
        importer.bring(["m.prmtop", "m.rst7"], "light")
        self.molecule(heavy)
        importer.bring(["m.prmtop", "m.rst7"], "heavy")
        self.assertEqual(*(Path(d, "molecules.yaml").read_text() for d in ("light", "heavy")))

    def test_frames_that_a_prmtop_gives(self):
        """Those of mdgx and pmemd; any point that is not among them is where its bonds say."""
        self.molecule()
        n = len(ATOMS)
        frames = [
            ((n, 1, 2, -1, -1, 4), (0.25, 0, 0), ["2", 1, 2, 0.25]),
            ((n + 1, 1, 2, 3, -1, 5), (-0.1, -0.2, 0), ["3", 1, 2, 3, -0.1, -0.2]),
            ((n + 2, 3, 2, 1, -1, 6), (0.4, 0.3, 0), ["3fd", 3, 2, 1, 0.3, 0.4]),
            ((n + 3, 5, 4, 6, -1, 7), (0.7, np.pi / 3, 0), ["3fad", 5, 4, 6, 60, 0.7]),
            ((n + 4, 5, 4, 6, -1, 8), (-0.1, -0.2, 0.3), ["3out", 5, 4, 6, -0.1, -0.2, 0.3]),
            ((n + 5, 7, 6, -1, -1, 9), (-0.4, 0, 0), ["2fd", 7, 6, -0.4]),
            ((n + 6, 6, 5, 7, 9, 10), (1.1, 0.9, 0.5), ["4fdn", 6, 5, 7, 9, 1.1, 0.9, 0.5]),
        ]

        def made(change=lambda flags, details: None):
            top = parmed.amber.AmberFormat("m.prmtop")
            flags, details = [k + (c == 0) for f, *_ in frames for c, k in enumerate(f)], [v for _, d, _ in frames for v in d]
            change(flags, details)
            top.add_flag("VIRTUAL_SITE_FRAMES", "10I8", data=flags)
            top.add_flag("VIRTUAL_SITE_FRAME_DETAILS", "5E16.8", data=details)
            top.write_parm("f.prmtop")

        made()
        importer.bring(["f.prmtop", "m.rst7"], "f")
        (molecule,) = yaml.safe_load(Path("f/molecules.yaml").read_text())["molecules"].values()
        rows = {row[0]: row[1:] for row in molecule["virtual"]}
        for (site, *_), _, (kind, *want) in frames:
            self.assertEqual(rows[site + 1][0], kind)
            np.testing.assert_allclose(rows[site + 1][1:], want, rtol=1e-6)
        self.assertEqual(rows[n + 8][0], "4bisector")
        for change, says in (
            (lambda f, d: f.__setitem__(5, 11), r"extra points of frame 11 of VIRTUAL_SITE_FRAMES, once"),
            (lambda f, d: f.__setitem__(2, 99), r"f\.prmtop: VIRTUAL_SITE_FRAMES places atom"),
            (lambda f, d: f.__setitem__(2, 1), r"VIRTUAL_SITE_FRAMES places atom"),
            (lambda f, d: f.pop(), r"must have six numbers"),
            (lambda f, d: d.pop(), r"and VIRTUAL_SITE_FRAME_DETAILS three"),
        ):
            made(change)
            with self.assertRaisesRegex(InputError, says):
                importer.bring(["f.prmtop", "m.rst7"], "bad")
            self.assertFalse(os.path.lexists("bad"))

    def test_points_that_amber_has_no_frame_for(self):
        for atom, to, says in (
            (8, 10, r"at the end of a bond whose other atom has not two more heavy neighbours, once"),
            (6, 3, r"on an atom with other than one or two neighbours, 2 times"),
            (8, 4, r"more than two extra points on an atom, 3 times"),
        ):

            def moved(made):
                for bond in made.bonds:
                    if bond.atom1.idx == atom and bond.atom2.idx >= len(ATOMS):
                        bond.atom1 = made.atoms[to]

            with self.subTest(says=says):
                self.molecule(moved)
                with self.assertRaisesRegex(InputError, says):
                    importer.bring(["m.prmtop", "m.rst7"], "bad")
                self.assertFalse(os.path.lexists("bad"))

    def test_a_rigid_triangle(self):
        """A frame on it is a sum of its edges."""
        arm, base = 0.9572, 1.5139
        half = np.arcsin(base / 2 / arm)
        x = np.array([[0.1, 0.2, 0.3], *([0.1 + arm * np.cos(half), 0.2 + s * arm * np.sin(half), 0.3] for s in (1, -1)), [0, 0, 0]])
        for kind in ("3bisector", "3median"):
            for numbers in ((0.0, 0.15, 0.0), (125.0, 0.7, 90.0), (70.0, 0.4, 37.0), (180.0, 0.2, 0.0)):
                row = Virtual(3, kind, (0, 1, 2), numbers)
                found = extra_points.rigid(row, arm, base)
                self.assertIn(found.kind, ("3", "3out"))
                one, other = (import_energies.place(x, r.kind, [1, 2, 3], r.numbers) for r in (row, found))
                np.testing.assert_allclose(one, other, atol=1e-12)


# --- CHARMM -------------------------------------------------------------------------------------------------------------

# Sites on an ethanol-like chain CA-CB(BR)-OC-HD with a second arm CE: name, type, mass, charge, place.
CHAIN = [
    ("CA", "CT3", 12.011, 0.1, (0, 0, 0)),
    ("CB", "CT2", 12.011, 0.05, (1.5, 0, 0.1)),
    ("OC", "OH1", 15.999, -0.5, (2.1, 1.3, 0)),
    ("HD", "H", 1.008, 0.4, (3.0, 1.3, 0.3)),
    ("BR", "BRG", 79.904, -0.2, (2.4, -1.6, 0.6)),
    ("CE", "CT3", 12.011, 0.1, (-0.6, 1.2, 0.7)),
    ("CF", "CT3", 12.011, 0.05, (-2.0, 1.4, 0.2)),
]
TIES = [(0, 1), (1, 2), (2, 3), (1, 4), (0, 5), (5, 6)]
# Number of hosts, values, hosts, and the charge.
PAIRS = [
    (2, (1.89, 0.0, 0.0), (4, 1), 0.05),
    (3, (0.35, 110.9, 96.0), (2, 1, 3), 0.1),
    (3, (0.35, 110.9, 264.0), (2, 1, 3), -0.1),
    (3, (-0.6, 125.0, 40.0), (0, 1, 5), 0.15),
    (3, (-0.4, 0.0, 0.0), (2, 1, 3), -0.2),
    (3, (0.5, 180.0, 0.0), (6, 5, 0), 0.0),
]


class LonePairs(InFolder):
    def write(self, pairs=PAIRS, change=lambda text: text, bonds=False, chain=CHAIN, made=TIES):
        """m.psf, m.rtf, m.prm, m.crd; bonds: also lone pairs with their hosts, without parameters."""
        n, atoms = len(chain), [*chain, *((f"LP{k}", "LPH", 0.0, q, (0, 0, 0)) for k, (*_, q) in enumerate(pairs))]
        ties = made + [(hosts[0], n + k) for k, (_, _, hosts, _) in enumerate(pairs) if bonds and hosts]
        near = [[b for a, b in made + [(b, a) for a, b in made] if a == i] for i in range(n)]
        angles = [(a, i, b) for i in range(n) for a, b in itertools.combinations(near[i], 2)]
        torsions = [(a, i, j, b) for i, j in made for a in near[i] for b in near[j] if len({a, i, j, b}) == 4]

        def table(rows, per):
            flat = [f"{k + 1:10d}" for row in rows for k in row]
            return "\n".join("".join(flat[k : k + per]) for k in range(0, len(flat), per)) + "\n"

        of = [(n + k, *hosts) for k, (_, _, hosts, _) in enumerate(pairs)]
        begin = list(itertools.accumulate((len(row) for row in of), initial=1))
        said = "".join(f"{count:10d}{first:10d}   F{v[0]:14.6f}{v[1]:14.6f}{v[2]:14.6f}\n" for (count, v, _, _), first in zip(pairs, begin))
        text = "PSF EXT XPLOR\n\n         1 !NTITLE\n* lone pairs\n\n"
        text += f"{len(atoms):10d} !NATOM\n"
        for k, (name, type_, mass, charge, _) in enumerate(atoms):
            text += f"{k + 1:10d} {'MOL':8s} {1:<8d} {'MOL':8s} {name:8s} {type_:6s} {charge:10.6f} {mass:13.4f} {0 if mass else -1:11d}\n"
        for title, rows, per in (("NBOND: bonds", ties, 8), ("NTHETA: angles", angles, 9), ("NPHI: dihedrals", torsions, 8), ("NIMPHI: impropers", [], 8)):
            text += f"\n{len(rows):10d} !{title}\n{table(rows, per)}"
        text += "\n         0 !NDON: donors\n\n\n         0 !NACC: acceptors\n\n\n         0 !NNB\n\n"
        text += "".join(f"{0:10d}" for _ in atoms) + "\n\n         1         0 !NGRP NST2\n         0         0         0\n"
        text += f"\n         1 !MOLNT\n{table([[0]] * len(atoms), 8)}\n"
        text += f"{len(pairs):10d}{begin[-1] - 1:10d} !NUMLP NUMLPH\n{said}{table(of, 8)}\n         0 !NCRTERM: cross-terms\n\n"
        Path("m.psf").write_text(change(text))
        types = {row[1]: row[2] for row in atoms}
        Path("m.rtf").write_text("* masses\n*\n36 1\n" + "".join(f"MASS {k} {t} {m} {'BR' if m > 70 else t[0] if m else 'X'}\n" for k, (t, m) in enumerate(types.items(), 1)) + "END\n")
        said = {}
        for kind, rows, numbers in (("BONDS", made, "300.0 1.5"), ("ANGLES", angles, "50.0 110.0"), ("DIHEDRALS", torsions, "0.3 3 20.0")):
            said[kind] = {min(names, names[::-1]): numbers for row in rows for names in [tuple(chain[k][1] for k in row)]}
        text = "* parameters\n*\n" + "".join(f"\n{kind}\n" + "".join(f"{' '.join(names)} {numbers}\n" for names, numbers in rows.items()) for kind, rows in said.items())
        text += "\nNONBONDED nbxmod 5 atom cdiel fshift vatom vdistance vfswitch -\ncutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5\n"
        text += "".join(f"{t} 0.0 {-0.1 if m > 2 else -0.02 if m else 0.0} {1.9 if m > 2 else 0.8 if m else 0.0} 0.0 {-0.05 if m > 2 else 0.0} {1.7 if m > 2 else 0.8 if m else 0.0}\n" for t, m in types.items())
        Path("m.prm").write_text(text + "\nEND\n")
        x = np.array([row[4] for row in atoms], float) + np.random.default_rng(6).normal(0.0, 0.05, (len(atoms), 3))
        crd = "* places\n*\n" + f"{len(atoms):10d}  EXT\n"
        for k, (name, *_) in enumerate(atoms):
            crd += f"{k + 1:10d}{1:10d}  {'MOL':8s}  {name:8s}" + "".join(f"{v:20.10f}" for v in x[k]) + f"  {'MOL':8s}  {'1':8s}{0.0:20.10f}\n"
        Path("m.crd").write_text(crd)
        return np.round(x, 10)

    def bring(self, to):
        importer.bring(["m.psf", "m.rtf", "m.prm", "m.crd"], to, box="none")

    @unittest.skipIf(openmm is None, "no OpenMM")
    def test_energies_and_forces_are_those_of_openmm(self):
        x = self.write()
        self.bring("m")
        psf = app.CharmmPsfFile("m.psf")
        system = psf.createSystem(app.CharmmParameterSet("m.rtf", "m.prm"), nonbondedMethod=app.NoCutoff, constraints=None, rigidWater=False)
        (pairs,) = (force for force in system.getForces() if isinstance(force, openmm.NonbondedForce))
        for (k, (*_, a, _)), (j, (*_, b, _)) in itertools.combinations(enumerate(PAIRS), 2):
            if a[0] == b[0]:  # on one host: CHARMM excludes these, OpenMM with Drude's particles alone
                pairs.addException(len(CHAIN) + k, len(CHAIN) + j, 0.0, 0.1, 0.0)
        context = openmm.Context(system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName("Reference"))
        context.setPositions([openmm.Vec3(*v) * 0.1 for v in x])
        context.computeVirtualSites()
        state = context.getState(getEnergy=True, getForces=True, getPositions=True)
        there = state.getPositions(asNumpy=True).value_in_unit(unit.angstrom)
        (molecule,) = yaml.safe_load(Path("m/molecules.yaml").read_text())["molecules"].values()
        self.assertEqual([row[1] for row in molecule["virtual"]], ["2fd", "3fadd", "3fadd", "3median", "3fd", "2fd"])
        for site, kind, *rest in molecule["virtual"]:
            count = import_energies.PARENTS.get(kind, 3)
            np.testing.assert_allclose(import_energies.place(x, kind, rest[:count], rest[count:]), there[site - 1], atol=1e-6)
        energy, force = ours("m")
        theirs = state.getPotentialEnergy().value_in_unit(unit.kilocalories_per_mole)
        self.assertLess(abs(energy - theirs), 1e-6 * abs(theirs) + 1e-5)
        want = state.getForces(asNumpy=True).value_in_unit(unit.kilocalories_per_mole / unit.angstrom)
        np.testing.assert_allclose(force[: len(CHAIN)], want[: len(CHAIN)], atol=2e-6 * np.abs(want).max())

    def test_a_rigid_water(self):
        """Its bisector is the sum of two edges, as water models have it."""
        water = [("OH2", "OH1", 16.0, 0.0, (0, 0, 0)), ("H1", "H", 1.008, 0.52, (0.96, 0, 0)), ("H2", "H", 1.008, 0.52, (-0.24, 0.93, 0))]
        self.write([(3, (-0.125, 0.0, 0.0), (0, 1, 2), -1.04)], chain=water, made=[(0, 1), (0, 2), (1, 2)])
        Path("m.prm").write_text(Path("m.prm").read_text().replace("H H 300.0 1.5", "H H 0.0 2.4").replace("H OH1 300.0 1.5", "H OH1 300.0 1.6"))
        self.bring("m")
        (molecule,) = yaml.safe_load(Path("m/molecules.yaml").read_text())["molecules"].values()
        ((site, kind, *parents, a, b),) = molecule["virtual"]
        self.assertEqual([site, kind, *parents], [4, "3", 1, 2, 3])
        self.assertAlmostEqual(a, 0.125 / (2 * np.sqrt(1.6**2 - 1.2**2)), places=9)
        self.assertEqual(a, b)
        self.assertEqual(len(molecule["constraints"]), 3)
        self.assertNotIn("terms", molecule)

    def test_bonds_of_lone_pairs_are_nothing(self):
        self.write()
        self.bring("without")
        self.write(bonds=True)
        self.bring("with")
        self.assertEqual(*(Path(d, "molecules.yaml").read_text() for d in ("without", "with")))

    def test_centres_and_shares(self):
        """COLOCATE, COLINEAR with a share, CEN2 and CEN3, of lengths and of masses."""
        pairs = [
            (1, (0, 0, 0), (0,), 0.0),
            (2, (0, -0.3, 0), (0, 1), 0.0),
            (2, (0, 0, 0), (2, 3), 0.0),
            (3, (0, 0, 0), (0, 1, 2), 0.0),
        ]
        for weighted in (False, True):
            self.write(pairs, lambda text: text.replace("   F ", "   T ") if weighted else text)
            self.bring(f"m{weighted}")
            (molecule,) = yaml.safe_load(Path(f"m{weighted}/molecules.yaml").read_text())["molecules"].values()
            a, h = 15.999, 1.008
            half, third = (h / (a + h), [12.011 / (2 * 12.011 + a), a / (2 * 12.011 + a)]) if weighted else (0.5, [1 / 3, 1 / 3])
            rows = [row[1:] for row in molecule["virtual"]]
            self.assertEqual(rows[0], ["2", 1, 2, 0])
            self.assertEqual(rows[1], ["2", 1, 2, 0.3])
            np.testing.assert_allclose(rows[2][1:], [3, 4, half])
            np.testing.assert_allclose(rows[3][1:], [1, 2, 3, *third])

    def test_what_is_refused(self):
        for pairs, change, says in (
            ([(2, (0.5, 0.1, 0), (0, 1), 0.0)] * 2, None, r"at a distance and a share of a bond \(COLINEAR\), 2 times"),
            ([(0, (0, 0, 0), (), 0.0)], None, r"lone pairs that are fixed in space, once"),
            ([(4, (0, 0, 0), (0, 1, 2, 3), 0.0)], None, r"in the centre of more than three atoms, once"),
            (PAIRS, lambda text: re.sub(r"(?s)\d+ +\d+ !NUMLP.*?\n\n", "0 0 !NUMLP NUMLPH\n\n", text), r"sites without mass that no lone pair places, 6 times"),
            (PAIRS, lambda text: re.sub(r"\d+( +\d+ !NUMLP)", r"9\1", text), r"is not 9 lone pairs|its section NUMLP"),
            (PAIRS, lambda text: re.sub(r"(?m)^( +2 +)1(   F)", r"\g<1>98\2", text), r"its section NUMLP NUMLPH must have 6 lone pairs"),
            (PAIRS, lambda text: text.replace("1.890000", "nan"), r"its section NUMLP NUMLPH must have 6 lone pairs"),
            (PAIRS, lambda text: re.sub(r"(?m)^( +8 +)5( +2 )", r"\g<1>95\2", text), r"a lone pair names atom 8; the file has 13 atoms|NUMLP"),
            (PAIRS, lambda text: text.replace("LP0      LPH      0.050000        0.0000", "LP0      LPH      0.050000        2.0000"), r"atom 8 is a lone pair with a mass of 2"),
        ):
            with self.subTest(says=says):
                self.write(pairs, change or (lambda text: text))
                with self.assertRaisesRegex(InputError, says):
                    self.bring("bad")
                self.assertFalse(os.path.lexists("bad"))

    def test_spoilt_files(self):
        self.write()
        text = Path("m.psf").read_text()
        begin, rng = text.index("!NUMLP") - 20, np.random.default_rng(8)
        for k in range(60):
            at = begin + int(rng.integers(len(text) - begin))
            Path("m.psf").write_text(text[:at] + ("" if k % 3 == 0 else "-7" if k % 3 == 1 else "x*7%") + text[at + 2 :])
            try:
                self.bring(f"bad{k}")
            except InputError as error:
                self.assertGreater(len(str(error)), 20)
                self.assertFalse(os.path.lexists(f"bad{k}"))


if __name__ == "__main__":
    unittest.main(warnings="ignore")
