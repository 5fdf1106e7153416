"""Runs of GROMACS for the comparisons in this folder."""
import re
import shutil
import subprocess
from pathlib import Path

from figures import say

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

# Appended at constant pressure.
PRESSURE = """pcoupl = C-rescale
tau-p = 1.0
compressibility = 4.5e-5
ref-p = {pressure}
"""

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
    """The numbers of an XVG file: one row per time, the time first."""
    with open(path, encoding="utf-8") as lines:
        return [[float(word) for word in line.split()] for line in lines if line[0] not in "#@"]


def add_program(parser):
    parser.add_argument("--gmx", default="gmx", metavar="PATH", help="the GROMACS to compare with (gmx); '': none")


def found(program):
    """The GROMACS of --gmx; None if none is requested, or the default one is not installed."""
    if shutil.which(program) is None:
        if program not in ("", "gmx"):
            raise SystemExit(f"{program} is no program: give the path of a gmx")
        return None
    gmx = Gromacs(program)
    say(f"GROMACS {gmx.version()}")
    return gmx


def needed(program):
    gmx = found(program)
    if gmx is None:
        raise SystemExit("gmx is not there: install GROMACS (Debian: gromacs), or give the path of one, --gmx PATH")
    return gmx


class Gromacs:
    """One program gmx, by its name or path."""

    def __init__(self, program="gmx"):
        self.program = program

    def about(self, field):
        """An entry of its --version."""
        text = subprocess.run([self.program, "-quiet", "--version"], capture_output=True, text=True, check=True).stdout
        match = re.search(rf"^{field}:\s*(.+)$", text, re.M)
        return match.group(1).strip() if match else "?"

    def version(self):
        """Its version and instruction set."""
        return f"{self.about('GROMACS version')}, {self.about('SIMD instructions')}"

    def data(self):
        """The folder of its force fields."""
        return Path(self.about("Data prefix")) / "share" / "gromacs" / "top"

    def call(self, folder, *arguments, text=None):
        """Runs gmx in a folder and returns its output; exits with a message on failure."""
        done = subprocess.run(
            [self.program, "-quiet", "-nobackup", *map(str, arguments)], cwd=folder, input=text, capture_output=True, text=True,
            check=False
        )
        if done.returncode != 0:
            raise SystemExit(f"gmx {' '.join(map(str, arguments))} failed:\n{done.stderr[-3000:]}")
        return done.stdout + done.stderr

    def run(self, folder, start, mdp, name, threads):
        """grompp and mdrun; returns ns/day, None for a minimisation."""
        folder = Path(folder)
        (folder / f"{name}.mdp").write_text(mdp, encoding="ascii")
        files = ["-f", f"{name}.mdp", "-c", start, "-p", "topol.top", "-o", f"{name}.tpr"]
        self.call(folder, "grompp", *files, "-maxwarn", "2")
        self.call(folder, "mdrun", "-deffnm", name, "-ntmpi", "1", "-ntomp", threads, "-pin", "off")
        log = (folder / f"{name}.log").read_text(encoding="ascii", errors="replace")
        perday = re.search(r"Performance:\s+([\d.]+)", log)
        return float(perday.group(1)) if perday else None

    def averages(self, folder, name, begin, terms):
        """{term: (mean, error)} of an energy file, in GROMACS's units."""
        files = ["-f", f"{name}.edr", "-o", f"{name}.xvg", "-b", begin]
        out = self.call(folder, "energy", *files, text="\n".join(terms) + "\n\n")
        found = {}
        for term in terms:
            row = re.search(rf"^{re.escape(term)}\s+(-?[\d.e+-]+)\s+([\d.e+-]+)", out, re.M)
            found[term] = (float(row.group(1)), float(row.group(2)))
        return found
