"""Reads numbers in files of other programs. Python's float() and int() would also accept "1_0", digits of other scripts, inf and nan."""

from __future__ import annotations

import math
import re

_REAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,11}")


def real(text: str) -> float:
    """A finite number. ValueError: the text is not one."""
    stripped = text.strip(" \t\r")
    value = float(stripped) if _REAL.fullmatch(stripped) else math.nan
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def whole(text: str) -> int:
    """A whole number of at most eleven digits. ValueError: the text is not one."""
    stripped = text.strip(" \t\r")
    if not _WHOLE.fullmatch(stripped):
        raise ValueError(text)
    return int(stripped)
