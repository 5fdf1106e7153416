"""Finds other programs on the PATH."""

from __future__ import annotations

import os
import shutil
from typing import Optional


def find(name: str) -> Optional[str]:
    """The path of a program. Only absolute entries of PATH count, as in base/tool_find.h: others could find a program among the files
    of the current folder."""
    entries = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return shutil.which(name, path=os.pathsep.join(entry for entry in entries if os.path.isabs(entry)))
