"""`holonom import` takes what other programs take, with a note or a warning: names that differ, second states, molecules that are not used, other
spellings, charges that sum up to no whole number. With strict=True warnings are refusals."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

try:
    import numpy as np
    import yaml
except ImportError as error:
    sys.exit(77 if print(f"skipped: {error}") is None else 1)

sys.path.insert(0, str(Path(__file__).resolve().parent))
from holonom import InputError, coordinates, importer
from in_folder import InFolder

FIELD = """[ defaults ]
1 2 yes 0.5 0.8333
[ atomtypes ]
A 6 12.0 0 A 0.34 0.4
B 6 12.0 0 A 0.30 0.6
M 0 0.0 0 V 0 0
NA 11 22.99 0.85 A 0.22 1.5
CL 17 35.45 -0.85 A 0.47 0.08
"""
PAIR = """[ moleculetype ]
PAIR 1
[ atoms ]
1 A 1 PAR A1 1 0.2
2 A 1 PAR A2 1 -0.2
[ bonds ]
1 2 1 0.15 200000
"""
END = "[ system ]\nx\n[ molecules ]\n"
TOP = FIELD + PAIR + END + "PAIR 2\n"


def gro(names, residues=None, box="3 3 3", x=None):
    x = x if x is not None else [(0.15 * (k % 2), 0.5 * (k // 2), 0.1) for k in range(len(names))]
    rows = [f"{1:5d}{r:<5s}{n:>5s}{k:5d}" + "".join(f"{v:8.3f}" for v in at) for k, (n, r, at) in enumerate(zip(names, residues or ["PAR"] * 99, x), 1)]
    return "\n".join(["x", str(len(rows)), *rows, box, ""])


class Taken(InFolder):
    def bring(self, top=TOP, conf=None, out="out", **options):
        Path("t.top").write_text(top)
        Path("c.gro").write_text(conf or gro(["A1", "A2", "A1", "A2"]))
        return importer.bring(["t.top", "c.gro"], out, **options)

    def warnings(self, *given, **options):
        return [line for line in self.bring(*given, **options) if line.startswith("warning: ")]

    def molecules(self, out="out"):
        return yaml.safe_load(Path(out, "molecules.yaml").read_text())["molecules"]

    def test_names_that_differ(self):
        conf = gro(["C", "A2", "C", "A2"])
        (said,) = self.warnings(TOP, conf)
        self.assertIn("c.gro: 2 of 4 atoms have another name in the topology, whose names and order are used: C of PAR is A1 of PAR (2 times, first in line 3)", said)
        self.assertEqual(coordinates.read("out/start.gro").names, ["A1", "A2", "A1", "A2"])
        with self.assertRaisesRegex(InputError, "with --strict these warnings are errors: c.gro: 2 of 4 atoms have another name"):
            self.bring(TOP, conf, "strict", strict=True)
        self.assertFalse(os.path.lexists("strict"))
        self.assertEqual(self.warnings(TOP, out="same", strict=True), [])

    def test_second_states(self):
        """Of bonds, types of bonds, atoms, constraints and restraints: the first one."""
        plain = self.bring()
        second = TOP.replace("1 2 1 0.15 200000", "1 2 1 0.15 200000 0.16 100000").replace("1 0.2\n", "1 0.2 12.0 B 0 12.0\n")
        said = self.bring(second, out="second")
        (note,) = set(said) - set(plain)
        self.assertRegex(note, r"PAIR: 2 lines \(first t.top, line 12\) have a second state \(free-energy perturbation\) .* the first one, A, is taken")
        self.assertEqual(self.molecules(), self.molecules("second"))
        kept = TOP.replace("[ bonds ]\n1 2 1 0.15 200000", "[ constraints ]\n1 2 1 0.15")
        self.bring(kept, out="kept")
        self.assertIn("(first t.top, line 15) have a second state", "".join(self.bring(kept.replace("1 2 1 0.15", "1 2 1 0.15 0.17"), out="kept2")))
        self.assertEqual(self.molecules("kept"), self.molecules("kept2"))
        types = FIELD + "[ bondtypes ]\nA A 1 0.15 200000 0.16 1\n" + PAIR.replace("1 2 1 0.15 200000", "1 2 1") + END + "PAIR 2\n"
        self.assertIn("PAIR: 1 line (first t.top, line 10) have a second state", "".join(self.bring(types, out="types")).replace("has", "have"))
        self.assertEqual(self.molecules(), self.molecules("types"))
        held = TOP.replace("[ system ]", "[ position_restraints ]\n1 1 100 100 100 200 100 100\n[ system ]")
        self.assertIn("second state", "".join(self.bring(held, out="held")))

    def test_molecules_that_are_not_used_are_not_looked_at(self):
        self.bring()
        for k, bad in enumerate(("[ bonds ]\n1 2 8 0.1 1\n", "[ bonds ]\n1 9 1\n", "[ atoms ]\n2 NONE 1 R X 1\n", "[ polarization ]\n1 2 1\n", "[ angles ]\n1 2 3 FC\n")):
            other = f"[ moleculetype ]\nOTHER 1\n[ atoms ]\n1 A 1 R X 1\n{bad}"
            with self.subTest(bad=bad):
                self.bring(TOP.replace("[ system ]", other + "[ system ]"), out=f"out{k}")
                self.assertEqual(self.molecules(), self.molecules(f"out{k}"))
                with self.assertRaisesRegex(InputError, "t.top, line (19|21)"):
                    self.bring(TOP.replace("[ system ]", other + "[ system ]") + "OTHER 1\n", out="used")
        self.assertFalse(os.path.lexists("used"))

    def test_spellings(self):
        """As grompp has them: directives without regard to case, _ and -; a quote that is not closed."""
        self.bring()
        self.bring(TOP.replace("atomtypes", "Atom_Types").replace("moleculetype", "MOLECULE-TYPE").replace("[ bonds", "[ bonds_"), out="other")
        self.assertEqual(self.molecules(), self.molecules("other"))
        Path("field.itp").write_text(FIELD)
        for k, line in enumerate(('#include "field.itp', "#include <field.itp", '#include "field.itp" and more')):
            self.bring(TOP.replace(FIELD, line + "\n"), out=f"out{k}")
            self.assertEqual(self.molecules(), self.molecules(f"out{k}"))

    def test_charges(self):
        """Scaled charges of ions, and a charge of the whole."""
        ions = "".join(f"[ moleculetype ]\n{name} 1\n[ atoms ]\n1 {name} 1 {name} {name} 1\n" for name in ("NA", "CL"))
        conf = gro(["NA", "CL"], ["NA", "CL"], x=[(0, 0, 0), (0.5, 0, 0)])
        (said,) = self.warnings(FIELD + ions + END + "NA 1\nCL 1\n", conf)
        self.assertIn("The charges of these molecules do not sum to a whole number: NA 0.85 e, CL -0.85 e.", said)
        one = gro(["NA"], ["NA"], x=[(0, 0, 0)])
        said = self.warnings(FIELD + ions.replace("0.85", "1") + END + "NA 1\n", one, out="one")
        self.assertEqual(len(said), 2)
        self.assertIn("The charges of the box sum to 0.85 e.", said[1])
        with self.assertRaisesRegex(InputError, "with --strict"):
            self.bring(FIELD + ions + END + "NA 1\n", one, out="strict", strict=True)
        self.assertEqual(len(self.warnings(FIELD + ions + END + "NA 1\n", one, out="open", box="none")), 1)

    def test_sites_that_see_the_atoms_that_place_them(self):
        """The energy of the pairs that no exclusion takes out is the plain sum over them."""
        site = "[ atoms ]\n3 M 1 PAR M 1 0.3\n[ virtual_sites2 ]\n3 1 2 1 0.4\n"
        Path("e.top").write_text(FIELD)
        x = [(0, 0, 0.1), (0.15, 0, 0.1), (0.06, 0, 0.1)]
        conf = gro(["A1", "A2", "M"], x=x, box="0 0 0")
        said = self.bring(FIELD + PAIR + site + END + "PAIR 1\n", conf, "seen")
        self.assertIn("PAIR: no exclusion parts 2 pairs of a virtual site and an atom that places it; as in GROMACS they act on each other", "".join(said))
        self.bring(FIELD + PAIR + site + "[ exclusions ]\n3 1 2\n" + END + "PAIR 1\n", conf, "apart")
        self.assertEqual(self.molecules("seen")["PAIR"]["terms"]["pair-14"], [[1, 3, 1.7, 0, 0.06], [2, 3, 1.7, 0, -0.06]])
        self.assertNotIn("pair-14", self.molecules("apart")["PAIR"]["terms"])
        energies = []
        for out in ("seen", "apart"):
            ran = subprocess.run([os.environ["HOLONOM_PROGRAM"], "energy", f"{out}/system.yaml"], capture_output=True, text=True, check=True)
            rows = dict(line.split()[:2] for line in ran.stdout.splitlines() if len(line.split()) > 1)
            energies.append(sum(float(rows.get(name, 0.0)) for name in ("coulomb_14", "coulomb")))
        self.assertAlmostEqual(energies[0] - energies[1], 332.0637 * (0.06 / 0.6 - 0.06 / 0.9), places=3)


    def test_the_step_is_one_that_check_takes(self):
        for k, step in ((200000, "2 fs"), (10000000, "1 fs")):
            self.bring(TOP.replace("200000", str(k)), out=f"out{k}")
            self.assertEqual(yaml.safe_load(Path(f"out{k}/system.yaml").read_text())["integrator"]["timestep"], step)
            subprocess.run([os.environ["HOLONOM_PROGRAM"], "check", f"out{k}/system.yaml"], capture_output=True, check=True)


    def test_lengths_that_can_be_kept(self):
        """All bonds, as GROMOS has it, but where one has no length."""
        rule = TOP.replace("1 2 yes 0.5 0.8333", "1 1 no").replace("0.34 0.4", "0.0023 2.6e-6").replace("PAIR 1\n", "PAIR 3\n").replace("2 A 1 PAR A2 1 -0.2\n", "2 A 1 PAR A2 1 -0.2\n3 A 1 PAR A3 1 0\n")
        conf = gro(2 * ["A1", "A2", "A3"], x=[(0.15 * (k % 3), 0.6 * (k // 3), 0.1) for k in range(6)])
        for out, bond, kept in (("all", "2 3 1 0.15 200000", "all-bonds"), ("fewer", "2 3 5", "h-bonds")):
            self.bring(rule.replace("1 2 1 0.15 200000\n", f"1 2 1 0.15 200000\n{bond}\n"), conf, out, cutoff=9.0)
            self.assertEqual(yaml.safe_load(Path(out, "system.yaml").read_text())["geometry"]["constrain"], kept)
        subprocess.run([os.environ["HOLONOM_PROGRAM"], "check", "fewer/system.yaml"], capture_output=True, check=True)


class Boxes(InFolder):
    def test_angles(self):
        for angles in ((5156.6,) * 3, (200.0,) * 3, (0.0,) * 3, (90.0, 90.0, 180.0), (-90.0, 90.0, 90.0), (float("nan"), 90.0, 90.0)):
            with self.subTest(angles=angles), self.assertRaisesRegex(InputError, "^b.rst7: a box of 30, 30, 30 A with angles of .*: angles must be between 0 and 180 degrees"):
                coordinates.cell_of([30.0] * 3, list(angles), "b.rst7")
        for angles in ((60.0, 60.0, 170.0), (120.0, 120.0, 120.0)):
            with self.assertRaisesRegex(InputError, "enclose no volume"):
                coordinates.cell_of([30.0] * 3, list(angles), "b.rst7")
        with self.assertRaisesRegex(InputError, "lengths must be above 0"):
            coordinates.cell_of([30.0, -30.0, 30.0], [90.0] * 3, "b.rst7")
        cell = coordinates.cell_of([30.0, 40.0, 50.0], [80.0, 100.0, 70.0], "b.rst7")
        np.testing.assert_allclose(np.linalg.norm(cell, axis=1), [30.0, 40.0, 50.0])


if __name__ == "__main__":
    unittest.main()
