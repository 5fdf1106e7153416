"""Runs of GROMACS on boxes of water, for the comparisons beside this file."""
import math
import re
import shutil
import subprocess
from pathlib import Path

# Model, its topology, and the solvent that `gmx solvate` fills boxes with. Topologies are of GROMACS's own
# distribution, or four_sites of O-H, H-O-H, O-M (nm, degrees), sigma, epsilon (nm, kJ/mol) and the charge of H, as published
# (Abascal and Vega 2005; Izadi, Anandakrishnan and Onufriev 2014).
MODELS = {
    "tip3p": ("tip3p.itp", "spc216"),
    "spce": ("spce.itp", "spc216"),
    "tip4p": ("tip4p.itp", "tip4p"),
    "tip4p2005": ((0.09572, 104.52, 0.01546, 0.31589, 93.2 * 0.00831446262, 0.5564), "tip4p"),
    "opc": ((0.087243313, 103.598930, 0.015939833, 0.2 * 1.777167268 / 2 ** (1 / 6), 4.184 * 0.2128008130, 0.679142), "tip4p"),
}

MDP = """integrator = {integrator}
dt = {dt}
nsteps = {steps}
cutoff-scheme = Verlet
rlist = 0.9
rcoulomb = 0.9
rvdw = 0.9
vdw-modifier = None
coulomb-modifier = None
coulombtype = PME
pme-order = 4
fourierspacing = 0.12
ewald-rtol = 1e-5
DispCorr = {tail}
constraints = {constraints}
comm-mode = Linear
nstcomm = 100
tc-grps = System
tau-t = {tau}
ref-t = {kelvin}
gen-vel = yes
gen-temp = {kelvin}
gen-seed = 7
ld-seed = 11
nstenergy = {energy}
nstcalcenergy = {energy}
nstxout = {exact}
nstvout = {exact}
nstfout = 0
nstlog = 0
nstxout-compressed = {frames}
compressed-x-precision = 10000
"""

# Behind it, at constant pressure.
PRESSURE = """pcoupl = C-rescale
tau-p = 1.0
compressibility = 4.5e-5
ref-p = {pressure}
"""

OPLSAA = """#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/{itp}"
"""

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

CONTENTS = """[ system ]
water
[ molecules ]
SOL {n}
"""


def four_sites(d_oh, angle, d_om, sigma, epsilon, charge):
    """The topology of a water with its negative charge on the bisector."""
    half = math.radians(angle / 2)
    return FOUR_SITES.format(d_oh=d_oh, d_hh=2 * d_oh * math.sin(half), share=d_om / (2 * d_oh * math.cos(half)), sigma=sigma,
                             epsilon=epsilon, charge=charge, negative=-2 * charge)


def settings(**given):
    """The text of an mdp file; at constant volume unless a pressure is given, in bar. "md" has a global thermostat."""
    usual = {
        "integrator": "sd",
        "dt": 0.002,
        "steps": 1000,
        "tail": "AllEnerPres",
        "tau": 1.0,
        "kelvin": 298.15,
        "energy": 100,
        "frames": 0,
        "exact": 0,
        "constraints": "none",
    }
    text = MDP if given.get("pressure") is None else MDP + PRESSURE
    if given.get("integrator") == "md":
        text += "tcoupl = v-rescale\n"
    return text.format(**{**usual, **given})


def columns(path):
    """The numbers of an XVG file, a row a time, which is the first."""
    with open(path, encoding="utf-8") as lines:
        return [[float(word) for word in line.split()] for line in lines if line[0] not in "#@"]


class Gromacs:
    """One program gmx, by its name or path."""

    def __init__(self, program="gmx"):
        self.program = program

    def have(self):
        return shutil.which(self.program) is not None

    def version(self):
        """Its version and the instruction set that it was built for."""
        text = subprocess.run([self.program, "-quiet", "--version"], capture_output=True, text=True, check=True).stdout
        found = [re.search(rf"^{field}:\s*(.+)$", text, re.M) for field in ("GROMACS version", "SIMD instructions")]
        return ", ".join(match.group(1).strip() for match in found if match)

    def data(self):
        """The folder of its force fields."""
        text = subprocess.run([self.program, "-quiet", "--version"], capture_output=True, text=True, check=True).stdout
        return Path(re.search(r"^Data prefix:\s*(\S+)", text, re.M).group(1)) / "share" / "gromacs" / "top"

    def call(self, folder, *arguments, text=None):
        """Runs gmx in a folder; returns what it printed; says what went wrong otherwise."""
        done = subprocess.run(
            [self.program, "-quiet", "-nobackup", *arguments], cwd=folder, input=text, capture_output=True, text=True,
            check=False
        )
        if done.returncode != 0:
            raise SystemExit(f"gmx {' '.join(arguments)} failed:\n{done.stderr[-3000:]}")
        return done.stdout + done.stderr

    def fill(self, folder, model, length):
        """A cubic box of water, edge in nm, as box.gro; returns the number of molecules."""
        water, solvent = MODELS[model]
        text = OPLSAA.format(itp=water) if isinstance(water, str) else four_sites(*water)
        out = self.call(folder, "solvate", "-cs", solvent, "-box", *[str(length)] * 3, "-o", "box.gro")
        n = int(re.search(r"Number of solvent molecules:\s*(\d+)", out).group(1))
        (Path(folder) / "topol.top").write_text(text + CONTENTS.format(n=n), encoding="ascii")
        return n

    def liquid(self, folder, model, length, mdp, threads):
        """A box that is filled, minimised (em.*) and run (liquid.*)."""
        self.fill(folder, model, length)
        self.run(folder, "box.gro", settings(integrator="steep", steps=300), "em", threads)
        self.run(folder, "em.gro", mdp, "liquid", threads)

    def run(self, folder, start, mdp, name, threads):
        """grompp and mdrun; returns ns/day, None for a minimisation."""
        folder = Path(folder)
        (folder / f"{name}.mdp").write_text(mdp, encoding="ascii")
        files = ["-f", f"{name}.mdp", "-c", start, "-p", "topol.top", "-o", f"{name}.tpr"]
        self.call(folder, "grompp", *files, "-maxwarn", "2")
        self.call(folder, "mdrun", "-deffnm", name, "-ntmpi", "1", "-ntomp", str(threads), "-pin", "off")
        log = (folder / f"{name}.log").read_text(encoding="ascii", errors="replace")
        perday = re.search(r"Performance:\s+([\d.]+)", log)
        return float(perday.group(1)) if perday else None

    def averages(self, folder, name, begin, terms):
        """{term: (mean, error)} of an energy file in GROMACS's units."""
        files = ["-f", f"{name}.edr", "-o", f"{name}.xvg", "-b", str(begin)]
        out = self.call(folder, "energy", *files, text="\n".join(terms) + "\n\n")
        found = {}
        for term in terms:
            row = re.search(rf"^{re.escape(term)}\s+(-?[\d.e+-]+)\s+([\d.e+-]+)", out, re.M)
            found[term] = (float(row.group(1)), float(row.group(2)))
        return found
