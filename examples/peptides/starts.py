"""Copies the frames of final.xyz whose torsion phi has room: -170 to -50 or 40 to 80 degrees, repeated until there are as many as before.

    python3 starts.py FINAL.xyz OUT.xyz

Rigid angles leave no room for some of the other frames: an oxygen and a hydrogen would overlap."""

import sys
from pathlib import Path

import numpy as np

PHI = (4, 6, 8, 14)  # atoms from 0


def torsion(a, b, c, d):
    u, v, w = b - a, c - b, d - c
    n, m = np.cross(u, v), np.cross(v, w)
    return np.degrees(np.arctan2(np.dot(np.cross(n, m), v) / np.linalg.norm(v), np.dot(n, m)))


lines = Path(sys.argv[1]).read_text().splitlines()
size = int(lines[0]) + 2
frames = [lines[i : i + size] for i in range(0, len(lines), size)]
kept = []
for frame in frames:
    phi = torsion(*(np.array(frame[2 + i].split()[1:4], float) for i in PHI))
    if -170 < phi < -50 or 40 < phi < 80:
        kept.append(frame)
Path(sys.argv[2]).write_text("".join(line + "\n" for i in range(len(frames)) for line in kept[i % len(kept)]))
print(f"{len(kept)} of {len(frames)} frames")
