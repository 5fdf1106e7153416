"""A molecule of a file in vacuum with LAMMPS and OpenMM, one serial process per core, for compare-molecules: all pairs, rigid bonds to hydrogens, Langevin dynamics."""
import re
import shutil
import subprocess
import sys

try:
    import yaml
except ImportError:  # then the vacuum is not compared with LAMMPS
    yaml = None

KELVIN, FRICTION_PS, STEP_FS = 300.0, 1.0, 2.0

LAMMPS = """units real
boundary f f f
atom_style full
atom_modify sort 0 0
pair_style lj/cut/coul/cut 100
pair_modify mix arithmetic
bond_style harmonic
angle_style harmonic
dihedral_style charmm
special_bonds lj 0 0 {lj:.12g} coul 0 0 {coul:.12g}
read_data data
neighbor 10 bin
neigh_modify delay 0 every 1000000000 check no
minimize 1e-4 1e-6 200 2000
reset_timestep 0
velocity all create {kelvin} 91
timestep {step}
fix move all nve
fix noise all langevin {kelvin} {kelvin} {relaxation} 78221
{shake}
thermo {steps}
run {steps}
"""

OPENMM = """import sys
import time
import openmm
from openmm import app, unit
openmm.Platform.loadPluginsFromDirectory(openmm.Platform.getDefaultPluginsDirectory())
gro = app.GromacsGroFile("conf.gro")
top = app.GromacsTopFile("topol.top", includeDir=sys.argv[2])
system = top.createSystem(nonbondedMethod=app.NoCutoff, constraints=app.HBonds)
integrator = openmm.LangevinMiddleIntegrator({kelvin}, {friction}, {step} * unit.femtosecond)
context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName("CPU"), {{"Threads": "1"}})
context.setPositions(gro.positions)
openmm.LocalEnergyMinimizer.minimize(context, maxIterations=200)
context.setVelocitiesToTemperature({kelvin}, 5)
integrator.step(500)
begin = time.perf_counter()
integrator.step(int(sys.argv[1]))
context.getState(getEnergy=True)
print(int(sys.argv[1]) / (time.perf_counter() - begin))
"""


def six_twelve(pair):
    """epsilon and sigma of a row of types."""
    if isinstance(pair, dict):
        c12, c6 = pair["c12"], pair["c6"]
        return (c6 * c6 / (4 * c12), (c12 / c6) ** (1 / 6)) if c6 > 0 else (0.0, 1.0)
    return pair[1], pair[0] or 1.0


def numbered(rows, atoms):
    """Numbers distinct parameters: {parameters: number}, and a line for each row."""
    kinds, lines = {}, []
    for k, row in enumerate(rows, 1):
        parameters = tuple(row[atoms:])
        number = kinds.setdefault(parameters, len(kinds) + 1)
        lines.append(f"{k} {number} " + " ".join(str(a) for a in row[:atoms]))
    return kinds, lines


def section(name, lines):
    return f"\n{name}\n\n" + "\n".join(lines) + "\n"


def factors(molecule, types):
    """The fractions of Lennard-Jones and Coulomb forces for pairs 1-4, equal for all pairs in AMBER's force fields."""
    lj, coul = [], []
    for i, j, _, epsilon, qq in molecule["terms"]["pair-14"]:
        a, b = molecule["atoms"][i - 1], molecule["atoms"][j - 1]
        full = (six_twelve(types[a[1]])[0] * six_twelve(types[b[1]])[0]) ** 0.5
        if full > 0:
            lj.append(epsilon / full)
        coul.append(qq / (a[2] * b[2]))
    for found in (lj, coul):
        if max(found) - min(found) > 1e-3:
            raise SystemExit("LAMMPS has one factor for all pairs 1-4; this topology has several")
    return sorted(lj)[len(lj) // 2], sorted(coul)[len(coul) // 2]


def lammps_files(folder, system):
    """The data file, and the lines of the script that depend on it."""
    file = yaml.safe_load((folder / system / "molecules.yaml").read_text())
    (name, _), = file["system"]
    molecule, types = file["molecules"][name], file["types"]
    terms, atoms = molecule["terms"], molecule["atoms"]
    gro = (folder / system / "start.gro").read_text().split("\n")[2 : 2 + len(atoms)]
    x = [[10 * float(v) for v in re.findall(r"-?\d+\.\d+", line[20:])[:3]] for line in gro]
    mass = {}
    sort = [mass.setdefault((a[1], a[3]), len(mass) + 1) for a in atoms]  # types by Lennard-Jones and mass
    bonds, bond_lines = numbered(terms["bond"], 2)
    angles, angle_lines = numbered(terms["angle"], 3)
    torsions, torsion_lines = numbered(terms["torsion"] + terms.get("improper-periodic", []), 4)
    lines = [f"dipeptide\n\n{len(atoms)} atoms\n{len(bond_lines)} bonds\n{len(angle_lines)} angles\n{len(torsion_lines)} dihedrals",
             f"{len(mass)} atom types\n{len(bonds)} bond types\n{len(angles)} angle types\n{len(torsions)} dihedral types",
             "-200 200 xlo xhi\n-200 200 ylo yhi\n-200 200 zlo zhi",
             section("Masses", [f"{n} {m}" for (_, m), n in mass.items()]),
             section("Pair Coeffs", [f"{n} {six_twelve(types[t])[0]:.12g} {six_twelve(types[t])[1]:.12g}" for (t, _), n in mass.items()]),
             section("Bond Coeffs", [f"{n} {k / 2:.12g} {r:.12g}" for (r, k), n in bonds.items()]),
             section("Angle Coeffs", [f"{n} {k / 2:.12g} {angle:.12g}" for (angle, k), n in angles.items()]),
             section("Dihedral Coeffs", [f"{n} {k:.12g} {round(times)} {round(phase)} 0" for (phase, k, times), n in torsions.items()]),
             section("Atoms", [f"{k} 1 {s} {a[2]:.10g} {at[0]} {at[1]} {at[2]}" for k, (a, s, at) in enumerate(zip(atoms, sort, x), 1)]),
             section("Bonds", bond_lines), section("Angles", angle_lines), section("Dihedrals", torsion_lines)]
    (folder / "data").write_text("\n".join(lines), encoding="ascii")
    light = sorted({f"{m:.6g}" for _, m in mass if m < 1.5})
    lj, coul = factors(molecule, types)
    return {"lj": lj, "coul": coul, "shake": f"fix keep all shake 1e-4 20 0 m {' '.join(light)}"}


def together(commands, folder):
    """The output of this many simultaneous processes."""
    running = [subprocess.Popen(c, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for c in commands]
    said = [p.communicate() for p in running]
    for p, (out, err) in zip(running, said):
        if p.returncode != 0:
            raise SystemExit(f"{' '.join(p.args)} failed:\n{out[-1000:]}{err[-2000:]}")
    return [out for out, _ in said]


def lammps(folder, cores, steps):
    """Total steps per second of serial processes, one per core."""
    given = lammps_files(folder, "ours")
    text = LAMMPS.format(kelvin=KELVIN, step=STEP_FS, relaxation=1000.0 / FRICTION_PS, steps=steps, **given)
    (folder / "in.vacuum").write_text(text, encoding="ascii")
    said = together([["lmp", "-in", "in.vacuum", "-log", f"log.{k}"] for k in range(cores)], folder)
    loops = [re.findall(r"Loop time of (\S+) on 1 procs for (\d+) steps", out)[-1] for out in said]  # behind that of the minimisation
    return sum(int(n) / float(t) for t, n in loops)


def openmm(folder, cores, steps, data):
    (folder / "openmm_run.py").write_text(OPENMM.format(kelvin=KELVIN, friction=FRICTION_PS, step=STEP_FS), encoding="ascii")
    said = together([[sys.executable, "openmm_run.py", str(steps), str(data)]] * cores, folder)
    return sum(float(out.split()[-1]) for out in said)


def peers(folder, cores, data):
    """The installed programs by name: functions of the number of steps."""
    found = {}
    if yaml is not None and shutil.which("lmp"):
        found["lammps"] = lambda steps: lammps(folder, cores, steps)
    if subprocess.run([sys.executable, "-c", "import openmm"], capture_output=True, check=False).returncode == 0:
        found["openmm"] = lambda steps: openmm(folder, cores, steps, data)
    return found
