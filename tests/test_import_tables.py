"""holonom.importer: grids (cmap) and tables of a topology are in the file that it writes, and wrong ones are refused with file and line. Energies
and forces: test_import_gromacs.py and test_energy_gromacs.py."""

import math
import os
import sys
import unittest
from pathlib import Path

try:
    import numpy as np
    import yaml
except ImportError as error:
    sys.exit(77 if print(f"skipped: {error}") is None else 1)

sys.path.insert(0, str(Path(__file__).resolve().parent))
import import_energies
from holonom import InputError, importer
from import_methanol import TOP, Folder, gro


class Grids(Folder):
    KINDS = "HC CT HC OH HO"  # of no sense, but of the topology

    def grids(self, grid, row="2 1 3 5 6 1"):
        return TOP.replace("[ moleculetype ]", f"[ cmaptypes ]\n{grid}\n[ moleculetype ]", 1).replace("5 6 1\n", f"5 6 1\n[ cmap ]\n{row}\n", 1)

    def grid(self, n=24, change=lambda values: values, head=f"{KINDS} 1 24 24"):
        self.values = np.random.default_rng(2).normal(0.0, 4.184, (n, n)).round(6)
        return f"{head}\\\n" + "\\\n".join(" ".join(f"{v}" for v in row) for row in change(self.values.tolist()))

    def test_grids_are_written_once(self):
        other = self.grid(head="HC CT HC OH OH 1 24 24")
        self.bring(self.grids(self.grid() + "\n" + other, "2 1 3 5 6 1\n3 1 2 5 6\n2 1 4 5 6 1"))
        file = yaml.safe_load(Path("out/molecules.yaml").read_text())
        self.assertEqual(list(file["grids"]), ["cmap-1"])
        np.testing.assert_allclose(file["grids"]["cmap-1"], self.values / 4.184, rtol=1e-11)
        self.assertEqual(
            file["molecules"]["MeOH"]["terms"]["cmap"], [[2, 1, 3, 5, 6, "cmap-1"], [3, 1, 2, 5, 6, "cmap-1"], [2, 1, 4, 5, 6, "cmap-1"]]
        )
        self.assertEqual(file["molecules"]["MeOH"]["exclude"], 3)

    def test_what_is_wrong_with_them(self):
        good = self.grid()
        self.refused(r"no parameters of \[ cmap \] of function 1 for atoms 2 \(H1\) 1 \(C\)", self.grids("; none"))
        self.refused(r"\[ cmap \] has 5 atoms", self.grids(good, "2 1 3 5"))
        self.refused(r"\[ cmap \] names an atom twice", self.grids(good, "2 1 3 5 2 1"))
        self.refused(r"\[ cmap \] has no function 2; it has 1", self.grids(good, "2 1 3 5 6 2"))
        self.refused(r"\[ cmap \] of function 1 must have 0 numbers, not 1", self.grids(good, "2 1 3 5 6 1 0.5"))
        self.refused(r"24 by 24 nodes has 575 energies; it must have 576", self.grids(self.grid(change=lambda v: [v[0][1:], *v[1:]])))
        self.refused(r"an energy must be a number, not 'nan'", self.grids(self.grid(change=lambda v: [[math.nan, *v[0][1:]], *v[1:]])))
        self.refused(r"24 by 23 nodes; both numbers must be equal, 4 to 360", self.grids(self.grid(head=f"{self.KINDS} 1 24 23")))
        self.refused(r"0 by 0 nodes", self.grids(f"{self.KINDS} 1 0 0"))
        self.refused(r"\[ cmaptypes \] has no function 2", self.grids(self.grid(head=f"{self.KINDS} 2 24 24")))
        self.refused(r"\[ cmaptypes \] has five types", self.grids(self.KINDS))
        self.refused(r"a second grid of HC CT HC OH HO that differs", self.grids(good + "\n" + self.grid(change=lambda v: v[::-1])))


class Tables(Folder):
    """Tabulated terms: their tables are in the file of molecules, and wrong ones are refused with file and line."""

    TOP = TOP.replace("5 6 1\n", "5 6 1\n2 6 9 3 418.4\n", 1).replace("1 5 6 1\n", "1 5 6 8 0 418.4\n", 1).replace("2 1 5 6 3\n", "2 1 5 6 8 12 41.84\n", 1)

    @staticmethod
    def rows(first, last, n, of, decimals=12):
        x = np.linspace(first, last, n)
        value, slope = of(x)
        return [f"{a:.6g} {v:.{decimals}g} {-s:.{decimals}g}" for a, v, s in zip(x, np.broadcast_to(value, n), np.broadcast_to(slope, n))]

    def put(self, **changed):
        turn = np.pi / 180
        tables = {
            "table_b3.xvg": self.rows(0, 1.2, 25, lambda x: (x**2, 2 * x)),
            "table_a0.xvg": self.rows(0, 180, 19, lambda x: (x**2, 2 * x)),
            "table_d12.xvg": self.rows(-180, 180, 37, lambda x: (np.cos(turn * x), -turn * np.sin(turn * x))),
        }
        for name, rows in tables.items():
            rows = ["# comments", "@ title", *changed.get(name.split("_")[1].split(".")[0], lambda rows: rows)(rows)]
            Path(name).write_text("\n".join(rows) + "\n")

    def test_tables_are_in_the_file(self):
        self.put()
        self.bring(self.TOP)
        file = yaml.safe_load(Path("out/molecules.yaml").read_text())
        self.assertEqual(list(file["tables"]), ["table_b3", "table_a0", "table_d12"])
        table = file["tables"]["table_b3"]
        self.assertEqual((table["from"], table["to"], len(table["rows"])), (0, 12, 25))
        np.testing.assert_allclose(table["rows"], [[(0.05 * k) ** 2, 0.01 * k] for k in range(25)], atol=1e-12)
        self.assertEqual(file["tables"]["table_a0"]["rows"][-1], [32400, 360])
        terms = file["molecules"]["MeOH"]["terms"]
        self.assertEqual(terms["distance-table"], [[2, 6, "table_b3", 100]])
        self.assertEqual(terms["angle-table"], [[1, 5, 6, "table_a0", 100]])
        self.assertEqual(terms["torsion-table"], [[2, 1, 5, 6, "table_d12", 10]])
        self.assertEqual(import_energies.excluded(file["molecules"]["MeOH"]), {frozenset((i, j)) for i in range(6) for j in range(i)})

    def test_tables_may_be_given(self):
        self.put()
        for name in ("b3", "a0", "d12"):
            os.rename(f"table_{name}.xvg", f"mine_{name}.xvg")
        Path("other_a7.xvg").write_text("")
        Path("t.top").write_text(self.TOP)
        Path("c.gro").write_text(gro())
        given = [f"mine_{name}.xvg" for name in ("b3", "a0", "d12")]
        self.assertIn("No term uses the table other_a7.xvg.", importer.bring(["t.top", *given, "other_a7.xvg", "c.gro"], "out"))
        with self.assertRaisesRegex(InputError, r"line 48: needs the table \*_a0\.xvg, as for gmx mdrun -tableb: give it"):
            importer.bring(["t.top", "mine_b3.xvg", "c.gro"], "two")
        Path("my_a0.xvg").write_text("")
        with self.assertRaisesRegex(InputError, r"mine_a0\.xvg and my_a0\.xvg: both names end in _a0\.xvg"):
            importer.bring(["t.top", *given, "my_a0.xvg", "c.gro"], "two")
        with self.assertRaisesRegex(InputError, r"m\.txt: only a PSF of CHARMM has parameter files, and only GROMACS's topologies have tables"):
            importer.bring(["t.top", "m.txt", "c.gro"], "two")

    def test_what_is_wrong_with_them(self):
        for name, change, says in (
            ("b3", lambda rows: rows[1:], r"table_b3\.xvg, line 3: the table of a bond begins at 0\.05 nm; it must begin at 0"),
            ("a0", lambda rows: rows[:-1], r"table_a0\.xvg, line 20: the table of an angle ends at 170 degrees; it must end at 180"),
            ("d12", lambda rows: rows[18:], r"table_d12\.xvg, line 3: the table of a dihedral angle begins at 0 degrees; it must begin at -180"),
            ("a0", lambda rows: rows[:5] + rows[6:], r"table_a0\.xvg, line 4: the coordinate is 10 degrees, but equal spacing requires 10\.5882"),
            ("a0", lambda rows: rows[:2] + ["20.5 400 -40"] + rows[3:], r"table_a0\.xvg, line 5: the coordinate is 20\.5 degrees, but equal spacing requires 20"),
            ("a0", lambda rows: rows[:2] + ["20 nan -40"] + rows[3:], r"table_a0\.xvg, line 5: 'nan' is not a finite number"),
            ("a0", lambda rows: rows[:2] + ["20 400"] + rows[3:], r"table_a0\.xvg, line 5: 2 columns; a table has three"),
            ("a0", lambda rows: [row.replace(" -", " ") for row in rows], r"table_a0\.xvg, lines 3 to 21: the third column must be minus the derivative .* 200 %"),
            ("a0", lambda rows: [" ".join(row.split()[:2] + ["0"]) for row in rows], r"deviates from the differences by 200 %"),
            ("a0", lambda rows: rows[:1] + rows[9:10] + rows[-1:], r"table_a0\.xvg: 3 rows; a table has 4 to 100000"),
            ("d12", lambda rows: rows[:-1] + ["180 -0.9 0"], r"lines 3 and 39: the functions at -180 and 180 degrees, which are one angle, are -1 and -0\.9"),
        ):
            with self.subTest(says=says):
                self.put(**{name: change})
                self.refused(says, self.TOP)
        self.put()
        self.refused(r"line \d+: the table's number is 0\.5; it must be a whole number", self.TOP.replace("5 6 8 0 418", "5 6 8 0.5 418"))
        self.refused(r"line \d+: needs the table \*_a4\.xvg", self.TOP.replace("5 6 8 0 418", "5 6 8 4 418"))


if __name__ == "__main__":
    unittest.main()
