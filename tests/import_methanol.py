"""A topology of methanol in water with its coordinates, for tests of imports."""

import os
from pathlib import Path

import numpy as np
from holonom import InputError, importer
from in_folder import InFolder

FIELD = """[ defaults ]
1 3 yes 0.5 0.5
[ atomtypes ]
; name bond at mass charge particle sigma epsilon
opls_157 CT 6 12.011 0.145 A 0.35 0.276144
opls_156 HC 1 1.008 0.04 A 0.25 0.12552
opls_154 OH 8 15.9994 -0.683 A 0.312 0.71128
opls_155 HO 1 1.008 0.418 A 0 0
OW OW 8 15.9994 -0.834 A 0.315061 0.636386
HW HW 1 1.008 0.417 A 0 0
[ bondtypes ]
CT HC 1 0.109 284512
CT OH 1 0.141 267776
HO OH 1 0.0945 462750.4
[ angletypes ]
HC CT HC 1 107.8 276.144
HC CT OH 1 109.5 292.88
CT OH HO 1 108.5 460.24
[ dihedraltypes ]
X CT OH X 3 0.9414 2.8242 0 -3.7656 0 0
"""
METHANOL = """[ moleculetype ]
MeOH 3
[ atoms ]
1 opls_157 1 MOH C 1
2 opls_156 1 MOH H1 1
3 opls_156 1 MOH H2 1
4 opls_156 1 MOH H3 1
5 opls_154 1 MOH O 1
6 opls_155 1 MOH HO 1
[ bonds ]
1 2 1
1 3 1
1 4 1
1 5 1
5 6 1
[ pairs ]
2 6 1
3 6 1
4 6 1
[ angles ]
2 1 3 1
2 1 4 1
3 1 4 1
2 1 5 1
3 1 5 1
4 1 5 1
1 5 6 1
[ dihedrals ]
2 1 5 6 3
3 1 5 6 3
4 1 5 6 3
"""
WATER = """[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW 1 -0.834
2 HW 1 SOL HW1 1 0.417
3 HW 1 SOL HW2 1 0.417
#ifndef FLEXIBLE
[ settles ]
1 1 0.09572 0.15139
[ exclusions ]
1 2 3
2 1 3
3 1 2
#else
[ bonds ]
1 2 1 0.09572 502416.0 0.09572 502416.0
1 3 1 0.09572 502416.0
[ angles ]
2 1 3 1 104.52 628.02
#endif
"""
END = "[ system ]\nmethanol in water\n[ molecules ]\nMeOH 2\nSOL 3\n"
TOP = FIELD + METHANOL + WATER + END
NAMES = 2 * ["C", "H1", "H2", "H3", "O", "HO"] + 3 * ["OW", "HW1", "HW2"]
RESIDUES = 12 * ["MOH"] + 9 * ["SOL"]
RNG = np.random.default_rng(1)
# Atoms near the first of their molecule.
PLACES = np.vstack([RNG.uniform(0, 20, 3) + RNG.normal(0, 0.6, (n, 3)) for n in (6, 6, 3, 3, 3)])


def gro(names=NAMES, residues=RESIDUES, x=PLACES, box="4 4 4"):
    rows = [
        f"{1:5d}{r:<5s}{n:>5s}{k:5d}" + "".join(f"{v:8.3f}" for v in at / 10) for k, (n, r, at) in enumerate(zip(names, residues, x), 1)
    ]
    return "\n".join(["methanol in water", str(len(rows)), *rows, box, ""])


class Folder(InFolder):
    def bring(self, top, conf=None, out="out", **options):
        Path("t.top").write_text(top)
        Path("c.gro").write_text(gro() if conf is None else conf)
        return importer.bring(["t.top", "c.gro"], out, **options)

    def refused(self, says, top=TOP, conf=None, **options):
        with self.assertRaisesRegex(InputError, says):
            self.bring(top, conf, **options)
        self.assertFalse(os.path.lexists(options.get("out", "out")))
