"""Faults of tests/faults.tsv. FILE IS FAULT: puts one in; none: looks whether each text still stands once in its file."""

import pathlib
import sys

if len(sys.argv) == 4:
    file, text, fault = pathlib.Path(sys.argv[1]), *sys.argv[2:]
    file.write_text(file.read_text().replace(text, fault))
else:
    root = pathlib.Path(__file__).resolve().parent
    rows = [row.split("\t") for row in (root / "faults.tsv").read_text().splitlines() if not row.startswith("#")]
    wrong = [f"{row[0]}: {row[1]!r} does not stand there once" for row in rows if (root.parent / row[0]).read_text().count(row[1]) != 1]
    print("\n".join(wrong) or f"{len(rows)} faults")
    sys.exit(bool(wrong))
