"""Selects with MDAnalysis what tests/test_select.c selected, and compares. Exit 77: MDAnalysis is not there."""
import sys
import warnings

warnings.simplefilter("ignore")
try:
    import MDAnalysis
    import numpy
except ImportError as missing:
    print("skipped:", missing, "(Debian: python3-mdanalysis)")
    sys.exit(77)

folder = sys.argv[1]
rows = [line.split() for line in open(f"{folder}/atoms.txt", encoding="utf-8")]
names, residues, types, elements, numbers, molecules, counts, chains = zip(*rows)
keys = [(row[6], row[4]) for row in rows]
order = list(dict.fromkeys(keys))
of_atom = [order.index(key) for key in keys]
first = [keys.index(key) for key in order]
universe = MDAnalysis.Universe.empty(len(rows), len(order), atom_resindex=of_atom, trajectory=False)
for attribute, value in (("names", names), ("types", types), ("elements", elements), ("chainIDs", chains)):
    universe.add_TopologyAttr(attribute, numpy.array(value, dtype=object))
universe.add_TopologyAttr("resnames", numpy.array([residues[i] for i in first], dtype=object))
universe.add_TopologyAttr("resids", numpy.array([int(numbers[i]) for i in first]))
universe.add_TopologyAttr("moltypes", numpy.array([molecules[i] for i in first], dtype=object))
universe.add_TopologyAttr("molnums", numpy.array([int(counts[i]) for i in first]))
bad = 0
for line in open(f"{folder}/selected.txt", encoding="utf-8"):
    words, found = line.rstrip("\n").split(";")
    theirs = list(universe.select_atoms(words).indices)
    ours = [int(word) for word in found.split()]
    if theirs != ours:
        bad += 1
        print(f"wrong: '{words}' selects {ours}; MDAnalysis: {theirs}")
sys.exit(bad > 0)
