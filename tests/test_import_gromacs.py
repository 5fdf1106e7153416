"""Topologies as `holonom import` reads them, against GROMACS in double precision: energies by term of molecules in open space (a large box,
reaction field with epsilon-rf = 1), to 1e-6 of each. The force fields are those that Debian's gromacs-data brings. Skipped without gmx_d."""

import os
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
try:
    import import_energies
    import numpy as np
except ImportError as error:
    sys.exit(77 if print(f"skipped: {error}") is None else 1)
if shutil.which("gmx_d") is None:
    sys.exit(77 if print("skipped: no gmx_d") is None else 1)

from gromacs_points import FIELDS, OPEN, pdb2gmx, point, put_gro, put_tables, sh
from holonom import InputError, coordinates, gromacs, importer
from in_folder import InFolder
from tiers import rows

# Sums of GROMACS's terms that are sums of ours.
SAME = (
    (("Bond", "Harmonic Pot."), ("bond",)),
    (("Angle", "U-B"), ("angle", "urey-bradley")),
    (("Proper Dih.",), ("torsion",)),
    (("Ryckaert-Bell.", "Fourier Dih."), ("torsion-ryckaert",)),
    (("Improper Dih.",), ("improper",)),
    (("Per. Imp. Dih.",), ("improper-periodic",)),
    (("Restraint Pot.",), ("distance-restraint",)),
    (("Dih. Rest.",), ("dihedral-restraint",)),
    (("G96Bond",), ("bond-quartic",)),
    (("G96Angle",), ("angle-cosine",)),
    (("Bond-Cross", "BA-Cross"), ("bond-bond",)),
    (("Quartic Angles",), ("angle-quartic",)),
    (("Restr. Angles",), ("angle-restricted",)),
    (("Tab. Bonds", "Tab. Bonds NC"), ("distance-table",)),
    (("Tab. Angles",), ("angle-table",)),
    (("Tab. Dih.",), ("torsion-table",)),
    (("Morse",), ("bond-morse",)),
    (("Cubic Bonds",), ("bond-polynomial",)),
    (("CMAP Dih.",), ("cmap",)),
    (("LJ-14",), ("lj_14",)),
    (("Coulomb-14",), ("coulomb_14",)),
    (("LJ (SR)",), ("lj",)),
    (("Coulomb (SR)",), ("coulomb",)),
)


class Gromacs(InFolder):
    how = ""  # options of mdrun

    def theirs(self, top, defines):
        given = " ".join(f"-D{word}={text}" if text else f"-D{word}" for word, text in defines.items())
        return point(top, "e.gro", f"{OPEN}define = {given}\n", "", self.how)

    def ours(self, top, folder, defines):
        importer.bring([top, "e.gro"], folder, defines, try_out=False)  # of atoms that lie anywhere
        frame = coordinates.read(f"{folder}/start.gro")
        return import_energies.energies(Path(folder, "molecules.yaml").read_text(), frame.x)

    def compare(self, top, **defines):
        theirs = self.theirs(top, defines)
        for source in (top, "pp.top"):  # includes read here, and by grompp -pp
            ours = self.ours(source, tempfile.mkdtemp(dir=self.folder), defines)
            self.assertLess(ours["misplaced"], 1e-6)
            for names, keys in SAME:
                here, there = (sum(side.get(name, 0.0) for name in of) for side, of in ((ours, keys), (theirs, names)))
                self.assertLessEqual(abs(here - there), 1e-6 * abs(there), f"{source}: {names} are {here}, and GROMACS has {there}")
            told = {name for names, _ in SAME for name in names}
            others = [name for name, value in theirs.items() if name not in told and value != 0.0]
            self.assertLessEqual(set(others), {"Potential", "Pres. DC", "Pressure", "Constr. rmsd", "Kinetic En.", "Temperature"})
        return theirs

    def test_force_fields(self):
        for field in rows(FIELDS, 3):
            with self.subTest(field=field):
                pdb2gmx(field, "spc")
                frame = coordinates.read("conf.gro")
                x = frame.x + np.random.default_rng(3).normal(0.0, 0.08, frame.x.shape) + 50.0
                put_gro(Path("e.gro"), frame.names, frame.residues, x)
                theirs = self.compare("topol.top")
                self.assertGreater(len(theirs), 7)
                self.assertEqual(abs(theirs.get("CMAP Dih.", 0.0)) > 1e-3, field == "charmm27")

    def test_molecules_of_its_data(self):
        """Small ones and a lipid, neutral, stretched at random."""
        for field, file, name in (
            ("oplsaa", "methanol", "MET"),
            ("oplsaa", "ethanol", "ETH"),
            ("oplsaa", "1propanol", "POL"),
            ("amber99sb-ildn", "urea", "URE"),
            ("gromos43a1", "methanol", "Methanol"),
            ("gromos54a7", "dppc", "DPPC"),
        ):
            with self.subTest(field=field, file=file):
                includes = "".join(f'#include "{field}.ff/{part}.itp"\n' for part in ("forcefield", file))
                Path("m.top").write_text(f"{includes}[ system ]\nx\n[ molecules ]\n{name} 2\n")
                atoms = [atom for *_, atom in gromacs.read("m.top", {}).atoms()]
                rng = np.random.default_rng(len(atoms))
                x = 50.0 + 1.6 * np.stack(np.unravel_index(np.arange(len(atoms)), (5, 5, 5)), 1) + rng.normal(0.0, 0.1, (len(atoms), 3))
                put_gro(Path("e.gro"), [atom.name for atom in atoms], [atom.residue for atom in atoms], x)
                self.compare("m.top")

    def test_every_grid_of_charmm27(self):
        """A molecule of five atoms for each, at random places; and one that is named the other way round, which has none."""
        data = Path("/usr/share/gromacs/top/charmm27.ff/cmap.itp")
        kinds = re.findall(r"(?m)^(\S+ \S+ \S+ \S+ \S+) 1 24 24", data.read_text())
        self.assertEqual(len(kinds), 6)
        top = '#include "charmm27.ff/forcefield.itp"\n'
        for k, types in enumerate(kinds):
            atoms = "\n".join(f"{i} {kind} 1 RES A{i} 1 0.0" for i, kind in enumerate(types.split(), 1))
            bonds = "\n".join(f"{i} {i + 1} 1 0.14 200000" for i in range(1, 5))
            top += f"[ moleculetype ]\nM{k} 4\n[ atoms ]\n{atoms}\n[ bonds ]\n{bonds}\n[ cmap ]\n1 2 3 4 5 1\n"
        top += "[ system ]\nx\n[ molecules ]\n" + "".join(f"M{k} 3\n" for k in range(6))
        Path("grids.top").write_text(top)
        rng = np.random.default_rng(11)
        place = [np.array([7.0 * (m % 2), 5.0 * (m // 2 % 3), 5.0 * (m // 6)]) for m in range(18)]
        x = [50.0 + place[k // 5] + [1.3 * (k % 5), 0.7 * (k % 2), 0.0] + rng.normal(0.0, 0.4, 3) for k in range(90)]
        put_gro(Path("e.gro"), [f"A{k % 5 + 1}" for k in range(90)], 90 * ["RES"], x)
        theirs = self.compare("grids.top")
        self.assertGreater(abs(theirs["CMAP Dih."]), 0.1)
        Path("grids.top").write_text(top.replace("1 2 3 4 5 1", "5 4 3 2 1 1", 1))
        with self.assertRaisesRegex(InputError, r"no parameters of \[ cmap \] of function 1 for atoms 5 \(A5\) 4 \(A4\) .* of M0"):
            importer.bring(["grids.top", "e.gro"], "turned")

    def test_every_function_of_every_rule(self):
        rng = np.random.default_rng(7)
        chain = np.cumsum(rng.normal(0.0, 0.8, (7, 3)) + [0.9, 0.0, 0.0], axis=0)
        x = []
        for shift in (50.0, 56.0):
            own = np.vstack([chain + rng.normal(0.0, 0.1, chain.shape) + shift, np.zeros((5, 3))])
            for at, kind, parents, c in (
                (7, "2", (1, 2), (0.3,)),
                (8, "3", (1, 2, 3), (0.2, 0.35)),
                (9, "3fd", (2, 3, 4), (0.4, 1.1)),
                (10, "3fad", (3, 4, 5), (120.0, 0.9)),
                (11, "3out", (4, 5, 6), (-0.3, -0.2, 0.5)),
            ):
                own[at] = import_energies.place(own, kind, parents, c)
            x += list(own)
        names = ["A1", "A2", "B3", "C4", "A5", "B6", "C7", "V8", "V9", "V10", "V11", "V12"]
        put_gro(Path("e.gro"), 2 * names, 24 * ["RES"], x)
        shutil.copy(Path(os.environ["HOLONOM_SOURCE"]) / "tests/import_every.top", "every.top")
        self.how = put_tables()
        for defines in ({"RULE": "1", "POWERS": ""}, {"RULE": "2"}, {"RULE": "3"}):
            with self.subTest(**defines):
                self.compare("every.top", **defines)

    def test_models_of_water_are_known(self):
        known = {"spc": "spc", "spce": "spce", "tip3p": "tip3p", "tip4p": "tip4p", "tip4pew": "tip4pew", "tip5p": "tip5p"}
        sites = {"tip4p": ["MW"], "tip4pew": ["MW"], "tip5p": ["LP1", "LP2"]}
        for field, models in {"oplsaa": known, "amber99sb-ildn": ("tip3p", "tip4pew", "spce"), "gromos54a7": ("spc", "spce")}.items():
            for model in models:
                Path("w.top").write_text(
                    f'#include "{field}.ff/forcefield.itp"\n#include "{field}.ff/{model}.itp"\n[ system ]\nw\n[ molecules ]\nSOL 1\n'
                )
                names = ["OW", "HW1", "HW2", *sites.get(model, [])]
                put_gro(Path("e.gro"), names, len(names) * ["SOL"], np.eye(5, 3)[: len(names)])
                out = f"{field}-{model}"
                importer.bring(["w.top", "e.gro"], out, try_out=False)
                self.assertIn(f"the program's {known[model]}\n", Path(out, "system.yaml").read_text(), out)
        Path("w.top").write_text(
            '#include "charmm27.ff/forcefield.itp"\n#include "charmm27.ff/tips3p.itp"\n[ system ]\nw\n[ molecules ]\nSOL 1\n'
        )
        put_gro(Path("e.gro"), ["OW", "HW1", "HW2"], 3 * ["SOL"], np.eye(3))
        importer.bring(["w.top", "e.gro"], "charmm", try_out=False)
        self.assertIn("not its oxygen alone has Lennard-Jones", Path("charmm/system.yaml").read_text())


if __name__ == "__main__":
    unittest.main()
