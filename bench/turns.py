"""Runs of several kinds of an input in turn, and the instructions of their steps."""
import os
import re
import statistics
import subprocess

from figures import say


def counted(program, folder, file, sets, steps):
    """Instructions per step of a run, on one thread: of steps with their samples and moves, without start and results."""
    words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=ensemble_run", program.path, "run", file, "-o", "counted",
             "--force", "--quiet", "--threads", "1", *(word for key in sets for word in ("--set", key))]
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "HOLONOM_ISA": "avx2"})
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None or int(found[1]) == 0:
        raise SystemExit(f"valgrind of holonom run failed:\n{done.stderr[-2000:]}")
    return int(found[1]) / steps


def in_turn(program, folder, file, kinds, threads, rounds, speed):
    """Speeds of each kind, a list with one value for each round; kinds: {name: keys}."""
    found = {name: [] for name in kinds}
    for _ in range(rounds):
        for name, keys in kinds.items():
            found[name].append(program.run(folder, file, "timed", threads, keys)[speed])
        say(", ".join(f"{name} {values[-1]:.4g}" for name, values in found.items()))
    return found


def ratio(found, name, plain):
    """The time of a kind over that of the plain one, the median of the rounds."""
    return statistics.median(p / b for p, b in zip(found[plain], found[name]))
