"""Numbers as the files of other programs write them. Python's own float() and int() also take "1_0", digits of other scripts, inf and nan."""

from __future__ import annotations

import math
import re

_REAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,11}")


def real(text: str) -> float:
    """ValueError: it is no finite number."""
    stripped = text.strip(" \t\r")
    value = float(stripped) if _REAL.fullmatch(stripped) else math.nan
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def whole(text: str) -> int:
    """ValueError: it is no whole number of at most eleven digits."""
    stripped = text.strip(" \t\r")
    if not _WHOLE.fullmatch(stripped):
        raise ValueError(text)
    return int(stripped)
