"""Single points by GROMACS in double precision (gmx_d), and the topologies that its data make of an alanine dipeptide."""

import os
import re
import subprocess
from pathlib import Path

import numpy as np

KCAL = 4.184

# Terms and forces of coordinates as they are; open space is a large box, whose reaction field in a vacuum is none.
POINT = """integrator = md
nsteps = 0
cutoff-scheme = Verlet
verlet-buffer-tolerance = -1
nstlist = 1
vdw-modifier = None
coulomb-modifier = None
continuation = yes
nstenergy = 1
nstcalcenergy = 1
nstfout = 1
"""
OPEN = f"""{POINT}rlist = 2.5
rcoulomb = 2.5
rvdw = 2.5
coulombtype = reaction-field
epsilon-rf = 1
DispCorr = no
"""

# ACE-ALA-NME without hydrogens, is renamed for force fields that call its ends otherwise.
PEPTIDE = Path(os.environ["HOLONOM_SOURCE"]) / "examples/alanine-dipeptide/ace-ala-nme.pdb"
FIELDS = {  # names that differ, answers to pdb2gmx, options
    "amber99sb-ildn": ((), "", ""),
    "charmm27": ((("NME", "CT3"),), "3\n5\n", "-ter"),
    "gromos54a7": ((("CH3 NME", ""), ("NME", "NH2"), ("CH3 ACE", "CA  ACE")), "2\n2\n", "-ter"),
    "amber03": ((), "", ""),
    "oplsaa": ((("NME", "NAC"),), "3\n3\n", "-ter"),
    "gromos43a1": ((("CH3 NME", ""), ("NME", "NH2"), ("CH3 ACE", "CA  ACE")), "2\n2\n", "-ter"),
}


def sh(command, said=""):
    ran = subprocess.run(["timeout", "60", "sh", "-c", command], input=said, capture_output=True, text=True)
    if ran.returncode != 0:
        raise AssertionError(f"{command}\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    return ran.stdout


def gmx(command, said=""):
    return sh(f"gmx_d -quiet -nobackup {command}", said)


def put_gro(path, names, residues, x, box=(120.0, 120.0, 120.0)):
    rows = [
        f"{1:5d}{r:<5s}{n:>5s}{k % 100000:5d}" + "".join(f"{v / 10:15.9f}" for v in at)
        for k, (n, r, at) in enumerate(zip(names, residues, x), 1)
    ]
    path.write_text("\n".join(["x", str(len(rows)), *rows, " ".join(f"{v / 10:.9f}" for v in box), ""]))


def put_tables():
    """Tables of a bond (0), an angle (1) and a dihedral angle (2), and mdrun's option for them."""
    r, a, d = np.linspace(0.0, 2.0, 401), np.linspace(0.0, 180.0, 91), np.linspace(-180.0, 180.0, 73)
    t, p = np.radians(a), np.radians(d)
    names = ("table_b0.xvg", "table_a1.xvg", "table_d2.xvg")
    for name, x, v, f in zip(
        names,
        (r, a, d),
        (50.0 * (r - 0.15) ** 2 + 3.0 * np.sin(9.0 * r), (t - 1.9) ** 2 + np.cos(3.0 * t), np.cos(p + 0.3) + 0.4 * np.sin(3.0 * p)),
        (-100.0 * (r - 0.15) - 27.0 * np.cos(9.0 * r), -(2.0 * (t - 1.9) - 3.0 * np.sin(3.0 * t)) * np.pi / 180, (np.sin(p + 0.3) - 1.2 * np.cos(3.0 * p)) * np.pi / 180),
    ):
        Path(name).write_text("# a table\n" + "".join(f"{row[0]:.6g} {row[1]:.12g} {row[2]:.12g}\n" for row in zip(x, v, f)))
    return f"-tableb {' '.join(names)}"


def pdb2gmx(field, water, more=""):
    """conf.gro and topol.top of the dipeptide in a force field; more: options."""
    names, answers, options = FIELDS[field]
    text = PEPTIDE.read_text()
    for old, new in names:
        text = text.replace(old, new) if new else "\n".join(row for row in text.split("\n") if old not in row)
    Path("in.pdb").write_text(text)
    gmx(f"pdb2gmx -f in.pdb -ff {field} -water {water} -ignh {options} {more} -o conf.gro -p topol.top", answers)


def point(top, gro, settings, more="", how=""):
    """Energies by term, kcal/mol; pp.top is the topology in one file, e.trr has the forces; more: for grompp; how: for mdrun."""
    Path("e.mdp").write_text(settings)
    gmx(f"grompp -f e.mdp -c {gro} -p {top} -o e.tpr -pp pp.top -maxwarn 9 {more}")
    gmx(f"mdrun -s e.tpr -rerun {gro} {how} -ntmpi 1 -ntomp 1 -pin off -deffnm e")
    gmx("energy -f e.edr -o e.xvg -dp", "\n".join(map(str, range(1, 40))) + "\n\n")
    text = Path("e.xvg").read_text()
    numbers = text.strip().split("\n")[-1].split()[1:]
    return {name: float(value) / KCAL for name, value in zip(re.findall(r'@ s\d+ legend "(.*)"', text), numbers)}


def forces():
    """Of the last point, kcal/mol/A, by atom; those of virtual sites are zero."""
    gmx("traj -f e.trr -s e.tpr -of f.xvg -fp", "0\n")
    return np.array(Path("f.xvg").read_text().strip().split("\n")[-1].split()[1:], float).reshape(-1, 3) / (10 * KCAL)
