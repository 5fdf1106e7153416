"""How forces end in boxes, against GROMACS in double precision: a dipeptide, ions and water, imported with the settings that GROMACS runs with
(`holonom import --mdp`). Forces of all atoms agree to 1e-6 of the largest, and energies of pairs to 1e-6 of theirs. Skipped without gmx_d."""

import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
import yaml

from gromacs_points import forces, gmx, pdb2gmx, point, put_gro, sh
from holonom import Simulation, coordinates, importer
from in_folder import InFolder
from tiers import rows

COMMON = """integrator = md
nsteps = 0
verlet-buffer-tolerance = -1
nstlist = 1
continuation = yes
nstenergy = 1
nstcalcenergy = 1
nstfout = 1
rlist = 1.4
"""
MESH = "coulombtype = PME\nrcoulomb = 1.2\ncoulomb-modifier = None\npme-order = 8\nfourierspacing = 0.045\newald-rtol = 1e-9\n"
SETTINGS = {"geometry.constrain": "none", "integrator.timestep": "0.1 fs", "ensemble.threads": 2}
# Field, water, settings, and what they are here.
CASES = (
    ("charmm27", "tip3p", MESH + "vdw-modifier = Force-switch\nrvdw = 1.2\nrvdw_switch = 1.0\n", "12 A, force-switch, 2 A, no tail, pme"),
    ("charmm27", "tip3p", MESH + "vdw-modifier = Potential-switch\nrvdw = 1.2\nrvdw-switch = 0.9\n", "12 A, switch, 3 A, no tail, pme"),
    ("amber99sb-ildn", "tip3p", MESH + "vdw-modifier = None\nrvdw = 1.2\nDispCorr = AllEnerPres\n", "12 A, plain, tail, pme"),
    ("oplsaa", "tip3p", MESH + "rvdw = 1.2\nDispCorr = AllEnerPres\n", "12 A, shift, tail, pme"),
    ("oplsaa", "tip3p", MESH + "vdwtype = Shift\nrvdw = 1.2\nrvdw-switch = 0.9\nDispCorr = AllEnerPres\n", "12 A, force-switch, 3 A, tail, pme"),
    (
        "gromos54a7",
        "spc",
        "coulombtype = Reaction-Field\nrcoulomb = 1.4\nepsilon-rf = 61\nvdw-modifier = None\nrvdw = 1.4\n",
        "14 A, plain, no tail, reaction-field, 61",
    ),
    (
        "amber99sb-ildn",
        "tip3p",
        "coulombtype = reaction_field\nrcoulomb = 1.4\nEpsilon_rf = 0\nvdw-modifier = force-switch\nrvdw = 1.4\nrvdw-switch = 1.2\n",
        "14 A, force-switch, 2 A, no tail, reaction-field",
    ),
    ("oplsaa", "tip3p", "rcoulomb = 1.4\nrvdw = 1.4\n", "14 A, shift, no tail, reaction-field, 1"),
)


def said(forces):
    """The words of a case."""
    rest = dict(forces)
    words = [rest.pop("cutoff"), rest.pop("truncation"), *([rest.pop("switch")] if "switch" in rest else [])]
    return ", ".join([*words, "tail" if rest.pop("tail") else "no tail", *(str(value) for key, value in rest.items() if key != "by")])


class Ends(InFolder):
    def build(self, field, water):
        """The dipeptide in water with two ions of each sort: topol.top, ions.gro."""
        pdb2gmx(field, water)
        Path("w.mdp").write_text(COMMON)
        gmx("editconf -f conf.gro -o box.gro -box 3.3 3.4 3.3 -c")
        gmx("solvate -cp box.gro -cs spc216 -p topol.top -o wet.gro")
        gmx("grompp -f w.mdp -c wet.gro -p topol.top -o w.tpr -maxwarn 9")
        gmx("genion -s w.tpr -p topol.top -o ions.gro -np 2 -nn 2 -pname NA -nname CL -seed 1", "SOL\n")

    def minimum(self):
        """Positions near a minimum, at the accuracy of ordinary runs: all cases of these files are looked at there."""
        with Simulation("m/system.yaml", {"system.minimise": True, **SETTINGS}) as s:
            s.start()
            return np.array(s.positions)

    def ours(self, x):
        """Forces and energies."""
        settings = {"system.minimise": False, "precision": "double", **SETTINGS}
        if yaml.safe_load(Path("m/system.yaml").read_text())["forces"]["coulomb"] == "pme":
            settings |= {"forces.accuracy": 1e-6, "forces.by": "atom"}
        with Simulation("m/system.yaml", settings) as s:
            s.positions = x
            return np.array(s.forces[0]), {name: float(value[0]) for name, value in s.look().items()}

    def theirs(self, settings, x):
        frame = coordinates.read("ions.gro")
        put_gro(Path("e.gro"), frame.names, frame.residues, x, (33, 34, 33))
        energy = point("topol.top", "e.gro", COMMON + settings)
        return forces(), energy

    def test_forces_and_energies(self):
        x = {}
        for field, water, settings, words in rows(CASES, 2):
            with self.subTest(field=field, words=words):
                os.chdir(self.folder)
                folder = self.folder / f"{field}-{water}"
                if not folder.exists():
                    folder.mkdir()
                    os.chdir(folder)
                    self.build(field, water)
                os.chdir(folder)
                sh("rm -rf m")
                Path("case.mdp").write_text(COMMON + settings)
                importer.bring(["topol.top", "ions.gro"], "m", settings_of="case.mdp")
                self.assertEqual(said(yaml.safe_load(Path("m/system.yaml").read_text())["forces"]), words)
                if folder not in x:
                    x[folder] = self.minimum()
                force, energy = self.ours(x[folder])
                there, theirs = self.theirs(settings, x[folder][0])
                largest = np.abs(there).max()
                self.assertGreater(largest, 10.0)
                self.assertLess(np.abs(force - there).max(), 1e-6 * largest)
                charges = sum(energy[name] for name in ("real", "reciprocal", "self", "intramolecular"))
                self.assertAlmostEqual(energy["lj"] / theirs["LJ (SR)"], 1.0, delta=1e-6)
                self.assertAlmostEqual(charges / (theirs["Coulomb (SR)"] + theirs.get("Coul. recip.", 0.0)), 1.0, delta=1e-6)
                # GROMACS leaves pairs of one molecule that do not see each other out of its mean
                self.assertAlmostEqual(energy["lj_tail"], theirs.get("Disper. corr.", 0.0), delta=2e-3 * abs(energy["lj_tail"]))


if __name__ == "__main__":
    unittest.main()
