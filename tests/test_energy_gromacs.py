"""The whole way from a topology of GROMACS's data to `holonom energy`, against gmx_d: energies by term and forces of every force field, in
open space and in boxes with water and ions, to 1e-6 of each term and of the largest force. Skipped without gmx_d."""

import os
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
try:
    import import_energies
    import numpy as np
    import yaml
except ImportError as error:
    sys.exit(77 if print(f"skipped: {error}") is None else 1)
if shutil.which("gmx_d") is None:
    sys.exit(77 if print("skipped: no gmx_d") is None else 1)

from gromacs_points import FIELDS, OPEN, POINT, forces, gmx, pdb2gmx, point, put_gro, put_tables, sh
from holonom import coordinates, gromacs
from in_folder import InFolder
from tiers import rows

PROGRAM = os.environ["HOLONOM_PROGRAM"]
# Sums of GROMACS's terms that are sums of ours.
SAME = (
    (("Bond", "Harmonic Pot.", "G96Bond", "Tab. Bonds", "Tab. Bonds NC"), ("bond",)),
    (("Angle", "U-B", "G96Angle", "Tab. Angles"), ("angle", "urey_bradley")),
    (("Proper Dih.", "Ryckaert-Bell.", "Tab. Dih."), ("torsion",)),
    (("Improper Dih.", "Per. Imp. Dih."), ("improper",)),
    (("CMAP Dih.",), ("cmap",)),
    (("Position Rest.", "Flat-b. P-R."), ("restraint",)),
    (("LJ-14",), ("lj_14",)),
    (("Coulomb-14",), ("coulomb_14",)),
    (("LJ (SR)",), ("lj",)),
    (("Coulomb (SR)", "Coul. recip."), ("coulomb", "real", "real_tail", "reciprocal", "self", "intramolecular")),
)
# A converged mesh; Lennard-Jones that is cut at 8 A. Lists without any buffer miss pairs of molecules that a face of the box cuts.
BOX = f"""{POINT}rlist = 1.0
rcoulomb = 0.8
rvdw = 0.8
coulombtype = PME
pme-order = 12
fourierspacing = 0.06
ewald-rtol = 1e-10
"""
OURS = "--set geometry.constrain=none"
BOXED = f"{OURS} --set precision=double --set forces.cutoff=8 --set forces.truncation=plain --set forces.by=atom --set forces.coulomb=pme --set forces.accuracy=2e-6"
STEEP = "integrator = steep\nemtol = 10\nemstep = 0.002\nconstraints = none\ncutoff-scheme = Verlet\nrlist = 0.8\nrcoulomb = 0.8\nrvdw = 0.8\n"


def relax(gro, steps, to):
    """Steps downhill, so that no force is enormous."""
    Path("s.mdp").write_text(f"{STEEP}nsteps = {steps}\n")
    gmx(f"grompp -f s.mdp -c {gro} -p topol.top -o s.tpr -maxwarn 9")
    gmx(f"mdrun -s s.tpr -ntmpi 1 -ntomp 1 -pin off -deffnm s -c {to}")


def write_top(field, includes, molecules):
    parts = "".join(f'#include "{field}.ff/{part}.itp"\n' for part in ("forcefield", *includes))
    rows = "".join(f"{name} {count}\n" for name, count in molecules)
    Path("topol.top").write_text(f"{parts}[ system ]\nx\n[ molecules ]\n{rows}")


def small(field, molecule, name, count, edge):
    """many.gro and topol.top: so many molecules of GROMACS's data in a box."""
    write_top(field, [molecule], [(name, 1)])
    atoms = [atom for *_, atom in gromacs.read("topol.top", {}).atoms()]
    x = 15 + 1.5 * np.stack(np.unravel_index(np.arange(len(atoms)), (3, 3, 3)), 1) + np.random.default_rng(5).normal(0.0, 0.2, (len(atoms), 3))
    put_gro(Path("one.gro"), [a.name for a in atoms], [a.residue for a in atoms], x, (40, 40, 40))
    relax("one.gro", 300, "relaxed.gro")
    gmx(f"insert-molecules -ci relaxed.gro -nmol {count} -box {edge} -seed 7 -try 1000 -o many.gro")
    assert int(Path("many.gro").read_text().split("\n")[1]) == count * len(atoms)


def tails(rc, volume):
    """Lennard-Jones beyond rc, kcal/mol, where all is uniform there: in the mean over all pairs of atoms, an atom and itself among them,
    and as GROMACS has it, over those that are not excluded."""
    file = yaml.safe_load(Path("d/molecules.yaml").read_text())
    special = {frozenset(row[:2]): import_energies.six_twelve(row[2] if len(row) == 3 else row[2:]) for row in file.get("pairs", [])}
    pair = lambda a, b: np.array(special.get(frozenset((a, b)), None) or import_energies.mix(file["rule"], file["types"][a], file["types"][b]))
    number, hidden, nhidden = {}, np.zeros(2), 0
    for name, count in file["system"]:
        kind = [row[1] for row in file["molecules"][name]["atoms"]]
        for k in kind:
            number[k] = number.get(k, 0) + count
        pairs = import_energies.excluded(file["molecules"][name])
        hidden = hidden + count * sum((pair(kind[i], kind[j]) for i, j in pairs), np.zeros(2))
        nhidden += count * len(pairs)
    every = sum(number[a] * number[b] * pair(a, b) for a in number for b in number)
    n = sum(number.values())
    apart = n * n * (0.5 * (every - sum(number[a] * pair(a, a) for a in number)) - hidden) / (0.5 * n * (n - 1) - nhidden)
    return (2 * np.pi / volume * (c12 / (9 * rc**9) - c6 / (3 * rc**3)) for c12, c6 in (every, apart))


class Energy(InFolder):
    def bring(self, options=""):
        shutil.rmtree("d", ignore_errors=True)
        sh(f"{PROGRAM} import topol.top e.gro -o d {options}")

    def ours(self, options):
        """Energies of d/system.yaml by term, and forces."""
        said = sh(f"{PROGRAM} energy d/system.yaml --forces forces.xyz --force {options}")
        rows = [row.split() for row in Path("forces.xyz").read_text().split("\n")[2:] if row]
        return {name: float(value) for name, value in (row.split() for row in said.strip().split("\n"))}, np.array([row[4:7] for row in rows], float)

    def same(self, here, there, what):
        self.assertLessEqual(abs(here - there), 1e-6 * abs(there), f"{what}: {here}, and GROMACS has {there}")

    def compare(self, settings, options, least=1, more="", how=""):
        theirs = point("topol.top", "e.gro", settings, more, how)
        there = forces()
        ours, here = self.ours(options)
        there = there[self.massive(len(there))]
        most = np.abs(there).max()
        self.assertLess(np.abs(here - there).max(), 1e-6 * most)
        self.assertGreaterEqual(sum(value != 0.0 for value in ours.values()), least)
        told = {name for names, _ in SAME for name in names} | {"Disper. corr."}
        self.assertLessEqual(
            {name for name in theirs if name not in told and theirs[name] != 0.0},
            {"Potential", "Pres. DC", "Pressure", "Constr. rmsd", "Kinetic En.", "Temperature"},
        )
        for names, keys in SAME:
            a, b = (sum(side.get(name, 0.0) for name in of) for side, of in ((ours, keys), (theirs, names)))
            self.same(a, b, keys)
        return ours, theirs

    @staticmethod
    def massive(n):
        mass = [atom.mass for *_, atom in gromacs.read("topol.top", {}).atoms()]
        assert len(mass) == n
        return np.array(mass) > 0.0

    def test_dipeptides_in_open_space(self):
        for field in rows(FIELDS, 3):
            with self.subTest(field=field):
                pdb2gmx(field, "spc")
                frame = coordinates.read("conf.gro")
                x = frame.x + np.random.default_rng(3).normal(0.0, 0.08, frame.x.shape) + 50.0
                put_gro(Path("e.gro"), frame.names, frame.residues, x)
                self.bring("--box none")
                self.compare(OPEN, OURS, 8)

    def test_dipeptide_in_water_with_ions(self):
        for field, water in rows((("amber99sb-ildn", "tip3p"), ("gromos54a7", "spc"), ("charmm27", "tip3p")), 1):
            with self.subTest(field=field):
                pdb2gmx(field, water)
                gmx("editconf -f conf.gro -o box.gro -box 2.1 2.2 2.3")
                gmx("solvate -cp box.gro -cs spc216 -p topol.top -o wet.gro")
                Path("i.mdp").write_text(STEEP)
                gmx("grompp -f i.mdp -c wet.gro -p topol.top -o i.tpr -maxwarn 9")
                gmx("genion -s i.tpr -p topol.top -o salt.gro -np 3 -nn 3 -seed 7", "SOL\n")
                relax("salt.gro", 30, "e.gro")
                self.bring("--cutoff 8")
                ours, theirs = self.compare(f"{BOX}DispCorr = no\n", f"{BOXED} --set forces.tail=false", 10)
                self.same(ours["potential"], theirs["Potential"], "potential")
                ours, theirs = self.compare(f"{BOX}DispCorr = AllEnerPres\n", f"{BOXED} --set forces.tail=true --set forces.coulomb=ewald", 11)
                every, apart = tails(8.0, 1000 * 2.1 * 2.2 * 2.3)
                self.same(ours["lj_tail"], every, "lj_tail")
                self.same(theirs["Disper. corr."], apart, "Disper. corr.")
                if field == "charmm27":
                    switch = BOX.replace("vdw-modifier = None", "vdw-modifier = Force-switch\nrvdw-switch = 0.7")
                    self.compare(f"{switch}DispCorr = no\n", f"{BOXED} --set forces.truncation=force-switch --set forces.switch=1", 11)

    def test_hydrogens_as_virtual_sites(self):
        """pdb2gmx leaves their numbers to grompp, and those of the caps' masses to the user; terms that sites make constant stay here."""
        for field, lengths in (("amber99sb-ildn", "MCH3 C 2 0.1664\nMCH3 N 2 0.1563\n"), ("gromos54a7", "")):
            with self.subTest(field=field):
                pdb2gmx(field, "spc", "-vsite hydrogens")
                top = Path("topol.top").read_text()
                include = f'#include "{field}.ff/forcefield.itp"\n'
                self.assertIn(include, top)
                Path("topol.top").write_text(top.replace(include, f"{include}[ constrainttypes ]\n{lengths}" if lengths else include))
                frame = coordinates.read("conf.gro")
                x = frame.x + np.random.default_rng(3).normal(0.0, 0.03, frame.x.shape) + 50.0
                put_gro(Path("e.gro"), frame.names, frame.residues, x)
                self.bring("--box none")
                kinds = {row[1] for row in yaml.safe_load(Path("d/molecules.yaml").read_text())["molecules"]["Protein_chain_A"]["virtual"]}
                self.assertEqual(kinds, {"3", "3fd", "3out", "4fdn"} if lengths else {"3fd", "3fad"})
                self.compare(OPEN, OURS, 8, "-normvsbds", "-rerunvsite")

    def test_position_restraints(self):
        """Of points that are not where the atoms are, in another box: as they are, each at its fractions, and their centre at its."""
        pdb2gmx("amber99sb-ildn", "tip3p")
        k = [(1 + i, 1, *row) for i, row in enumerate(np.random.default_rng(2).uniform(200, 3000, (22, 3)).round(1))]
        k[3:9] = [(4, 2, 1, 0.05, 900), (5, 2, 8, 0.03, 800), (6, 2, 3, 0.02, 700), (7, 2, 5, 0.04, 600), (8, 2, 6, 0.02, 500), (9, 1, 0, 0, 1000)]
        Path("posre.itp").write_text("[ position_restraints ]\n" + "".join(" ".join(map(str, row)) + "\n" for row in k))
        gmx("editconf -f conf.gro -o box.gro -box 2.1 2.2 2.3")
        gmx("solvate -cp box.gro -cs spc216 -p topol.top -o wet.gro")
        relax("wet.gro", 30, "e.gro")
        frame = coordinates.read("e.gro")
        rng = np.random.default_rng(4)
        away = (frame.x + rng.normal(0.0, 0.3, frame.x.shape)) * (1.02, 0.99, 1.01)
        put_gro(Path("ref.gro"), frame.names, frame.residues, away, (21 * 1.02, 22 * 0.99, 23 * 1.01))
        self.bring("--define POSRES")
        for scaling, ours in rows((("com", "centres"), ("no", "none"), ("all", "all")), 1):
            with self.subTest(scaling=scaling):
                text = Path("d/system.yaml").read_text()
                records = len(yaml.safe_load(text)["restraints"])
                points = " ".join(f"--set restraints[{i}].{key}" for i in range(1, records + 1) for key in ("file=../ref.gro", f"scale={ours}"))
                settings = f"{BOX}DispCorr = no\nrefcoord-scaling = {scaling}\ndefine = -DPOSRES\n"
                here, there = self.compare(settings, f"{BOXED} --set forces.tail=false {points}", 10, "-r ref.gro")
                self.assertGreater(here["restraint"], 5.0)
                self.same(here["potential"], there["Potential"], "potential")

    def test_tables(self):
        """Tabulated bonds, angles and dihedral angles of a chain, some by types."""
        atoms = "".join(f"{k} A 1 RES A{k} 1 {q}\n" for k, q in enumerate((0.3, -0.35, 0.1, 0.2, -0.25), 1))
        Path("topol.top").write_text(
            f"[ defaults ]\n1 2 yes 0.5 0.7\n[ atomtypes ]\nA 12.0 0.0 A 0.33 0.4\n[ bondtypes ]\nA A 8 0 300\n[ moleculetype ]\nM 1\n[ atoms ]\n{atoms}"
            "[ bonds ]\n1 2 8 0 400 0 400\n2 3 8\n3 4 1 0.15 20000\n4 5 8 0 500\n1 5 9 0 35\n[ angles ]\n1 2 3 8 1 50\n2 3 4 8 1 -20\n"
            "[ dihedrals ]\n1 2 3 4 8 2 7\n2 3 4 5 8 2 7.5\n[ system ]\nx\n[ molecules ]\nM 2\n"
        )
        chain = np.array([[0, 0, 0], [1.5, 0.2, 0.1], [2.0, 1.6, 0.3], [3.3, 1.7, 1.0], [3.1, 0.3, 1.6]])
        x = np.vstack([chain + 50, chain[:, ::-1] * (1, 1, -1) + (56, 52, 51)])
        put_gro(Path("e.gro"), 2 * [f"A{k}" for k in range(1, 6)], 10 * ["RES"], x)
        how = put_tables()
        self.bring("--box none")
        ours, theirs = self.compare(OPEN, OURS, 5, how=how)
        self.same(ours["potential"], theirs["Potential"], "potential")
        for name in ("Tab. Bonds", "Tab. Bonds NC", "Tab. Angles", "Tab. Dih."):
            self.assertGreater(abs(theirs[name]), 0.01)

    def test_methanol(self):
        small("oplsaa", "methanol", "MET", 80, 2.1)
        write_top("oplsaa", ["methanol"], [("MET", 80)])
        relax("many.gro", 30, "e.gro")
        self.bring()
        self.compare(f"{BOX}DispCorr = no\n", f"{BOXED} --set forces.tail=false", 7)

    def test_ethanol_in_water_of_four_sites(self):
        small("oplsaa", "ethanol", "ETH", 20, 2.1)
        write_top("oplsaa", ["ethanol", "tip4p"], [("ETH", 20)])
        gmx("solvate -cp many.gro -cs tip4p.gro -p topol.top -o wet.gro")
        relax("wet.gro", 30, "s.gro")
        frame = coordinates.read("s.gro")
        own = frame.x[180:].reshape(-1, 4, 3)
        own[:, 1:3] -= 21.0 * np.rint((own[:, 1:3] - own[:, :1]) / 21.0)  # whole, and the sites where they belong to all digits
        own[:, 3] = own[:, 0] + 0.128012065 * (own[:, 1] + own[:, 2] - 2.0 * own[:, 0])
        put_gro(Path("e.gro"), frame.names, frame.residues, np.vstack([frame.x[:180], own.reshape(-1, 3)]), (21, 21, 21))
        self.bring("--cutoff 8")
        self.compare(f"{BOX}DispCorr = no\n", f"{BOXED} --set forces.tail=false", 9)


if __name__ == "__main__":
    unittest.main()
