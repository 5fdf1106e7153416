"""Energies of molecules.yaml by term, all pairs in open space: a plain second opinion, which shares no line with what wrote the file.
Takes dihedral angles from arctan2 and everything else from the table in docs/molecules-file.md. A, kcal/mol, degrees."""

import numpy as np
import yaml

COULOMB = 332.0637


def length(x, i, j):
    return np.linalg.norm(x[i] - x[j])


def angle(x, i, j, k):
    a, b = x[i] - x[j], x[k] - x[j]
    return np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)


def dihedral(x, i, j, k, l):
    """IUPAC: trans is 180 degrees."""
    a, b, c = x[j] - x[i], x[k] - x[j], x[l] - x[k]
    m, n = np.cross(a, b), np.cross(b, c)
    return np.arctan2(np.linalg.norm(b) * (a @ n), m @ n)


def lj(sigma, epsilon, r):
    six = (sigma / r) ** 6
    return 4 * epsilon * (six * six - six)


def improper(x, atoms, at, k):
    off = np.degrees(dihedral(x, *atoms)) - at
    return 0.5 * k * np.radians(off - 360 * np.rint(off / 360)) ** 2


def periodic(x, atoms, phase, k, n):
    return k * (1 + np.cos(n * dihedral(x, *atoms) - np.radians(phase)))


def spline(nodes, at):
    """The periodic cubic spline through nodes at whole numbers, by its second derivatives."""
    n = len(nodes)
    shift = lambda k: np.roll(np.eye(n), k, 0)
    second = np.linalg.solve(shift(1) + 4 * np.eye(n) + shift(-1), 6 * (np.roll(nodes, 1) - 2 * nodes + np.roll(nodes, -1)))
    low, b = int(at // 1) % n, at % 1
    ends = [low, (low + 1) % n]
    return np.dot([1 - b, b], nodes[ends]) + np.dot([(1 - b) ** 3 - (1 - b), b**3 - b], second[ends]) / 6


def surface(x, atoms, grid):
    phi, psi = ((dihedral(x, *of) / (2 * np.pi) + 0.5) * len(grid) for of in (atoms[:4], atoms[1:]))
    return spline(np.array([spline(np.array(row, float), psi) for row in grid]), phi)


def distance_restraint(x, atoms, low, high, linear, k):
    r = length(x, *atoms)
    if low <= r <= high:
        return 0.0
    return 0.5 * k * (linear - high) * (2 * r - linear - high) if r > linear else 0.5 * k * (r - (low if r < low else high)) ** 2


def tabulated(x, table, k):
    """Hermite's polynomials between the rows of a table, times k."""
    rows = np.array(table["rows"], float)
    step = (table["to"] - table["from"]) / (len(rows) - 1)
    row = min(int((x - table["from"]) // step), len(rows) - 2)
    b = (x - table["from"]) / step - row
    (v, s), (w, t) = rows[row], rows[row + 1]
    return k * ((1 - b) ** 2 * (v * (1 + 2 * b) + s * step * b) + b**2 * (w * (3 - 2 * b) - t * step * (1 - b)))


TERMS = {
    "distance-table": lambda x, a, table, k: tabulated(length(x, *a), table, k),
    "angle-table": lambda x, a, table, k: tabulated(np.degrees(angle(x, *a)), table, k),
    "torsion-table": lambda x, a, table, k: tabulated(np.degrees(dihedral(x, *a)), table, k),
    "bond": lambda x, a, b, k: 0.5 * k * (length(x, *a) - b) ** 2,
    "bond-quartic": lambda x, a, b, k: 0.25 * k * (length(x, *a) ** 2 - b**2) ** 2,
    "bond-morse": lambda x, a, b, d, rate: d * (1 - np.exp(-rate * (length(x, *a) - b))) ** 2,
    "bond-polynomial": lambda x, a, b, k2, k3, k4: sum(f * (length(x, *a) - b) ** n for f, n in ((0.5 * k2, 2), (k3, 3), (k4, 4))),
    "urey-bradley": lambda x, a, b, k: 0.5 * k * (length(x, *a) - b) ** 2,
    "angle": lambda x, a, t, k: 0.5 * k * (angle(x, *a) - np.radians(t)) ** 2,
    "angle-cosine": lambda x, a, t, k: 0.5 * k * (np.cos(angle(x, *a)) - np.cos(np.radians(t))) ** 2,
    "angle-quartic": lambda x, a, t, *c: sum(f * (angle(x, *a) - np.radians(t)) ** n for n, f in enumerate(c)),
    "angle-restricted": lambda x, a, t, k: 0.5 * k * ((np.cos(angle(x, *a)) - np.cos(np.radians(t))) / np.sin(angle(x, *a))) ** 2,
    "bond-bond": lambda x, a, b, c, k: k * (length(x, a[0], a[1]) - b) * (length(x, a[2], a[1]) - c),
    "torsion": periodic,
    "torsion-ryckaert": lambda x, a, *c: sum(f * np.cos(dihedral(x, *a) - np.pi) ** n for n, f in enumerate(c)),
    "improper": improper,
    "improper-periodic": periodic,
    "cmap": surface,
    "distance-restraint": distance_restraint,
    "dihedral-restraint": lambda x, a, at, flat, k: 0.5 * k * np.radians(max(0.0, abs((np.degrees(dihedral(x, *a)) - at + 180) % 360 - 180) - flat)) ** 2,
}
COUNT = {"bond": 2, "urey": 2, "distance": 2, "dihedral": 4, "angle": 3, "torsion": 4, "improper": 4, "cmap": 5}


def six_twelve(value):
    """(c12, c6) of [sigma, epsilon] or {c12:, c6:}."""
    if isinstance(value, dict):
        return float(value["c12"]), float(value["c6"])
    s, e = map(float, value)
    return 4 * e * s**12, 4 * e * s**6


def mix(rule, one, other):
    if isinstance(one, dict) or rule == "geometric":
        return tuple(np.sqrt(a * b) for a, b in zip(six_twelve(one), six_twelve(other)))
    return six_twelve([0.5 * (one[0] + other[0]), np.sqrt(one[1] * other[1])])


def excluded(molecule):
    n = len(molecule["atoms"])
    near = [set() for _ in range(n)]
    pairs = [row[:2] for row in molecule.get("bonds", []) + molecule.get("constraints", [])]
    for name, rows in molecule.get("terms", {}).items():
        pairs += [row[:2] for row in rows if name.startswith("bond") and name != "bond-bond"]
    for i, j in pairs:
        near[i - 1].add(j - 1)
        near[j - 1].add(i - 1)
    found = {frozenset((i - 1, j - 1)) for i, j in molecule.get("exclusions", [])}
    for atom, how, *rest in molecule.get("virtual", []):
        found |= {frozenset((atom - 1, parent - 1)) for parent in rest[: PARENTS.get(how, 3)]}
    for i in range(n):
        shell, seen = {i}, {i}
        for _ in range(molecule["exclude"]):
            shell = {k for j in shell for k in near[j]} - seen
            seen |= shell
            found |= {frozenset((i, k)) for k in shell}
    return found


PARENTS = {"2": 2, "2fd": 2, "4fdn": 4, "4bisector": 4}


def at(i, j, k, angle, away, turn):
    """Where the angle with i-j and the dihedral angle with i-j-k are these."""
    unit = lambda v: v / np.linalg.norm(v)
    angle, turn = np.radians([angle, turn])
    along = unit(j - i)
    aside = unit((k - j) - (k - j) @ along * along)
    return i + away * (np.cos(angle) * along + np.sin(angle) * (np.cos(turn) * aside - np.sin(turn) * np.cross(along, aside)))


def place(x, kind, parents, c):
    """A virtual site."""
    i, j, k = (x[p - 1] for p in (*parents, parents[-1])[:3])
    unit = lambda v: v / np.linalg.norm(v)
    if kind == "2":
        return (1 - c[0]) * i + c[0] * j
    if kind == "2fd":
        return i + c[0] * unit(j - i)
    if kind == "3fadd":
        return at(i, j, k, *c)
    if kind == "3median":
        return at(i, (j + k) / 2, k, *c)
    if kind == "4bisector":
        j, k = (j + k) / 2, (j + x[parents[3] - 1]) / 2
    if kind in ("3bisector", "4bisector"):  # arms of one length
        j, k = i + unit(j - i), i + unit(k - i)
        return at(i, (j + k) / 2, k, *c)
    if kind == "3":
        return (1 - c[0] - c[1]) * i + c[0] * j + c[1] * k
    if kind == "3fd":
        return i + c[1] * unit((j - i) + c[0] * (k - j))
    if kind == "3fad":
        t, d, ij, jk = np.radians(c[0]), c[1], j - i, k - j
        across = jk - (ij @ jk) / (ij @ ij) * ij
        return i + d * np.cos(t) * unit(ij) + d * np.sin(t) * unit(across)
    assert kind == "3out", kind
    return i + c[0] * (j - i) + c[1] * (k - i) + c[2] * np.cross(j - i, k - i)


def energies(text, x):
    """By term's name, then lj_14, coulomb_14, lj, coulomb, and the largest distance of a virtual site from its place."""
    file = yaml.safe_load(text)
    assert file["format"] == "holonom-molecules 1"
    types, rule = file["types"], file["rule"]
    special = {frozenset(row[:2]): six_twelve(row[2] if len(row) == 3 else row[2:]) for row in file.get("pairs", [])}
    found = dict.fromkeys(("lj_14", "coulomb_14", "lj", "coulomb", "misplaced"), 0.0)
    kind, charge, hidden, first = [], [], set(), 0
    for name, count in file["system"]:
        molecule = file["molecules"][name]
        n, not_seen = len(molecule["atoms"]), excluded(molecule)
        for _ in range(count):
            own = x[first : first + n]
            for term, rows in molecule.get("terms", {}).items():
                named = file["grids"] if term == "cmap" else file["tables"] if term.endswith("-table") else {}
                for row in rows:
                    row = [(named[v] if v in named else float(v)) if isinstance(v, str) else v for v in row]
                    if term == "pair-14":
                        r = length(own, row[0] - 1, row[1] - 1)
                        found["lj_14"] += lj(row[2], row[3], r)
                        found["coulomb_14"] += COULOMB * row[4] / r
                        continue
                    atoms = 3 if term == "bond-bond" else COUNT[term.split("-")[0]]
                    found[term] = found.get(term, 0.0) + TERMS[term](own, [a - 1 for a in row[:atoms]], *row[atoms:])
            for atom, how, *rest in molecule.get("virtual", []):
                parents = PARENTS.get(how, 3)
                found["misplaced"] = max(
                    found["misplaced"], np.linalg.norm(own[atom - 1] - place(own, how, rest[:parents], rest[parents:]))
                )
            hidden |= {frozenset(first + k for k in pair) for pair in not_seen}
            kind += [row[1] for row in molecule["atoms"]]
            charge += [row[2] for row in molecule["atoms"]]
            first += n
    assert first == len(x)
    for i in range(first):
        for j in range(i):
            if frozenset((i, j)) in hidden:
                continue
            r = length(x, i, j)
            c12, c6 = special.get(frozenset((kind[i], kind[j])), None) or mix(rule, types[kind[i]], types[kind[j]])
            found["lj"] += c12 / r**12 - c6 / r**6
            found["coulomb"] += COULOMB * charge[i] * charge[j] / r
    return found
