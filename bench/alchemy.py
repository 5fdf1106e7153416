"""Solutes in TIP3P water for compare-alchemy: topologies of GROMACS, boxes, and the states in which a solute is decoupled."""
from pathlib import Path

import gromacs

KELVIN = 298.15
STEP = 2.0  # fs
WATERS = 300
# g/cm3 of TIP3P at 1 bar with a cutoff of 9 A and its tail.
DENSITY = 0.985

# Name: number in FreeSolv, half the volume of the molecule in water (A^3), strengths of charges, then of Lennard-Jones. At constant volume the
# free energy is that at constant pressure, to second order, if the volume is the mean of both ends.
SOLUTES = {
    "methane": ("9055303", 28, (1, 0.5, 0), (1, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0)),
    "methanol": ("1636752", 31, (1, 0.75, 0.5, 0.25, 0), (1, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3, 0.15, 0)),
    "ethanol": ("2310185", 46, (1, 0.75, 0.5, 0.25, 0), (1, 0.85, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0)),
    "benzene": ("3053621", 69, (1, 0.75, 0.5, 0.25, 0), (1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0)),
}
# FreeSolv 0.52 (Duarte Ramos Matos et al., J. Chem. Eng. Data 62, 1559 (2017)): GROMACS with GAFF, AM1-BCC charges and TIP3P, and experiment;
# kcal/mol.
PUBLISHED = {
    "methane": ((2.45, 0.01), (2.00, 0.20)),
    "methanol": ((-3.49, 0.02), (-5.10, 0.60)),
    "ethanol": ((-3.39, 0.02), (-5.00, 0.60)),
    "benzene": ((-0.81, 0.02), (-0.90, 0.20)),
}

METHANE = """[ defaults ]
1 2 yes 1.0 1.0
[ atomtypes ]
c3 c3 6 12.01 0 A 0.339967 0.457730
hc hc 1 1.008 0 A 0.264953 0.0656888
[ moleculetype ]
methane 3
[ atoms ]
1 c3 1 MOL C1 1 -0.1088 12.01
2 hc 1 MOL H1 2 0.0272 1.008
3 hc 1 MOL H2 3 0.0272 1.008
4 hc 1 MOL H3 4 0.0272 1.008
5 hc 1 MOL H4 5 0.0272 1.008
[ bonds ]
1 2 1 0.1092 282252.64
1 3 1 0.1092 282252.64
1 4 1 0.1092 282252.64
1 5 1 0.1092 282252.64
[ angles ]
2 1 3 1 108.35 329.95
2 1 4 1 108.35 329.95
2 1 5 1 108.35 329.95
3 1 4 1 108.35 329.95
3 1 5 1 108.35 329.95
4 1 5 1 108.35 329.95
"""
PLACES = {"C1": (0, 0, 0), "H1": (0.63, 0.63, 0.63), "H2": (0.63, -0.63, -0.63), "H3": (-0.63, 0.63, -0.63), "H4": (-0.63, -0.63, 0.63)}

# sigma and epsilon from the published 582,000 and 595 kcal/mol.
WATER_TYPES = "OW OW 8 15.9994 0 A 0.31506561 0.63627\nHW HW 1 1.008 0 A 0 0\n"
WATER = """[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW 1 -0.834 15.9994
2 HW 1 SOL HW1 1 0.417 1.008
3 HW 1 SOL HW2 1 0.417 1.008
[ settles ]
1 1 0.09572 0.15139
[ exclusions ]
1 2 3
2 1 3
3 1 2
"""


def neutral(text):
    """The topology with the rounding of its charges, at most 0.001 e, removed from the first atom."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.split() == ["[", "atoms", "]"]) + 1
    rows = []
    for i in range(first, len(lines)):
        if lines[i].startswith("["):
            break
        if lines[i].strip() and not lines[i].lstrip().startswith(";"):
            rows.append(i)
    total = round(sum(float(lines[i].split()[6]) for i in rows), 6)
    if abs(total) > 1e-3:
        raise SystemExit(f"the solute has a charge of {total} e; wanted: a neutral one")
    words = lines[rows[0]].split()
    words[6] = f"{float(words[6]) - total:.6f}"
    lines[rows[0]] = " ".join(words)
    return "\n".join(lines) + "\n"


def topology(name, folder):
    """The solute's sections of a topology, up to its system, and its atoms' names and places (A); folder: FreeSolv's topologies."""
    number = SOLUTES[name][0]
    if name == "methane":
        return METHANE, list(PLACES.items())
    if folder is None:
        raise SystemExit(f"{name}: give the folder of FreeSolv's files mobley_{number}.top and .gro: --topologies FOLDER")
    path = Path(folder) / f"mobley_{number}.top"
    text = path.read_text(encoding="utf-8").split("[ system ]")[0]
    old = text.split("[ moleculetype ]")[1].split("[")[0].split("\n")
    row = next(line for line in old if line.strip() and not line.startswith(";"))
    text = neutral(text.replace(row, f"{name} 3", 1))
    lines = path.with_suffix(".gro").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines[2 : 2 + int(lines[1])]]
    return text, [(row[1], tuple(10 * float(v) for v in row[-3:])) for row in rows]


def make(program, folder, name, topologies):
    """Files of both programs: topol.top, start.gro, box.yaml and box.molecules.yaml."""
    text, atoms = topology(name, topologies)
    (folder / "solute.top").write_text(f"{text}[ system ]\n{name}\n[ molecules ]\n{name} 1\n", encoding="ascii")
    with_water = text.replace("[ moleculetype ]", WATER_TYPES + "[ moleculetype ]", 1)
    (folder / "topol.top").write_text(f"{with_water}{WATER}[ system ]\n{name}\n[ molecules ]\n{name} 1\nSOL {WATERS}\n", encoding="ascii")
    (folder / "solute.gro").write_text(f"{name}\n{len(atoms)}\n" + "".join(
        f"    1MOL  {atom:>5s}{i + 1:5d}" + "".join(f"{0.1 * v:8.3f}" for v in x) + "\n" for i, (atom, x) in enumerate(atoms)) + " 5 5 5\n",
        encoding="ascii")
    program.call(folder, "import", "solute.top", "solute.gro", "--box", "none", "--force", "-o", "solute")
    (folder / "solute.xyz").write_text(f"{len(atoms)}\n{name}\n" + "".join(f"{atom[0]} {x} {y} {z}\n" for atom, (x, y, z) in atoms),
                                       encoding="ascii")
    volume = WATERS * 18.0154 / 0.602214076 / DENSITY + SOLUTES[name][1]
    program.call(folder, "build", "--molecules", f"solute/molecules.yaml=1,tip3p={WATERS}", "--coordinates", "solute.xyz", "--size",
                 f"{volume ** (1 / 3):.4f}", "--temperature", KELVIN, "--equilibrate", "20", "--force", "-o", "start.gro")


def states(name):
    """(strength of charges, of Lennard-Jones) of each state."""
    charges, lennard_jones = SOLUTES[name][2:]
    return [(s, 1) for s in charges] + [(0, s) for s in lennard_jones[1:]]


def settings(name, state, steps):
    """The text of GROMACS's settings in a state."""
    along = states(name)
    usual = gromacs.settings(steps=steps, kelvin=KELVIN, energy=50, constraints="h-bonds")
    return usual.replace("ld-seed = 11", f"ld-seed = {100 + state}") + f"""free-energy = yes
couple-moltype = {name}
couple-lambda0 = vdw-q
couple-lambda1 = none
couple-intramol = no
sc-alpha = 0.5
sc-power = 1
sc-sigma = 0.3
coul-lambdas = {" ".join(f"{1 - s:g}" for s, _ in along)}
vdw-lambdas = {" ".join(f"{1 - s:g}" for _, s in along)}
init-lambda-state = {state}
nstdhdl = 50
calc-lambda-neighbors = -1
"""
