"""How much of a table tests take: suite_rows of tests/suite.h, for Python."""

import os


def rows(table, few):
    """All rows where HOLONOM_NIGHTLY is set, else the first `few`."""
    return list(table)[: None if os.environ.get("HOLONOM_NIGHTLY") else few]
